"""Long nardy: both sides travel the same way, nothing is hit, one checker a turn leaves the head."""

from engine.position import POINTS, Position
from engine.reasons import Reason, Why
from engine.ruleset import Roll, Ruleset, Stake, always, none_off

HEAD = 24
#: First rolls that the other head blocks: two checkers may leave then.
_TWO_FROM_HEAD = frozenset({(3, 3), (4, 4), (6, 6)})

START = Position((*(0,) * 12, -15, *(0,) * 11, 15, 0))


def half_turn(own: int) -> int:
    """The opponent's own number of a point: its head lies half a board away."""
    return own + 12 if own <= 12 else own - 12


def head_and_prime(before: Position, after: Position, roll: Roll) -> Reason | None:
    """The head rule, and no six in a row with every opposing checker still behind them."""
    first = before.points[HEAD] == before.men()[0] and not before.off[0]
    allowed = 2 if first and roll in _TWO_FROM_HEAD else 1
    if before.points[HEAD] - after.points[HEAD] > allowed:
        return Reason(Why.HEAD, (HEAD,))
    return _closed_prime(after.swapped(half_turn))


def _closed_prime(theirs: Position) -> Reason | None:
    """Six points in a row that shut in all fifteen, on the table as the shut-in side sees it."""
    passed = theirs.off[0]
    for own in range(1, POINTS - 4):
        if not passed and all(n < 0 for n in theirs.points[own : own + 6]):
            return Reason(Why.SIX_PRIME, tuple(half_turn(own + i) for i in range(6)))
        passed += max(0, theirs.points[own])
    return None


RULES = Ruleset(
    name="long_nardy",
    start=START,
    stakes=(Stake(2, "mars", none_off), Stake(1, "oin", always)),
    mirror=half_turn,
    closed_at=1,
    forbids=head_and_prime,
)
