"""What has happened so far, folded from the session's outputs, and the snapshot that is made of it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from engine.notation import format_play
from firmware_bridge.leds import lamps_of
from kibitz.banner import banner_of, finding_words
from kibitz.feed import Health, Outline, WrongBoard
from kibitz.snapshot import (
    Board,
    Candidate,
    ClockFace,
    Dice,
    FindingLine,
    Match,
    Snapshot,
    SourceHealth,
    TurnLine,
)  # fmt: skip
from kibitz.trainer import Trainer
from kibitz.wizard import question_lines
from kibitz.words import words
from referee.clock import left_at
from referee.events import (
    GameOver,
    IllegalSeen,
    Judged,
    Lit,
    Noted,
    Output,
    PutRight,
    Resumed,
    Resynced,
    Rolled,
    Setup,
    Started,
    Superseded,
    TurnPlayed,
    WrongStart,
)  # fmt: skip
from referee.findings import Finding
from referee.inference import differences
from referee.journal import Entry
from referee.layout import Layout
from referee.signal import Signal
from referee.state import State, expected, roll_judged
from referee.verdict import Difference

#: Counts less likely than this are shown as doubtful.
DOUBTFUL = 0.9
#: So many findings are kept for the page; the journal has them all.
MOST_FINDINGS = 200


class Story:
    """Folds outputs into what a page shows. `pictures`: ids of turns that have one."""

    def __init__(
        self,
        url: str,
        journal: str,
        mode: str = "tournament",
        entries: Iterable[Entry] = (),
        setup: Setup | None = None,
    ) -> None:
        self.url, self.journal, self.mode = url, journal, mode
        self.setup = setup if setup is not None else Setup()
        self.layout: Layout | None = self.setup.layout
        self.health = Health(0.0, "searching")
        self.signal: Signal | None = None
        self.lamps_shown: Signal | None = None
        self.pictures: set[int] = set()
        self.turns: list[TurnLine] = []
        self.findings: list[FindingLine] = []
        self._wrong_start: tuple[Difference, ...] = ()
        self.outline: Outline = ()
        self.restored: tuple[Difference, ...] = ()
        self.over: GameOver | None = None
        self.undone = False
        #: why nothing is recorded just now
        self.failed = ""
        self._revision = 0
        for entry in entries:
            self.take(entry.made)

    def take(self, made: Iterable[Output]) -> None:
        """Fold what came of one input."""
        for output in made:
            self._take(output)

    def _take(self, output: Output) -> None:
        if isinstance(output, TurnPlayed):
            self._turn(output)
        elif isinstance(output, Superseded):
            left = [line for line in self.turns if line.turn < output.turn]
            self.undone, self.turns = len(left) < len(self.turns), left
            self.over = None
        elif isinstance(output, IllegalSeen | Noted):
            self._finding(output)
        elif isinstance(output, PutRight):
            self.findings = [replace(f, open=False) for f in self.findings]
        elif isinstance(output, Lit):
            self.signal = output.signal
        else:
            self._phase(output)

    def _phase(self, output: Output) -> None:
        """Outputs that begin or end something."""
        if isinstance(output, Started):
            self.layout = output.layout
            self.turns, self._wrong_start, self.over = [], (), None
        elif isinstance(output, WrongStart):
            self._wrong_start = output.difference
        elif isinstance(output, GameOver):
            self.over = output
        elif isinstance(output, Resumed):
            self.restored = output.difference
        elif isinstance(output, Rolled | Resynced):
            self.restored, self.undone = (), False
        elif isinstance(output, Judged):
            self.undone = False

    def _turn(self, played: TurnPlayed) -> None:
        self.undone, self.restored = False, ()
        self.turns.append(
            TurnLine(
                played.id,
                played.turn,
                played.side,
                played.roll,
                played.text,
                played.after,
                played.confidence,
                played.t_from,
                played.t_to,
                played.how,
                played.others,
                played.stood_illegal,
            )
        )
        if not played.stood_illegal:
            self.findings = [replace(f, open=False) for f in self.findings]

    def _finding(self, said: IllegalSeen | Noted) -> None:
        line = FindingLine(
            said.t, said.turn, 0 if said.side is None else said.side, said.finding,
            finding_words(said, self.setup, self.layout),
            said.places, said.finding not in (Finding.OPENING_TIE, Finding.FLAG_FELL),
        )  # fmt: skip
        self.findings = [*self.findings, line][-MOST_FINDINGS:]

    @property
    def wrong_start(self) -> tuple[Difference, ...]:
        """Where the table is not the start: as the reader says that learns it, or as the referee read it."""
        return self._wrong_start if self.health.wrong is None else self.health.wrong.difference

    def moved_while_away(self, state: State) -> tuple[Difference, ...]:
        """What lay otherwise when the game was taken up again, and does so still."""
        now = state.rest
        return tuple(d for d in self.restored if now is None or now[d.place] != d.expected)

    # --- the snapshot ---

    def snapshot(self, state: State, t: float, picture: int, trainer: Trainer | None = None) -> Snapshot:
        """All there is to show at time t."""
        self._revision += 1
        lamps = {} if self.lamps_shown is None else lamps_of(self.lamps_shown)
        return Snapshot(
            self._revision, t, phase_of(state, self.health), self.mode, state.setup.policy,
            match_of(state, self.over), state.layout, self._board(state), state.side,
            dice_of(state), banner_of(state, self, trainer), self._source(), clock_of(state, t),
            candidates_of(state), self._lines(), tuple(self.findings), question_lines(state),
            () if trainer is None else trainer.legal, None if trainer is None else trainer.advice,
            {lamp: (style.colour, style.rhythm) for lamp, style in lamps.items()}, picture, self.journal,
            self.outline,
        )  # fmt: skip

    def differs(self, fresh: Snapshot, shown: Snapshot) -> bool:
        """Whether a page must be told: anything but the time and the revision has changed."""
        return _timeless(fresh) != _timeless(shown)

    def _board(self, state: State) -> Board:
        if state.layout is None and self.health.wrong is not None:
            return learning(self.health.wrong)
        return board_of(state, self._difference(state))

    def _lines(self) -> tuple[TurnLine, ...]:
        return tuple(replace(line, picture=line.id in self.pictures) for line in self.turns)

    def _difference(self, state: State) -> tuple[Difference, ...]:
        if state.layout is None:
            return self.wrong_start
        if away := self.moved_while_away(state):
            return away
        if state.trouble:
            return state.trouble
        if state.illegal is not None or self.undone:
            return differences(expected(state), state.rest or expected(state), state.settling.evidence)
        return ()

    def _source(self) -> SourceHealth:
        health = self.health
        if health.state == "searching" and health.detail:
            said = words("no_sight", detail=health.detail)
        else:
            said = words(health.state)
        return SourceHealth(self.url, health.state, said, health.t, health.fps, health.dropped)


def _timeless(shown: Snapshot) -> Snapshot:
    clock = replace(shown.clock, left=(0.0, 0.0), at=0.0, delay=0.0)
    source = replace(shown.source, fps=0.0, dropped=0)
    return replace(shown, revision=0, t=0.0, clock=clock, source=source)


def phase_of(state: State, health: Health) -> str:
    """`searching`, `setup`, `playing`, `adjourned` or `over`."""
    if state.over:
        return "over"
    if state.adjourned:
        return "adjourned"
    if state.layout is not None:
        return "playing"
    return "searching" if health.state == "searching" and health.wrong is None else "setup"


def match_of(state: State, over: GameOver | None) -> Match:
    """Players, score, cube."""
    setup = state.setup
    winner, points = (over.winner, over.points) if over is not None else (None, 0)
    return Match(
        setup.rules, setup.names, setup.length, state.score, state.cube, state.cube_owner, state.offered,
        state.crawford, winner, points,
    )  # fmt: skip


def learning(wrong: WrongBoard) -> Board:
    """The table of a board that is not the start yet."""
    table = (*wrong.table, 0, 0, 0, 0)
    seen = {d.place: d.seen for d in wrong.difference}
    return Board(table, tuple(seen.get(i, n) for i, n in enumerate(table)), difference=wrong.difference)


def board_of(state: State, difference: tuple[Difference, ...]) -> Board:
    """What should lie there and what is seen."""
    settling = state.settling
    should: tuple[int, ...] = (0,) * 28
    if state.layout is not None:
        should = expected(state)
    elif state.setup.start is not None:
        should = state.setup.start
    if not settling.at_rest:
        return Board(should, None, difference=difference)
    evidence = settling.evidence
    seen = tuple(evidence.best(i) if evidence.seen(i) else should[i] for i in range(28))
    doubt = tuple(i for i in range(28) if evidence.seen(i) and evidence.log_p(i, seen[i]) < -0.105)
    return Board(should, seen, doubt, tuple(i for i in range(28) if not evidence.seen(i)), difference)


def dice_of(state: State) -> Dice:
    """The roll of this turn, as it is judged."""
    roll, how = roll_judged(state)
    return Dice(roll, how, Finding.COCKED_DICE in state.noted)


def clock_of(state: State, t: float) -> ClockFace:
    """Both sides' time."""
    clock = state.clock
    free = 0.0
    if clock.running is not None and clock.rule.kind == "delay":
        free = max(0.0, clock.rule.extra - (t - clock.since))
    return ClockFace(clock.rule.kind, left_at(clock, t), t, clock.running, round(free, 3), clock.flag)


def candidates_of(state: State) -> tuple[Candidate, ...]:
    """The plays that are asked about."""
    return tuple(Candidate(i, format_play(c.play), c.roll, c.table) for i, c in enumerate(state.asked))
