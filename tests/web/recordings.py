"""A recording in which one play cannot be told: its looks are made by hand, its film shows nothing."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from engine.notation import parse_play
from engine.position import turned
from engine.resolve import resolve
from engine.rules import BACKGAMMON
from kibitz.looks import SCHEMA, Done, Head, Recording
from referee.events import Seen, Setup, Still
from referee.layout import Layout, table_of
from referee.observation import UNSEEN, Die, Observation
from tests.kibitz.films import plain, write_video
from tests.referee.tables import dice_at, look
from vision.geometry import BoardGeometry

Table = tuple[int, ...]
#: What was played. Light's eight to four points lie under a cup from the third play on, so that it may also
#: have been 13/9 6/5, and then the fifth was 8/4 5/3.
PLAYS = (
    ((6, 5), "24/13"), ((3, 1), "8/5 6/5"), ((4, 1), "13/9 8/7"), ((6, 5), "13/8 13/7"), ((4, 2), "8/6 7/3"),
)  # fmt: skip
GUESSED = ["24/13", "8/5 6/5", "13/9 6/5", "13/8 13/7", "8/4 5/3"]
DOUBTFUL, FOLLOWS = 2, 4
CUP = range(16, 21)
#: Seconds of a turn: dice on the table, play on the table, dice lifted.
TURN = 3.0


def tables() -> list[tuple[int, ...]]:
    """The table before the first play and after each."""
    position, side, found = BACKGAMMON.start, 0, [table_of(Layout(), BACKGAMMON, 0, BACKGAMMON.start)]
    for roll, text in PLAYS:
        play = resolve(position, roll, parse_play(text, position))
        assert play is not None, text
        found.append(table_of(Layout(), BACKGAMMON, side, play.result))
        position, side = turned(play.result, BACKGAMMON), 1 - side
    return found


def recording(folder: Path) -> Path:
    """Write looks and film; gives the file of looks."""
    film = write_video(folder / "game.mp4", (plain(40 + 2 * n) for n in range(90)), fps=5)
    lying, items, t = tables(), [], 1.0
    items += _lying(t, lying[0], (), hidden=False)
    for number, (roll, _) in enumerate(PLAYS):
        hidden, dice = number >= DOUBTFUL, dice_at(roll, number % 2, 0.02 * number)
        items += _lying(t + 1.0, lying[number], dice, hidden=number > DOUBTFUL)
        items += _lying(t + 2.0, lying[number + 1], dice, hidden=hidden)
        items += _lying(t + 3.0, lying[number + 1], (), hidden=hidden)
        t += TURN
    board = BoardGeometry(((10.0, 10.0), (630.0, 10.0), (630.0, 350.0), (10.0, 350.0)))
    setup = Setup(names=("Anna", "Boris"))
    head = Head(SCHEMA, "0", f"file:{film}", "", setup, board, lying[0][:24], 0.0)
    looks = folder / "game.looks"
    Recording(head, (*items, Done(t + 2.0))).save(looks)
    return looks


def _lying(t: float, table: Table, dice: tuple[Die, ...], *, hidden: bool) -> list[Seen | Still]:
    seen = [look(t + 0.2 * n, table, dice) for n in range(4)]
    if hidden:
        seen = [_under_the_cup(shown) for shown in seen]
    return [*(Seen(shown) for shown in seen), Still(t + 0.8)]


def _under_the_cup(shown: Observation) -> Observation:
    points = tuple(UNSEEN if place in CUP else belief for place, belief in enumerate(shown.points))
    return replace(shown, points=points)
