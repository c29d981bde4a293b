"""Whose checkers: the two sets are told apart on this board, not by what is light or dark in itself.

Each point's checkers give one colour. Two groups of colours are fitted together with the light's fall-off
over the
table; the group that is lighter is called light. Nobody has more than fifteen checkers, which helps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import erf, exp

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
#: Colours of one set differ by at least this much (CIE Lab) on a real board.
SPREAD = 5.0
#: Groups closer than this are one set.
ONE_SET = 12.0
#: Most checkers of a side, and what each one more costs (in squared spreads).
SIDE, EXCESS = 15.0, 1.5
#: Nothing about a colour is surer than this, and less so the fewer colours (squared) were seen.
SUREST, SCARCE = 0.9995, 0.1
#: How much the light's fall-off is held back: as if this many checkers said there is none.
HOLD = 4.0
ROUNDS, STARTS = 5, 14
#: Glare mixes a colour with white, shade takes light away (shares); both are rare, and looser than plain.
WHITE = np.array([97.0, 0.0, 0.0])
GLARES = np.array([0.0, 0.15, 0.3, 0.45, 0.6, 0.75])
SHADES = np.array([0.85, 0.7, 0.55, 0.4])
#: What they cost (in squared spreads): at all, and by how much of them; and how much looser they are (Lab).
RARE, PRICE, LOOSE = 5.0, 0.35, 16.0
#: Evidence grows with the logarithm of the difference from here on: an odd colour proves little.
TAIL = 20.0
#: Variance of lightness (L*) within a set, as if one more of its points had been seen to vary so much; and
#: how much wider the difference's errors are than that says. Fitted on 483 drawn boards of nearly equal sets,
#: on which the set that is lighter in the picture is the light one.
VARIED, WIDER = 16.0, 1.4
#: Two groups so far apart are as often one set under uneven light, and how soon that changes; told on drawn
#: boards that hold one side's checkers only. Nobody has more than `SIDE`, so more are surely two sets.
SPLIT, SOON = 20.0, 2.5
#: A set that is alone is as often light as dark at this L*, and how soon that changes.
MIDDLE, MILD = 46.0, 9.5
#: Spread of a set of which only few checkers were seen, as if this many more were `SPREAD` off.
FEW = 2.0


def looks_of(colour: Array, spread: float) -> tuple[Array, Array, Array]:
    """How a checker of a colour may look: plain, under glare, in the shade (K × 3); their costs, spreads
    (K).
    """
    glare = colour + GLARES[:, None] * (WHITE - colour)
    foot = np.array([16.0, 0.0, 0.0])
    shade = (colour + foot) * np.cbrt(SHADES)[:, None] - foot
    how_much = np.concatenate([GLARES, 1 - SHADES])
    loose = np.hypot(spread, LOOSE * how_much)
    price = (how_much / PRICE) ** 2 + RARE * (how_much > 0) + 6 * np.log(loose)
    return np.concatenate([glare, shade]), price, loose


@dataclass(frozen=True)
class Groups:
    """Two colours (light first), the light's slope in L* over x and y (-1 … 1), spreads, how many colours,
    by how many standard errors the first set's checkers are lighter, and how many checkers there are.
    """

    colours: Array
    slope: Array
    spreads: Array
    seen: int
    lighter: float
    men: float = 2 * SIDE

    @property
    def named(self) -> float:
        """Probability that the first set is the one to be called light; one half where they are one set."""
        two = 1.0 if self.men > SIDE + 0.5 else 1 / (1 + exp((SPLIT - self.apart) / SOON))
        return 0.5 + 0.5 * two * erf(self.lighter / WIDER / 2**0.5)

    @property
    def apart(self) -> float:
        """How far the two sets' colours are from each other."""
        return float(np.linalg.norm(self.colours[0] - self.colours[1]))

    def costs(self, lab: Array, at: Array) -> Array:
        """How badly colours (N × 3) seen at places (N × 2) fit each set: N × 2, in squared spreads."""
        level = levelled(lab, at, self.slope)
        out = np.empty((len(lab), 2))
        for k in range(2):
            looks, price, loose = looks_of(self.colours[k], float(self.spreads[k]))
            far = ((level[:, None, :] - looks) ** 2).sum(axis=2) / loose**2
            out[:, k] = (far + price).min(axis=1)
        return np.asarray(out - 6 * np.log(3.0))

    def light(self, lab: Array, at: Array) -> Array:
        """Probability that colours (N × 3) seen at places (N × 2) are of the first set, the light one."""
        told = TAIL * np.log1p(self.costs(lab, at) / TAIL)
        first = 1 / (1 + np.exp(-(told[:, 1] - told[:, 0]) / 2))
        surest = SUREST - SCARCE / self.seen**2
        return np.asarray(np.clip(first, 1 - surest, surest), np.float64)


@dataclass(frozen=True)
class OneSet:
    """All checkers are of one side, and the probability that it is this one: one doubt for all of them."""

    is_light: bool
    named: float

    def light(self, lab: Array, _at: Array) -> Array:
        """Probability that colours (N × 3) are of the light set, if the naming is right."""
        return np.full(len(lab), SUREST if self.is_light else 1 - SUREST)


Sets = Groups | OneSet


def levelled(lab: Array, at: Array, slope: Array) -> Array:
    """Colours without the light's fall-off."""
    out = lab.copy()
    out[:, 0] -= at @ slope
    return out


def middle(values: Array, weight: Array) -> Array:
    """Weighted median of each column."""
    out = np.empty(values.shape[1])
    for k in range(values.shape[1]):
        order = np.argsort(values[:, k])
        share = np.cumsum(weight[order])
        out[k] = values[order[np.searchsorted(share, share[-1] / 2)], k]
    return out


def nearest(lab: Array, at: Array, colours: Array, slopes: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Squared distances (S × N, in squared spreads) to the nearer of two colours; whether it is the first.

    For S groupings at once: colours S × 2 × 3, slopes S × 2.
    """
    level = np.repeat(lab[None], len(colours), axis=0)
    level[:, :, 0] -= slopes @ at.T
    far = ((level[:, :, None, :] - colours[:, None]) ** 2).sum(axis=3) / SPREAD**2
    # A far-off colour is glare or dirt: it costs no more than twenty-five.
    return np.minimum(far.min(axis=2), 25.0), far[:, :, 0] < far[:, :, 1]


def fitted(lab: Array, at: Array, weight: Array, owner: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Colours of two groups (S × 2 × 3) and the slope of L* they share (S × 2): weighted least squares."""
    share = np.stack([owner, ~owner], axis=1) * weight
    share /= np.maximum(share.sum(axis=2, keepdims=True), 1e-9)
    colours, middles = share @ lab, share @ at
    own = np.where(owner, 0, 1)
    rows = np.arange(len(owner))[:, None]
    rest = (lab[:, 0] - colours[rows, own, 0]) * weight
    off = at - middles[rows, own]
    square = np.einsum("snx,n,sny->sxy", off, weight, off) + HOLD * np.eye(2)
    slopes = np.linalg.solve(square, np.einsum("snx,sn->sx", off, rest)[:, :, None])[:, :, 0]
    colours[:, :, 0] -= np.einsum("skx,sx->sk", middles, slopes)
    return colours, slopes


def starts(lab: Array) -> NDArray[np.intp]:
    """Pairs of colours to start from (S × 2): the ones farthest apart, and some between."""
    pairs = np.array(list(combinations(range(len(lab)), 2)))
    far = np.linalg.norm(lab[pairs[:, 0]] - lab[pairs[:, 1]], axis=1)
    chosen = np.argsort(-far)[np.unique(np.linspace(0, len(pairs) - 1, STARTS).astype(int))]
    return np.asarray(pairs[chosen], np.intp)


def grouped(lab: Array, at: Array, weight: Array) -> Groups | None:
    """Fit two groups to N colours (CIE Lab) at N places (x, y in -1 … 1); None when there are not two.

    `weight` is how many checkers each stands for.
    """
    if len(lab) < 2:
        return None
    colours = lab[starts(lab)]
    slopes = np.zeros((len(colours), 2))
    for _ in range(ROUNDS):
        _, owner = nearest(lab, at, colours, slopes)
        both = owner.any(axis=1) & ~owner.all(axis=1)
        if both.any():
            colours[both], slopes[both] = fitted(lab, at, weight, owner[both])
    far, owner = nearest(lab, at, colours, slopes)
    sides = np.stack([owner @ weight, ~owner @ weight])
    cost = far @ np.sqrt(weight) + EXCESS * np.maximum(sides - SIDE - 0.5, 0).sum(axis=0)
    best = int(cost.argmin())
    men = float(weight.sum())
    groups = Groups(colours[best], slopes[best], np.full(2, SPREAD), len(lab), 0.0, men)
    for _ in range(2):
        groups = settled(groups, lab, at, weight)
    return named(groups, lab, at, weight) if groups.apart > ONE_SET else None


def named(groups: Groups, lab: Array, at: Array, weight: Array) -> Groups:
    """The set whose checkers are lighter first. Means tell that better than middle colours, which jump."""
    first = groups.costs(lab, at).argmin(axis=1) == 0
    level = levelled(lab, at, groups.slope)[:, 0]
    (one, off), (two, other) = (
        lightness(level[own], weight[own], float(usual))
        for own, usual in zip((first, ~first), groups.colours[:, 0], strict=True)
    )
    lighter = float((one - two) / np.hypot(off, other))
    way = 1 if lighter >= 0 else -1
    colours, spreads = groups.colours[::way].copy(), groups.spreads[::way].copy()
    return replace(groups, colours=colours, spreads=spreads, lighter=abs(lighter))


def lightness(level: Array, weight: Array, usual: float) -> tuple[float, float]:
    """Mean lightness of a set's points and its standard error; `usual` where the set has no point."""
    if not len(level):
        return usual, VARIED**0.5
    mean = float(np.average(level, weights=weight))
    varied = float(np.average((level - mean) ** 2, weights=weight)) * len(level)
    return mean, float(np.sqrt((varied + VARIED) / (len(level) + 1) / len(level)))


def settled(groups: Groups, lab: Array, at: Array, weight: Array) -> Groups:
    """Each set's middle colour and spread once more, from the colours that fit it best."""
    costs, level = groups.costs(lab, at), levelled(lab, at, groups.slope)
    owner = costs.argmin(axis=1)
    colours, spreads = groups.colours.copy(), groups.spreads.copy()
    for k in range(2):
        own = owner == k
        if own.any():
            colours[k] = middle(level[own], weight[own])
            off = np.median(np.linalg.norm(level[own] - colours[k], axis=1))
            number = float(own.sum())
            spreads[k] = np.clip((number * off + FEW * SPREAD) / (number + FEW), 3.0, 12.0)
    return replace(groups, colours=colours, spreads=spreads)


def face_colour(lab: Array, faces: Array) -> tuple[Array, float]:
    """The colour of the cells that are faces (cells × 3, cells), and how many they are.

    Taken from the cells below middle lightness, where glare is least, but not from the very darkest.
    """
    sure = faces > min(0.5, 0.7 * float(faces.max()))
    if not sure.any():
        return np.zeros(3), 0.0
    own = lab[sure]
    order = np.argsort(own[:, 0])
    low, high = len(own) // 5, max(len(own) // 2, 1)
    return own[order[low : max(high, low + 1)]].mean(axis=0), float(faces[sure].sum())


def alone(lab: Array, weight: Array) -> OneSet:
    """The only set on the table (N colours, so many checkers each): its lightness must tell whose it is."""
    if not weight.sum():
        return OneSet(True, 1.0)
    light = 1 / (1 + exp((MIDDLE - float(np.average(lab[:, 0], weights=weight))) / MILD))
    return OneSet(light > 0.5, max(light, 1 - light))


def sets_in(lab: Array, at: Array, weight: Array) -> Sets:
    """The sets that N colours (CIE Lab) at N places are of, see `grouped`: two, or one."""
    return grouped(lab, at, weight) or alone(lab, weight)
