"""One simulated game through the session, checked turn by turn against the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from engine.plays import Play, legal_plays
from engine.position import Position, turned
from engine.rules import RULESETS, Ruleset
from referee.events import (
    Chosen,
    Corrected,
    IllegalSeen,
    Input,
    Noted,
    Output,
    Rolled,
    Seen,
    Setup,
    TurnEnd,
    TurnPlayed,
)  # fmt: skip
from referee.layout import table_of
from referee.observation import Die, Observation, Quality
from referee.session import State, begin, step
from tests.soak.people import (
    FPS,
    LAYOUT,
    Camera,
    Table,
    Wrong,
    dice_lying,
    hop_tables,
    over,
    wrongs,
)  # fmt: skip

#: People wait for the verdict on what they did for so long (seconds), then it counts as not found.
PATIENCE = 40.0


@dataclass
class Tally:
    """What happened over many games."""

    games: int = 0
    turns: int = 0
    illegal: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    named: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    asked: int = 0
    looks: int = 0

    def add(self, other: Tally) -> None:
        """Add another's counts."""
        self.games += other.games
        self.turns += other.turns
        self.asked += other.asked
        self.looks += other.looks
        self.illegal += other.illegal
        self.found += other.found
        self.named += other.named
        self.refused += other.refused
        self.lost += other.lost

    @property
    def good(self) -> bool:
        """Every illegal play found, no legal one refused, none lost."""
        return self.illegal == self.found and not self.refused and not self.lost

    def text(self) -> str:
        """The figures, one line each."""
        kinds = ", ".join(f"{k} {self.found[k]}/{n}" for k, n in sorted(self.illegal.items()))
        lines = [
            f"{self.games} games, {self.turns} turns, {self.looks} looks, {self.asked} questions asked",
            f"illegal found {self.found.total()}/{self.illegal.total()}: {kinds}",
            f"legal refused {len(self.refused)}, turns lost or wrong {len(self.lost)}",
        ]
        return "\n".join(lines + self.refused[:10] + self.lost[:10])


class Soaked:
    """One game: people, camera, session."""

    def __init__(self, rules: Ruleset, seed: int, most_turns: int, wrong: float = 0.25) -> None:
        self.rng = Random(f"{rules.name} {seed}")
        self.rules, self.name, self.most, self.wrong = rules, f"{rules.name} {seed}", most_turns, wrong
        self.camera = Camera(self.rng, trays=self.rng.random() < 0.4)
        self.state: State = begin(Setup(rules.name, LAYOUT, side=0, policy="legal"))
        self.t, self.table = 0.0, table_of(LAYOUT, rules, 0, rules.start)
        self.dice: tuple[Die, ...] = ()
        self.tally = Tally(games=1)
        self.outs: list[Output] = []

    def play(self) -> Tally:
        """Play it to its end, or to `most_turns`."""
        self.watch(1.5)
        position, side, passes = self.rules.start, 0, 0
        while not over(position, self.rules, passes) and self.tally.turns < self.most:
            roll = tuple(self.rng.randint(1, 6) for _ in range(self.rules.dice))
            play = self.rng.choice(legal_plays(position, roll, self.rules))
            if not self.turn(position, side, roll, play):
                break
            passes = 0 if play.hops else passes + 1
            position, side = turned(play.result, self.rules), 1 - side
        return self.tally

    # --- time goes by ---

    def put(self, given: Input) -> None:
        """Step one input."""
        self.state, made = step(self.state, given)
        self.outs += made

    def watch(self, seconds: float, *, hand: bool = False, dice: bool = True) -> None:
        """Looks at the table as it is."""
        for _ in range(max(1, round(seconds * FPS))):
            self.t = round(self.t + 1 / FPS, 3)
            self.put(Seen(self.camera.look(self.t, self.table, self.dice if dice else None, hand)))
            self.tally.looks += 1

    def blind(self) -> None:
        """The camera is gone, or dark, for a while."""
        if self.rng.random() < 0.5:
            self.t = round(self.t + self.rng.uniform(1, 20), 3)
            return
        for _ in range(self.rng.randint(2, 8)):
            self.t = round(self.t + 1 / FPS, 3)
            dark = self.camera.look(self.t, self.table, None)
            self.put(Seen(Observation(self.t, dark.points, quality=Quality(sight=False, brightness=0.0))))

    def until(
        self,
        kind: type[Output] | tuple[type[Output], ...],
        since: int,
        answer: Callable[[], None] = lambda: None,
    ) -> bool:
        """Watch until such an output has come, at most as long as people are patient."""
        began = self.t
        while not any(isinstance(o, kind) for o in self.outs[since:]):
            if self.t - began > PATIENCE:
                return False
            self.watch(1 / FPS)
            answer()
        return True

    # --- a turn ---

    def turn(self, position: Position, side: int, roll: tuple[int, ...], play: Play) -> bool:
        """Roll, perhaps something illegal that is put back, the play, the end. False when all is lost."""
        self.tally.turns += 1
        before, since = self.table, len(self.outs)
        self.dice = dice_lying(self.rng, roll, side)
        if not self.until(Rolled, since):
            self.tally.lost.append(f"{self.name} turn {self.tally.turns}: roll {roll} never counted")
            return False
        if self.rng.random() < self.wrong:
            self.misdeed(
                self.rng.choice(wrongs(self.rng, position, side, roll, self.rules) or [None]), before
            )
        accused = self.accusations()
        self.hops(hop_tables(position, side, play, self.rules))
        if self.rng.random() < 0.1:
            self.blind()
        self.watch(self.rng.uniform(0.6, 2.5))
        self.end(side)
        return self.check(side, roll, play, accused, since)

    def accusations(self) -> int:
        return sum(isinstance(o, IllegalSeen | Noted) for o in self.outs)

    def hops(self, tables: Iterable[Table]) -> None:
        """Checkers moved one after the other, with a hand over the board; sometimes slowly."""
        for table in tables:
            self.watch(self.rng.uniform(0.2, 0.8), hand=True)
            self.table = table
            self.watch(self.rng.uniform(0.2, 0.6), hand=True)
            if self.rng.random() < 0.3:
                self.watch(self.rng.uniform(0.2, 1.5))

    def misdeed(self, wrong: Wrong | None, before: Table) -> None:
        """Do it, wait for the red lamps, put it back."""
        if wrong is None:
            return
        since = len(self.outs)
        self.tally.illegal[wrong.kind] += 1
        self.hops([wrong.table])
        if wrong.at_end:
            self.watch(1.0)
            self.put(TurnEnd(self.t))
        if self.until((IllegalSeen, Noted), since, self.deny):
            self.tally.found[wrong.kind] += 1
            said = next(o for o in self.outs[since:] if isinstance(o, IllegalSeen | Noted))
            self.tally.named[f"{wrong.kind}: {said.finding}"] += 1
        self.hops([before])
        self.watch(1.0)

    def end(self, side: int) -> None:
        """Dice lifted, or the clock; the next throw comes in the next turn."""
        since = len(self.outs)
        if self.rng.random() < 0.3:
            self.put(TurnEnd(self.t))
        self.watch(0.4, hand=True)
        self.dice = ()
        began = self.t
        while not any(isinstance(o, TurnPlayed) for o in self.outs[since:]):
            if self.t - began > PATIENCE:
                return
            self.watch(1 / FPS)
            self.answer(side)

    def answer(self, side: int) -> None:
        """Say which play it was, if that is asked."""
        for index, asked in enumerate(self.state.asked):
            if asked.table[:24] == self.table[:24] and asked.side == side:
                self.tally.asked += 1
                self.put(Chosen(self.t, index))
                return

    def deny(self) -> None:
        """Asked whether it was a play that was not made: say what lies there."""
        if self.state.asked and all(asked.table[:24] != self.table[:24] for asked in self.state.asked):
            self.tally.asked += 1
            self.put(Corrected(self.t, self.table))

    def check(self, side: int, roll: tuple[int, ...], play: Play, accused: int, since: int) -> bool:
        """Compare what was recorded with what was played."""
        where = f"{self.name} turn {self.tally.turns} side {side} roll {roll}"
        if self.accusations() > accused:
            said = [o for o in self.outs if isinstance(o, IllegalSeen | Noted)][accused]
            self.tally.refused.append(f"{where}: {said.finding} at {said.t}")
        played = [o for o in self.outs[since:] if isinstance(o, TurnPlayed)]
        right = table_of(LAYOUT, self.rules, side, play.result)
        if [(o.side, sorted(o.roll), o.after) for o in played] != [(side, sorted(roll), right)]:
            got = [(o.side, o.roll, o.text) for o in played]
            self.tally.lost.append(f"{where}: {play.hops} was played, recorded {got}")
            return False
        return True


def soaked(games: int, most_turns: int = 400, first: int = 0) -> Tally:
    """That many games, the rulesets by turns."""
    tally, all_rules = Tally(), sorted(RULESETS.values(), key=lambda r: r.name)
    for number in range(first, first + games):
        tally.add(Soaked(all_rules[number % len(all_rules)], number, most_turns).play())
    return tally
