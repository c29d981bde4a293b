"""A turn in words: what was done, and whether the rules allow it. Subtitles and reports say it alike."""

from __future__ import annotations

from collections.abc import Mapping

from engine.faults import reasons
from engine.notation import format_play
from engine.position import BAR, OFF
from engine.reasons import Reason, Why
from engine.record import Act, Game, Turn, walk
from engine.rules import Ruleset
from kibitz.lang import Language

#: Below this a reading is said to be doubtful.
SURE = 0.95


def wrongs(game: Game, rules: Ruleset) -> dict[int, tuple[Reason, ...]]:
    """The broken rules of each turn that breaks some, as it is written; no misprint is guessed here."""
    found = {}
    for number, (turn, position) in enumerate(walk(game, rules)):
        if turn.act is not Act.PLAY:
            continue
        broken = () if turn.play is None else reasons(position, turn.roll, turn.play, rules)
        if broken or turn.stood_illegal:
            found[number] = broken or (Reason(Why.SAID_SO),)
    return found


def done(turn: Turn, language: Language) -> str:
    """What a side did: the roll with the play, or what it did with the cube."""
    if turn.act is not Act.PLAY:
        return language.say(f"act_{turn.act}", value=turn.value)
    roll = "-".join(map(str, turn.roll))
    return f"{roll}: {played(turn, language)}"


def played(turn: Turn, language: Language) -> str:
    """The play alone."""
    if turn.play is None:
        return "?"
    return format_play(turn.play, joined=not turn.stood_illegal) or language.say("cue_dance")


def verdict(number: int, turn: Turn, wrong: Mapping[int, tuple[Reason, ...]], language: Language) -> str:
    """Whether the rules allow what was done, and how sure the one who watched was; "" for a sure act of
    the cube.
    """
    text = ""
    if number in wrong:
        key = "cue_stood" if turn.stood_illegal else "cue_wrong"
        text = language.say(key, reasons=language.reasons(wrong[number], place))
    elif turn.act is Act.PLAY:
        text = language.say("cue_unknown" if turn.play is None else "cue_legal")
    if turn.confidence is not None and turn.confidence < SURE:
        return language.say("cue_sure", verdict=text, percent=round(100 * turn.confidence)).strip()
    return text


def place(own: int) -> str:
    """A side's own point, bar or tray."""
    return {BAR: "bar", OFF: "off"}.get(own, str(own))
