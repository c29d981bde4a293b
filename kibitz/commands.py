"""What a person may ask of a running game, as strict JSON: `{"do": "dice", "roll": [3, 1]}`.

`docs/live-api.md` tells what each does.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

import msgspec

from engine.errors import KibitzError

T = TypeVar("T")

Side = Annotated[int, msgspec.Meta(ge=0, le=1)]
Pips = Annotated[int, msgspec.Meta(ge=1, le=6)]
Roll = Annotated[tuple[Pips, ...], msgspec.Meta(min_length=1, max_length=3)]
Counts = Annotated[
    tuple[Annotated[int, msgspec.Meta(ge=-15, le=15)], ...], msgspec.Meta(min_length=28, max_length=28)
]
#: A place in the picture as shares of its width and height.
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Spot = tuple[Share, Share]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=86400)]


class CommandError(KibitzError, ValueError):
    """A command that cannot be carried out now, or is none."""


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Something that a page asks for; each kind has its name under `do`."""


class Correct(Asked, frozen=True, tag="correct"):
    """What lies on the table now, all 28 signed counts: the reading was wrong."""

    table: Counts


class Dice(Asked, frozen=True, tag="dice"):
    """The roll of this turn: typed, or put right."""

    roll: Roll


class Amend(Asked, frozen=True, tag="amend"):
    """Another roll or play for a turn of the record; the turns after it are judged again."""

    turn: Annotated[int, msgspec.Meta(ge=0)]
    roll: Roll | None = None
    play: Annotated[str, msgspec.Meta(max_length=80)] | None = None


class Undo(Asked, frozen=True, tag="undo"):
    """Take the last turn of the record back."""


class Resync(Asked, frozen=True, tag="resync"):
    """Go on from the table as it lies (or from `table`), with `side` to roll."""

    table: Counts | None = None
    side: Side | None = None


class Adjourn(Asked, frozen=True, tag="adjourn"):
    """Stop the clock and look away until `resume`."""


class Resume(Asked, frozen=True, tag="resume"):
    """Go on; the table is compared with the record first."""


class Resign(Asked, frozen=True, tag="resign"):
    """`side` gives up; `points` is what the game is worth without the cube (1-3, 8 at most)."""

    side: Side
    points: Annotated[int, msgspec.Meta(ge=1, le=15)] = 1


class LetStand(Asked, frozen=True, tag="let_stand"):
    """Both players let the illegal play stand."""


class EndTurn(Asked, frozen=True, tag="end_turn"):
    """The mover is done: the confirm button."""


class PressClock(Asked, frozen=True, tag="clock"):
    """`side` has pressed its clock: its turn is over and the other clock runs."""

    side: Side


class Choose(Asked, frozen=True, tag="choose"):
    """One of the snapshot's `candidates`, by its index."""

    index: Annotated[int, msgspec.Meta(ge=0, le=99)]


class Cube(Asked, frozen=True, tag="cube"):
    """`double` by the side to roll; `take` or `drop` by the other."""

    act: Annotated[str, msgspec.Meta(pattern="^(double|take|drop)$")]


class NextGame(Asked, frozen=True, tag="next_game"):
    """After a game: set up the next one of the match."""


class Answer(Asked, frozen=True, tag="answer"):
    """Answers of the set-up wizard; what is left out stays. Only before the first roll."""

    rules: Name | None = None
    names: tuple[Name, Name] | None = None
    length: Annotated[int, msgspec.Meta(ge=0, le=99)] | None = None
    policy: Annotated[str, msgspec.Meta(pattern="^(legal|responsible|stands)$")] | None = None
    clock: Annotated[str, msgspec.Meta(pattern="^(none|delay|fischer)$")] | None = None
    seconds: Seconds | None = None
    increment: Seconds | None = None
    start: Counts | None = None
    side: Side | Literal["opening"] | None = None
    layout: Annotated[str, msgspec.Meta(pattern="^(seen|(right|left) (bottom|top))$")] | None = None


class Place(Asked, frozen=True, tag="place"):
    """The corners of the playing area in the camera's picture, clockwise from its top left, set by hand."""

    corners: tuple[Spot, Spot, Spot, Spot]


class PlayAnyway(Asked, frozen=True, tag="play_anyway"):
    """Trainer: the mover keeps the play that was warned of (a weak one stands, an illegal one does not)."""


class TakeBack(Asked, frozen=True, tag="take_back"):
    """Trainer: the mover takes the play back; the lamps show where the checkers were."""


Command = (
    Correct | Dice | Amend | Undo | Resync | Adjourn | Resume | Resign | LetStand | EndTurn | PressClock |
    Choose
    | Cube | NextGame | Answer | Place | PlayAnyway | TakeBack
)  # fmt: skip

_decoder: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
#: A command is never longer than this, in bytes.
LONGEST = 4096


def parse_command(data: bytes | str) -> Command:
    """A command from its JSON.

    Raises:
        CommandError: see `decoded`.
    """
    return decoded(_decoder, data)


def decoded(decoder: msgspec.json.Decoder[T], data: bytes | str) -> T:
    """A command of one kind or another from its JSON.

    Raises:
        CommandError: too long, no JSON, an unknown command or field, or a value out of range; says which.
    """
    if len(data) > LONGEST:
        raise CommandError(f"a command of {len(data)} bytes; the longest is {LONGEST}")
    try:
        return decoder.decode(data)
    except msgspec.DecodeError as error:
        raise CommandError(f"no command: {error}; see docs/live-api.md") from error
    except UnicodeDecodeError as error:
        raise CommandError("no command: not UTF-8 text; see docs/live-api.md") from error
