"""One look at a board that has been learned: picture → Observation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.observation import UNSEEN, Belief, Die, Observation, Quality
from vision.dice import find_dice
from vision.geometry import BoardGeometry, Image
from vision.hands import hidden_points, reaching_in
from vision.learned import LearnedBoard, strip_probabilities
from vision.runs import bar_beliefs, hidden, point_belief
from vision.strips import STRIPS, Array, Cells, cells, has_bar

#: A picture darker than this (mean of 0-1) cannot be judged.
DARK = 0.03


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen and the reduced view it was seen in."""

    observation: Observation
    view: Cells


def take_look(
    t: float, image: Image, board: BoardGeometry, learned: LearnedBoard, clean: Array | None
) -> Sight:
    """Read points, bar and dice of one picture; what a hand covers (against the `clean` view) is not read."""
    view = cells(image, board)
    brightness = float(view.values[:, :, 0].mean()) / 100.0
    quality = Quality(sight=brightness > DARK, brightness=round(brightness, 3))
    covered = frozenset(range(STRIPS)) if not quality.sight else frozenset[int]()
    bar_covered = not quality.sight
    if clean is not None and quality.sight:
        mask = reaching_in(view, clean)
        covered = hidden_points(mask, view)
        bar_covered = bool(covered & {5, 6, 17, 18})
    points, bar = board_beliefs(learned, view)
    points = tuple(UNSEEN if i in covered else b for i, b in enumerate(points))
    dice = tuple(_rounded(d) for d in find_dice(image, board)) if quality.sight else None
    seen = Observation(
        t, points, (UNSEEN, UNSEEN) if bar_covered else bar, dice=None if covered else dice, quality=quality
    )
    return Sight(seen, view)


def _rounded(die: Die) -> Die:
    """Digits that mean something: journals are read by people too."""
    return Die(die.value, round(float(die.p), 4), round(float(die.x), 4), round(float(die.y), 4), die.cocked)


def board_beliefs(learned: LearnedBoard, view: Cells) -> tuple[tuple[Belief, ...], tuple[Belief, Belief]]:
    """Beliefs in the 24 points and in the bar (light, dark); UNSEEN where the look is unlike anything
    known.
    """
    points, bar = strip_probabilities(learned, view)
    beliefs = tuple(
        UNSEEN if hidden(points[s]) else point_belief(points[s], learned.discs[s // 12])
        for s in range(STRIPS)
    )
    if not has_bar(view.board):
        return beliefs, (UNSEEN, UNSEEN)
    return beliefs, bar_beliefs(bar, learned.discs[0])


def best_counts(beliefs: Sequence[Belief]) -> tuple[int, ...]:
    """The likeliest counts."""
    return tuple(b.best for b in beliefs)
