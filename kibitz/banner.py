"""The verdict in words, and what may be done about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.notation import format_play
from engine.rules import ruleset
from kibitz.snapshot import Banner, Words
from kibitz.words import because, joined, known, place_words, plain, side_name, words
from referee.events import IllegalSeen, Noted, Setup
from referee.findings import Finding
from referee.layout import LAYOUTS, LIGHT, Layout, place_of
from referee.observation import POINTS
from referee.state import State
from referee.verdict import Difference

if TYPE_CHECKING:
    from kibitz.show import Story
    from kibitz.trainer import Trainer

BLIND = frozenset({"unplugged", "frozen", "dark", "covered", "bumped"})


def banner_of(state: State, story: Story, trainer: Trainer | None = None) -> Banner:
    """What matters most just now."""
    if story.failed:
        return Banner("no_sight", words("unwritten", detail=story.failed))
    if story.over is not None and state.over:
        return _over(state, story)
    if state.adjourned:
        return Banner("adjourned", words("adjourned"), (), ("resume",))
    if story.health.state in BLIND:
        return Banner("no_sight", words(story.health.state))
    if state.layout is None or story.health.state == "searching":
        return _before(state, story)
    return _trouble(state, story) or _warning(trainer) or _turn(state, story)


def _warning(trainer: Trainer | None) -> Banner | None:
    """A legal play that a stronger player would not have made."""
    if trainer is None or not trainer.warned or trainer.advice is None:
        return None
    advice = trainer.advice
    said = words("warning", play=advice.play, cost=f"{advice.cost:.3f}", best=advice.best)
    return Banner("warning", said, (), ("play_anyway", "take_back"))


def _over(state: State, story: Story) -> Banner:
    over = story.over
    assert over is not None
    actions = ("next_game", "undo")
    if over.winner is None:
        return Banner("over", words("draw"), (), actions)
    said = words("over", side=_name(state, over.winner), points=over.points, name=over.name)
    return Banner("over", said, (), actions)


def _before(state: State, story: Story) -> Banner:
    """No board seen yet, or not the start on it."""
    if not story.wrong_start:
        detail = story.health.detail
        return Banner("searching", words("no_sight", detail=detail) if detail else words("searching"))
    places = tuple(d.place for d in story.wrong_start)
    said = words("wrong_start", places=_here(state, story.wrong_start))
    return Banner("wrong_start", said, places, ("answer",))


def _places(
    difference: tuple[Difference, ...], setup: Setup, layout: Layout | None, side: int | None
) -> Words:
    """Places in words, points in the numbers of the side whose play it is (light's, while nobody knows)."""
    known_layout, who = layout or setup.layout or LAYOUTS[0], LIGHT if side is None else side
    own = {place_of(known_layout, ruleset(setup.rules), who, n): n for n in range(1, POINTS + 1)}
    return joined([place_words(d.place, own.get(d.place, 0)) for d in difference])


def _here(state: State, difference: tuple[Difference, ...]) -> Words:
    """Places of the game as it stands."""
    return _places(difference, state.setup, state.layout, state.side)


def _trouble(state: State, story: Story) -> Banner | None:
    """What must be put right, or answered."""
    if state.illegal is not None:
        return _illegal(state)
    if state.asked:
        return _asked(state)
    if state.trouble:
        places = tuple(d.place for d in state.trouble)
        said = words("lost", places=_here(state, state.trouble))
        return Banner("lost", said, places, ("correct", "resync", "undo"))
    if away := story.moved_while_away(state):
        places = tuple(d.place for d in away)
        return Banner("lost", words("restored", places=_here(state, away)), places, ("resync",))
    return None


def _asked(state: State) -> Banner:
    """Which play it was; or whether the dice were others than were read, which would make it legal."""
    first = state.asked[0]
    if state.roll is not None and sorted(first.roll) != sorted(state.roll):
        said = words(
            "dice_doubt", dice=_dice(state.roll), others=_dice(first.roll), play=format_play(first.play)
        )
        return Banner("ambiguous", said, (), ("choose", "dice"))
    places = {i for c in state.asked for i, n in enumerate(c.table) if n != first.table[i]}
    return Banner("ambiguous", words("ambiguous"), tuple(sorted(places)), ("choose",))


def _illegal(state: State) -> Banner:
    illegal = state.illegal
    assert illegal is not None
    why = because(illegal.why) if illegal.why else _named(state, illegal.finding, illegal.places)
    stands = () if illegal.finding == Finding.BOTH_COLOURS else ("let_stand",)
    return Banner("illegal", words("illegal", why=why), illegal.places, (*stands, "correct", "dice"))


def _named(state: State, finding: str, places: tuple[int, ...]) -> Words:
    where = _here(state, tuple(Difference(p, 0, 0) for p in places))
    return words(finding, places=where, side=_name(state, state.side), dice=_dice(state.roll or ()))


def _turn(state: State, story: Story) -> Banner:
    """The turn as it goes."""
    who = _name(state, state.side)
    if state.offered:
        return Banner("doubled", words("doubled", side=who, cube=state.cube * 2), (), ("take", "drop"))
    if story.undone:
        return Banner("rolled", words("undone"), (), ("dice", "end_turn"))
    if state.roll is None:
        return Banner(
            "ready", _to_roll(state), (), ("dice", "double") if state.side is not None else ("dice",)
        )
    dice = _dice(state.roll)
    if state.kept is None:
        kind = "incomplete" if state.judged == "incomplete" else "rolled"
        return Banner(kind, words(kind, side=who, dice=dice), (), ("end_turn", "dice"))
    play = format_play(state.kept.verdict.play)
    said = words("accepted", play=play) if play else words("dance", dice=dice)
    return Banner("accepted", said, (), ("end_turn", "dice"))


def _to_roll(state: State) -> Words:
    for finding in (Finding.COCKED_DICE, Finding.OPENING_TIE, Finding.NO_ROLL):
        if finding in state.noted:
            return words(finding)
    return words("ready_nobody") if state.side is None else words("ready", side=_name(state, state.side))


def _name(state: State, side: int | None) -> Words:
    return words("whoever") if side is None else side_name(state.setup, side)


def _dice(roll: tuple[int, ...]) -> str:
    return "-".join(map(str, roll))


def finding_words(said: IllegalSeen | Noted, setup: Setup, layout: Layout | None) -> Words:
    """A finding in words, for the list of them."""
    if isinstance(said, IllegalSeen) and said.why:
        return because(said.why)
    where = _places(tuple(Difference(p, 0, 0) for p in said.places), setup, layout, said.side)
    if known(said.finding):
        dice = _dice(said.roll) if isinstance(said, IllegalSeen) else ""
        side = LIGHT if said.side is None else said.side
        return words(said.finding, places=where, side=side_name(setup, side), dice=dice)
    return plain(said.reason if isinstance(said, IllegalSeen) else said.finding)
