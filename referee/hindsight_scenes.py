"""A recording's looks, put together: scenes in which the table lay still, and the throws seen in them.

Unlike the live referee a recording may use looks from after the moment: a throw's faces are voted on by all
looks at it, and a scene is what all its looks agree on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from referee.events import Seen, Still
from referee.evidence import Evidence, add, contradicts
from referee.observation import Die, Observation
from referee.throws import ballot_of, lies_at, sure_dice

#: Looks at the same die share their errors: so often its face is another one, however often it was read.
MISREAD_DIE = 0.02
#: Rolls less likely than this are not thought of.
LEAST_ROLL = 0.002

FACES = 6

Ballot = tuple[float, ...]
#: For each true face how often each is read: rows of shares.
Confusion = tuple[Ballot, ...]

#: What is true of good dice and a good reader.
PLAIN: Confusion = tuple(
    tuple((1 - MISREAD_DIE) * (face == read) + MISREAD_DIE / FACES for read in range(FACES))
    for face in range(FACES)
)


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice that lay still: where, the votes for each face, when first and last seen, in how many looks."""

    places: tuple[tuple[float, float], ...]
    votes: tuple[Ballot, ...]
    since: float
    until: float
    looks: int

    def rolls(self, dice: int, confusion: Confusion = PLAIN) -> tuple[tuple[tuple[int, ...], float], ...]:
        """The rolls it may be (dice in falling order) with their shares, likeliest first.

        A die that was never read may show any face.
        """
        shares = [_shares(ballot, confusion) for ballot in self.votes[:dice]]
        shares += [(1 / FACES,) * FACES] * (dice - len(shares))
        found: dict[tuple[int, ...], float] = {}
        for faces in product(range(FACES), repeat=dice):
            p = 1.0
            for share, face in zip(shares, faces, strict=True):
                p *= share[face]
            roll = tuple(sorted((face + 1 for face in faces), reverse=True))
            found[roll] = found.get(roll, 0.0) + p
        likely = sorted(found.items(), key=lambda row: (-row[1], row[0]))
        least = LEAST_ROLL if len(self.votes) >= dice else 0.0
        return tuple((roll, p) for roll, p in likely if p >= least)


@dataclass(frozen=True, slots=True)
class Scene:
    """The table as it lay from `since` until `until`; `throw` is the index of the last throw seen, or -1.

    `bare`: at the end no dice lay on the table. `step`: the least time between two looks in it.
    """

    since: float
    until: float
    evidence: Evidence
    throw: int
    bare: bool = False
    step: float = 0.0

    @property
    def rested(self) -> float:
        """Seconds for which it was seen to lie so."""
        return self.until - self.since

    @property
    def lain(self) -> float:
        """Seconds for which it is likely to have lain so: half a step more at both ends."""
        return self.rested + self.step

    def longer(self, t: float) -> Scene:
        """The same scene, seen until `t`."""
        step = t - self.until if t > self.until else self.step
        return replace(self, until=t, step=min(step, self.step or step))


class Throws:
    """Throws by their numbers; those before number `earlier` are forgotten."""

    def __init__(self, known: Sequence[Throw] = (), earlier: int = 0) -> None:
        self.earlier = earlier
        self._known = list(known)

    def __len__(self) -> int:
        """How many there were, with the forgotten ones."""
        return self.earlier + len(self._known)

    def __getitem__(self, number: int) -> Throw:
        return self._known[number - self.earlier]

    @property
    def last(self) -> Throw | None:
        """The one that was begun last."""
        return self._known[-1] if self._known else None

    def begin(self, throw: Throw) -> None:
        """Another throw."""
        self._known.append(throw)

    def go_on(self, throw: Throw) -> None:
        """The last one, as it is known now."""
        self._known[-1] = throw

    def forget(self, before: int) -> None:
        """Nobody asks about earlier throws any more."""
        del self._known[: max(before - self.earlier, 0)]
        self.earlier = max(before, self.earlier)


@dataclass(slots=True)
class Gathering:
    """Scenes and throws as they grow, look by look; only the last of each still changes."""

    dice: int
    scenes: list[Scene] = field(default_factory=list)
    throws: Throws = field(default_factory=Throws)
    open: bool = False

    def take(self, given: Seen | Still) -> None:
        """One more look, or a moment in which nothing changed."""
        if isinstance(given, Still):
            self._goes_on(given.t)
        elif given.look.hand or not given.look.quality.sight:
            self.open = False
        else:
            self._look(given.look)

    def _goes_on(self, t: float) -> None:
        if self.open and self.scenes:
            self.scenes[-1] = self.scenes[-1].longer(t)

    def _look(self, look: Observation) -> None:
        before = len(self.throws)
        self._dice(look)
        bare = look.dice is not None and not look.dice
        throw = len(self.throws) - 1
        if self.open and len(self.throws) == before and not contradicts(self.scenes[-1].evidence, look):
            last = self.scenes[-1].longer(look.t)
            self.scenes[-1] = replace(last, evidence=add(last.evidence, look), throw=throw, bare=bare)
        else:
            self.scenes.append(Scene(look.t, look.t, add(Evidence(), look), throw, bare))
        self.open = True

    def _dice(self, look: Observation) -> None:
        sure = sorted(sure_dice(look.dice or ()), key=lambda d: -d.p)[: self.dice]
        if not sure:
            return
        now = self.throws.last
        same = None if now is None else _same(now, sure, self.dice)
        if now is None or same is None:
            self.throws.begin(_thrown(sure, look.t))
        else:
            self.throws.go_on(_voted(now, same, look.t))


def likelihoods(ballot: Ballot, confusion: Confusion) -> Ballot:
    """How likely what was read of a die is for each face that it may show; no face is quite ruled out."""
    whole = sum(ballot)
    return tuple(sum(p * v for p, v in zip(row, ballot, strict=True)) / whole for row in confusion)


def _shares(ballot: Ballot, confusion: Confusion) -> Ballot:
    fits = likelihoods(ballot, confusion)
    return tuple(fit / sum(fits) for fit in fits)


def _thrown(dice: Iterable[Die], t: float) -> Throw:
    kept = tuple(dice)
    return Throw(tuple((d.x, d.y) for d in kept), tuple(map(ballot_of, kept)), t, t, 1)


def _same(throw: Throw, dice: list[Die], most: int) -> list[tuple[Die, int]] | None:
    """Each die with the place where it lies in the throw (a new one past its end); None: another throw."""
    free, matched, new = list(range(len(throw.places))), [], []
    for die in dice:
        near = [k for k in free if lies_at(die, *throw.places[k])]
        if near:
            free.remove(near[0])
            matched.append((die, near[0]))
        else:
            new.append(die)
    if not matched or len(throw.places) + len(new) > most:
        return None
    return matched + [(die, len(throw.places) + k) for k, die in enumerate(new)]


def _voted(throw: Throw, dice: list[tuple[Die, int]], t: float) -> Throw:
    places, votes = list(throw.places), list(throw.votes)
    for die, k in sorted(dice, key=lambda row: row[1]):
        if k >= len(places):
            places.append((die.x, die.y))
            votes.append(ballot_of(die))
        else:
            votes[k] = tuple(a + b for a, b in zip(votes[k], ballot_of(die), strict=True))
    return Throw(tuple(places), tuple(votes), throw.since, t, throw.looks + 1)
