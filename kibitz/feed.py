"""Where a live game's inputs come from: what a feed is, and what it says of its health."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol

from referee.events import Input, Output
from referee.layout import Layout
from referee.verdict import Difference

#: The playing area's corners in a picture, clockwise from its top left, as shares of width and height.
Outline = tuple[tuple[float, float], ...]


class WrongBoard(NamedTuple):
    """A board was found that does not show `table` (24 counts): (place, expected, seen) where it differs."""

    table: tuple[int, ...]
    difference: tuple[Difference, ...]


class Health(NamedTuple):
    """How the source is: `searching ok unplugged frozen dark covered bumped ended`, and detail in words.
    `wrong`: while searching, the start that nearly lies there.
    """

    t: float
    state: str
    detail: str = ""
    fps: float = 0.0
    dropped: int = 0
    wrong: WrongBoard | None = None


class Known(NamedTuple):
    """The positions (28 counts) that the table may show now, to learn or to check a board by."""

    tables: tuple[tuple[int, ...], ...]
    layout: Layout | None = None


Post = Callable[[Input | Health], None]


class Feed(Protocol):
    """A source of inputs. `post` may be called from any thread and blocks while the inbox is full."""

    url: str

    def start(self, post: Post, known: Callable[[], Known], /) -> None:
        """Begin; `known` may be asked from the feed's own thread at any time."""

    def heard(self, made: Iterable[Output]) -> None:
        """What the session made of an input, so that a reader can learn from plays beyond doubt."""

    def picture(self, drawn: bool, /) -> tuple[int, bytes] | None:
        """Number and JPEG of the newest picture, with the reading drawn on it or plain."""

    @property
    def pictures(self) -> int:
        """Number of the newest picture, 0 when there are none."""

    @property
    def outline(self) -> Outline:
        """Where the board lies in the picture; empty while that is not known, and for a feed without one."""

    def place(self, corners: Outline, /) -> bool:
        """Look for the board between these corners; False for a feed without a camera."""

    def close(self) -> None:
        """Stop, and wait for the feed's threads."""
