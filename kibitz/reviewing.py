"""A recording under review: what was inferred from its looks and from what a person said of single plays.

A person's word is on the disk before anything is inferred from it; then all that comes after it is inferred
again, and the record is written anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from engine.errors import RecordError, RulesError
from engine.notation import format_play, parse_play
from engine.plays import legal_plays
from engine.record import Match
from engine.resolve import apply_hops
from engine.rules import Ruleset, ruleset
from kibitz.batch import BETWEEN_FILES, joined
from kibitz.commands import CommandError
from kibitz.files import write_whole
from kibitz.lang import choose
from kibitz.looks import Recording
from kibitz.recording import Inference, Inferred, match_of
from kibitz.writing import write_record
from referee.events import Setup
from referee.hindsight import Fix, Told
from referee.layout import Layout, table_of
from referee.observation import totals

#: A turn that is farther than this (seconds) from where it was when a person spoke of it has another number.
NEAR = 1.0
#: Rounds in which numbers may shift.
ROUNDS = 3


class Candidate(msgspec.Struct, frozen=True):
    """What a turn may have been: dice, play, and the table after it (28 counts)."""

    dice: tuple[int, ...]
    play: str
    after: tuple[int, ...]


class Play(msgspec.Struct, frozen=True):
    """A turn as it is shown. `t`: since when the dice lay, since when the play did; `fixed`: by a person."""

    side: int
    dice: tuple[int, ...]
    play: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    confidence: float
    t: tuple[float, float]
    others: tuple[Candidate, ...]
    how: str
    illegal: bool
    fixed: bool
    game: int


class Said(msgspec.Struct, frozen=True):
    """A person's word on a turn, and when in the recording that turn was."""

    turn: int
    t: float
    fix: Fix


class Part(msgspec.Struct, frozen=True):
    """A video of the recording, the recording's time at which it begins, and how long it lasts in that time
    (a time lapse lasts longer than its film; 0: it was not read to its end).
    """

    since: float
    source: str
    seconds: float


class Review:
    """One recording. `record` is written after every change; `setup` None: as the recording says."""

    def __init__(self, looks: Path, record: Path, setup: Setup | None = None) -> None:
        """Take up a review where it was left.

        Raises:
            RecordError: no looks, or a file of fixes that cannot be read.
            RulesError: an unknown ruleset.
            OutputError: the record cannot be written.
        """
        self.recording, self.parts = loaded(looks)
        self.record, self._file = record, looks.with_suffix(".fixes.json")
        self.setup = setup or self.recording.head.setup
        self.revision = 0
        self.said = _read(self._file)
        self._inference = Inference(self.recording, self.setup)
        self._again(self.said)

    @property
    def rules(self) -> Ruleset:
        """The game that is played."""
        return ruleset(self.setup.rules)

    @property
    def layout(self) -> Layout:
        """Which way round the board lies."""
        return self.inferred.layout

    @property
    def match(self) -> Match:
        """The match as it stands now."""
        return match_of(self.inferred, self.setup)

    def fix(self, turn: int, fix: Fix) -> None:
        """Turn `turn` was so; all else is inferred again.

        Raises:
            CommandError: there is no such turn, or no such play in it.
            OutputError: nothing could be written.
        """
        told = self._told(turn)
        self._check(told, fix)
        said = Said(turn, told.t[1], fix)
        self._again((*(s for s in self.said if s.turn != turn), said))

    def forget(self, turn: int) -> None:
        """What was said of a turn does not hold."""
        if all(s.turn != turn for s in self.said):
            raise CommandError(f"nothing was said of turn {turn + 1}")
        self._again(tuple(s for s in self.said if s.turn != turn))

    def plays(self) -> tuple[Play, ...]:
        """All turns."""
        fixed = {s.turn for s in self.said}
        return tuple(self._play(told, n in fixed) for n, told in enumerate(self.inferred.story.turns))

    def legal(self, turn: int, dice: Sequence[int]) -> tuple[Candidate, ...]:
        """The legal plays of a turn with these dice.

        Raises:
            CommandError: no such turn, or no roll of this game.
        """
        event = self._told(turn).event
        if len(dice) != self.rules.dice or not all(1 <= die <= 6 for die in dice):
            raise CommandError(f"{tuple(dice)} is no roll of this game: it takes {self.rules.dice} dice")
        roll = tuple(dice)
        return tuple(
            Candidate(roll, format_play(p), table_of(self.layout, self.rules, event.side, p.result))
            for p in legal_plays(event.before, roll, self.rules)
        )

    def _told(self, turn: int) -> Told:
        turns = self.inferred.story.turns
        if turn >= len(turns):
            raise CommandError(f"there is no turn {turn + 1}: the recording has {len(turns)}")
        return turns[turn]

    def _check(self, told: Told, fix: Fix) -> None:
        """Raises CommandError for a play that this turn cannot have been."""
        if fix.dice is not None and len(fix.dice) != self.rules.dice:
            raise CommandError(f"{fix.dice} is no roll of this game: it takes {self.rules.dice} dice")
        if fix.play:
            try:
                parse_play(fix.play, told.event.before, self.rules)
            except RulesError as error:
                raise CommandError(str(error)) from error
        if fix.after is not None and totals(fix.after) != totals(
            table_of(self.layout, self.rules, told.event.side, told.event.before)
        ):
            raise CommandError("checkers are missing on that table, or there are too many")

    def _again(self, said: tuple[Said, ...]) -> None:
        write_whole(self._file, msgspec.json.format(msgspec.json.encode(said), indent=1) + b"\n")
        for _ in range(ROUNDS):
            inferred = self._inference.infer({s.turn: s.fix for s in said})
            before, said = said, renumbered(said, inferred)
            if said == before:
                break
        self.said, self.inferred, self.revision = said, inferred, self.revision + 1
        write_record(self.record, self.match, choose())

    def _play(self, told: Told, fixed: bool) -> Play:
        e = told.event
        before = table_of(self.layout, self.rules, e.side, e.before)
        others = [other for text in told.others if (other := self._other(told, text)) is not None]
        return Play(
            e.side, e.roll, told.text, before, e.after, told.confidence, told.t,
            tuple(o for o in others if (o.dice, o.play) != (e.roll, told.text)), e.how, e.kind == "stood",
            fixed, e.game,
        )  # fmt: skip

    def _other(self, told: Told, text: str) -> Candidate | None:
        """Another possibility, where it can be played from the same position."""
        e = told.event
        dice, _, play = text.rpartition(": ")
        roll = tuple(int(die) for die in dice.split("-")) if dice else e.roll
        try:
            hops = parse_play(play.strip("-"), e.before, self.rules) if play.strip("-") else ()
            result = apply_hops(e.before, hops, self.rules)
        except RulesError:
            return None
        return Candidate(roll, format_play(hops), table_of(self.layout, self.rules, e.side, result))


def _read(file: Path) -> tuple[Said, ...]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=tuple[Said, ...]) if file.exists() else ()
    except (OSError, msgspec.DecodeError) as error:
        raise RecordError(f"{file}: cannot be read ({error}); take it away to begin anew") from error


def renumbered(said: tuple[Said, ...], inferred: Inferred) -> tuple[Said, ...]:
    """Each word with the number that its turn has now: earlier turns may have been found or dropped."""
    times = [line.t[1] for line in inferred.turns]
    found: dict[int, Said] = {}
    for word in said:
        nearest = min(range(len(times)), key=lambda n: abs(times[n] - word.t), default=word.turn)
        here = abs(times[word.turn] - word.t) if word.turn < len(times) else float("inf")
        moved = here > NEAR and abs(times[nearest] - word.t) < NEAR
        found[nearest if moved else word.turn] = replace(word, turn=nearest) if moved else word
    return tuple(found[turn] for turn in sorted(found))


def loaded(looks: Path) -> tuple[Recording, tuple[Part, ...]]:
    """A recording of one video or of several that are one match.

    Raises:
        RecordError: there are no looks, or damaged ones.
    """
    whole = Recording.load(looks)
    parts = [_part(0.0, whole)]
    while (more := looks.with_suffix(f".{len(parts) + 1}.looks")).exists():
        second = Recording.load(more)
        parts.append(_part(whole.until + BETWEEN_FILES, second))
        whole = joined(whole, second)
    return whole, tuple(parts)


def _part(since: float, recording: Recording) -> Part:
    return Part(since, recording.head.source, recording.until if recording.done else 0.0)
