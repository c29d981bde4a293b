"""One throw of the dice, read many times: where they lie tells throws apart, votes tell the faces."""

from __future__ import annotations

from itertools import permutations

import msgspec

from referee.observation import Die

#: Dice nearer than this (field fractions, |dx| + |dy|) are the same dice, not thrown again.
SAME_PLACE = 0.04
#: Dice read with less are not dice yet (blurred, half hidden).
SURE_DIE = 0.45
#: A face with less than this share of the votes is ruled out: illegal plays are not rarer than that.
MAYBE = 0.01
#: A throw counts after this many looks that agree on its places.
LOOKS = 2
#: A look says at least so much for any five faces together.
NO_FACE = 0.005

#: Votes for the faces 1 to 6.
Ballot = tuple[float, float, float, float, float, float]


class Throw(msgspec.Struct, frozen=True):
    """Dice that lie still: one place and one ballot (face → summed probability) each."""

    places: tuple[tuple[float, float], ...]
    votes: tuple[Ballot, ...]
    looks: int = 1

    @property
    def roll(self) -> tuple[int, ...]:
        """The faces that most looks agree on, in the dice's order."""
        return tuple(ballot.index(max(ballot)) + 1 for ballot in self.votes)

    @property
    def p(self) -> float:
        """Share of the votes for the least agreed face."""
        return min((max(ballot) / sum(ballot) for ballot in self.votes), default=0.0)

    @property
    def settled(self) -> bool:
        """True once enough looks agree."""
        return self.looks >= LOOKS


def other_rolls(throw: Throw) -> list[tuple[tuple[int, ...], float]]:
    """Rolls that differ from the throw's in one die and are likely enough, with their shares, likeliest
    first.
    """
    found = []
    for number, ballot in enumerate(throw.votes):
        for face, votes in enumerate(ballot, 1):
            share = votes / sum(ballot)
            if face != throw.roll[number] and share >= MAYBE:
                found.append(((*throw.roll[:number], face, *throw.roll[number + 1 :]), round(share, 4)))
    return sorted(found, key=lambda row: -row[1])


def ballot_of(die: Die) -> Ballot:
    """What one look at a die says for each face; that it may be no die at all speaks for none of them."""
    one, two, three, four, five, six = (max(die.shows(face), NO_FACE / 5) for face in range(1, 7))
    return one, two, three, four, five, six


def new_throw(dice: tuple[Die, ...]) -> Throw:
    """A throw after its first look."""
    return Throw(tuple((d.x, d.y) for d in dice), tuple(ballot_of(d) for d in dice))


def sure_dice(dice: tuple[Die, ...]) -> tuple[Die, ...]:
    """The dice that count: read surely and lying flat; a shadow or print taken for a die is rarely sure."""
    return tuple(d for d in dice if d.p >= SURE_DIE and not d.cocked)


def lies_at(die: Die, x: float, y: float) -> bool:
    """Whether a die lies where another look saw one."""
    return abs(die.x - x) + abs(die.y - y) < SAME_PLACE


def matched(throw: Throw, dice: tuple[Die, ...]) -> tuple[Die, ...] | None:
    """`dice` in the throw's order when they lie where it lies, else None."""
    if len(dice) != len(throw.places):
        return None
    for order in permutations(dice):
        if all(lies_at(d, x, y) for d, (x, y) in zip(order, throw.places, strict=True)):
            return order
    return None


def lies_among(throw: Throw, dice: tuple[Die, ...]) -> bool:
    """True when a die, read however badly, lies on each of the throw's places."""
    return all(any(lies_at(d, x, y) for d in dice) for x, y in throw.places)


def with_look(throw: Throw | None, dice: tuple[Die, ...]) -> Throw:
    """The throw with one more look at it, or a new throw when the dice lie elsewhere."""
    same = None if throw is None else matched(throw, dice)
    if throw is None or same is None:
        return new_throw(dice)
    votes = tuple(
        tuple(a + b for a, b in zip(ballot, ballot_of(die), strict=True))
        for ballot, die in zip(throw.votes, same, strict=True)
    )
    return Throw(throw.places, votes, throw.looks + 1)  # type: ignore[arg-type]


def same_throw(a: Throw, b: Throw) -> bool:
    """True when both are the same dice lying where they lay."""
    return matched(a, tuple(Die(1, 1.0, x, y) for x, y in b.places)) is not None
