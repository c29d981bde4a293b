"""A feed with the lamps and buttons of another board beside it: a camera with the club kit, say."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kibitz.board_feed import BoardFeed
from kibitz.feed import Feed, Health, Known, Outline, Post
from referee.events import ClockPressed, Input, Output, RollGiven, TurnEnd


class JoinedFeed:
    """`feed` sees the table; of the board only presses and typed rolls are heard."""

    def __init__(self, feed: Feed, board: BoardFeed) -> None:
        self.url = feed.url
        self._feed, self._board = feed, board

    def start(self, post: Post, known: Callable[[], Known]) -> None:
        def presses_only(item: Input | Health) -> None:
            if isinstance(item, RollGiven | TurnEnd | ClockPressed):
                post(item)

        self._feed.start(post, known)
        self._board.start(presses_only, known)

    def heard(self, made: Iterable[Output]) -> None:
        self._feed.heard(made)

    def picture(self, drawn: bool) -> tuple[int, bytes] | None:
        return self._feed.picture(drawn)

    @property
    def pictures(self) -> int:
        return self._feed.pictures

    @property
    def outline(self) -> Outline:
        return self._feed.outline

    def place(self, corners: Outline) -> bool:
        return self._feed.place(corners)

    def close(self) -> None:
        self._board.close()
        self._feed.close()
