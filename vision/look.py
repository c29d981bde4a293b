"""One look at a board that has been learned: picture → Observation."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import partial

from referee.observation import UNSEEN, Belief, Die, Observation, Quality
from vision.dice import find_dice, prepared
from vision.dice_view import DiceView
from vision.geometry import BoardGeometry, Image
from vision.hands import hidden_points, reaching_in
from vision.learned import LearnedBoard, bar_probabilities, strip_probabilities
from vision.runs import bar_beliefs, hidden, point_belief
from vision.strips import STRIPS, Array, Cells, cells, has_bar
from vision.unchanged import (
    Known,
    Mask,
    bar_changed,
    box_of,
    changed_cells,
    changed_points,
    kept_dice,
    renewed,
    to_ignore,
    to_look_at,
)

#: A picture darker than this (mean of 0-1) cannot be judged.
DARK = 0.03
#: Dice lie at least this far apart (shares of the field).
SAME_PLACE = 0.025
#: So many dice are told although a hand is over the board.
PAIR = 2


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen, the reduced view it was seen in, and what the next look may take over."""

    observation: Observation
    view: Cells
    known: Known


def take_look(
    t: float,
    image: Image,
    board: BoardGeometry,
    learned: LearnedBoard,
    clean: Array | None,
    known: Known | None = None,
    beside: Executor | None = None,
) -> Sight:
    """Read points, bar and dice of one picture; what a hand covers (against the `clean` view) is not read,
    and what has not changed since it was `known` is taken over. The dice may be read `beside` the points, by
    one more thread.
    """
    # the dice's view does not need to know what changed
    ready = None if beside is None else beside.submit(prepared, image, board)
    view = cells(image, board)
    brightness = float(view.values[:, :, 0].mean()) / 100.0
    quality = Quality(sight=brightness > DARK, brightness=round(brightness, 3))
    changed = None if known is None else changed_cells(view, known)
    find = partial(_dice, image, board, known, changed, ready)
    thrown = None if beside is None else beside.submit(find)
    covered = _covered(view, clean, quality)
    points, bar, values = _places(learned, view, known, changed)
    points = tuple(UNSEEN if i in covered else b for i, b in enumerate(points))
    bar = (UNSEEN, UNSEEN) if covered & {5, 6, 17, 18} else bar
    dice: tuple[Die, ...] | None = find() if thrown is None else thrown.result()
    if len(covered) == STRIPS or (covered and len(dice or ()) < PAIR):
        dice = None  # more may lie under the hand
    seen = Observation(t, points, bar, dice=dice, quality=quality)
    return Sight(seen, view, Known(values, points, bar, dice))


def _covered(view: Cells, clean: Array | None, quality: Quality) -> frozenset[int]:
    """Points that cannot be seen: all in the dark, else those under a hand."""
    if not quality.sight:
        return frozenset(range(STRIPS))
    return frozenset() if clean is None else hidden_points(reaching_in(view, clean), view)


Places = tuple[tuple[Belief, ...], tuple[Belief, Belief], Array]


def _places(learned: LearnedBoard, view: Cells, known: Known | None, changed: Mask | None) -> Places:
    """Points and bar, only those read that changed, with the cells in which each was read."""
    if known is None or changed is None:
        return (*board_beliefs(learned, view), view.values)
    strips = changed_points(changed, view, known)
    points = list(known.points)
    for strip, belief in zip(strips, points_read(learned, view, strips), strict=True):
        points[strip] = belief
    again = bar_changed(changed, view, known)
    bar = bar_read(learned, view) if again else known.bar
    return tuple(points), bar, renewed(known, view, changed, strips, bar=again)


def _dice(
    image: Image,
    board: BoardGeometry,
    known: Known | None,
    changed: Mask | None,
    ready: Future[DiceView] | None,
) -> tuple[Die, ...]:
    """The dice, only those read anew that may be new or others; `ready` is what to look at."""
    kept = None if known is None or changed is None else kept_dice(changed, known)
    view = None if ready is None else ready.result()
    if known is None or changed is None or kept is None:
        return find_dice(image, board, view=view)
    look = to_look_at(changed, known, kept)
    if not look.any():
        return kept
    found = find_dice(image, board, to_ignore(look), within=box_of(look), view=view)
    return kept + tuple(die for die in found if not any(_one(die, old) for old in kept))


def _one(die: Die, other: Die) -> bool:
    """Whether two readings are of one die."""
    return abs(die.x - other.x) < SAME_PLACE and abs(die.y - other.y) < SAME_PLACE


def board_beliefs(learned: LearnedBoard, view: Cells) -> tuple[tuple[Belief, ...], tuple[Belief, Belief]]:
    """Beliefs in the 24 points and in the bar (light, dark); UNSEEN where the look is unlike anything
    known.
    """
    return points_read(learned, view, range(STRIPS)), bar_read(learned, view)


def points_read(learned: LearnedBoard, view: Cells, strips: Sequence[int]) -> tuple[Belief, ...]:
    """Beliefs in some of the points."""
    points = strip_probabilities(learned, view, strips)
    return tuple(
        UNSEEN if hidden(rows) else point_belief(rows, learned.discs[s // 12])
        for s, rows in zip(strips, points, strict=True)
    )


def bar_read(learned: LearnedBoard, view: Cells) -> tuple[Belief, Belief]:
    """Beliefs in light's and dark's checkers on the bar; UNSEEN without a bar."""
    if not has_bar(view.board):
        return UNSEEN, UNSEEN
    return bar_beliefs(bar_probabilities(learned, view), learned.discs[0])


def best_counts(beliefs: Sequence[Belief]) -> tuple[int, ...]:
    """The likeliest counts."""
    return tuple(b.best for b in beliefs)
