"""When the table has come to rest: agreement over time, and no hand over what changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from referee.evidence import Evidence, add, contradicts
from referee.observation import Observation
from referee.throws import Throw, lies_among, sure_dice, with_look

#: A reading counts after this many seconds of agreement and this many looks.
REST_SECONDS = 0.1
REST_LOOKS = 2
#: Nobody looked for longer than this (seconds): what was agreed on before is over.
LONGEST_GAP = 1.25
#: An empty table means "dice lifted" only after this many seconds.
LIFTED_SECONDS = 0.5


class Settling(msgspec.Struct, frozen=True):
    """What has been agreed on since `since` (None: nothing yet) until `until`.

    `throw` is the last throw read; `bare_since` the time from which no dice have been seen lying,
    `cocked_since` that from which dice lean.
    """

    since: float | None = None
    until: float = 0.0
    evidence: Evidence = Evidence()
    throw: Throw | None = None
    bare_since: float | None = None
    cocked_since: float | None = None
    #: a look that contradicts the others: a glitch, unless the next one agrees with it
    odd: Observation | None = None
    #: the newest look
    last: Observation | None = None
    #: False while the dice that lie there are not the throw: another throw, not read yet
    clear: bool = True

    @property
    def at_rest(self) -> bool:
        """True when the evidence may be judged."""
        return (
            self.since is not None
            and self.odd is None
            and self.evidence.looks >= REST_LOOKS
            and self.rested >= REST_SECONDS - 1e-9
        )

    @property
    def rested(self) -> float:
        """Seconds of agreement so far."""
        return 0.0 if self.since is None else self.until - self.since

    @property
    def dice_lifted(self) -> bool:
        """True when the dice are off the table, not merely hidden."""
        return self.bare_since is not None and self.until - self.bare_since >= LIFTED_SECONDS


def seen(settling: Settling, look: Observation, dice: int) -> Settling:
    """Settling after one more observation of a game with `dice` dice."""
    if look.hand or not look.quality.sight:
        return Settling(until=look.t, throw=settling.throw, clear=settling.clear)
    throw, bare, clear = _dice(settling, look, dice)
    cocked = _cocked(settling, look)
    since, evidence, odd = _agreed(settling, look)
    return Settling(since, look.t, evidence, throw, bare, cocked, odd, look, clear)


def shows(settling: Settling, table: Sequence[int], places: Iterable[int]) -> bool:
    """True when the newest look, too, reads these places so: what is seen no longer accuses nobody."""
    if settling.last is None:
        return True
    seen_now = settling.last.places
    return all(seen_now[p].best == table[p] for p in places if seen_now[p].seen)


def _agreed(settling: Settling, look: Observation) -> tuple[float, Evidence, Observation | None]:
    """Since when what is agreed on: a single look that contradicts is set aside, two begin anew."""
    if settling.since is None or look.t - settling.until > LONGEST_GAP:
        return look.t, add(Evidence(), look), None
    if not contradicts(settling.evidence, look):
        return settling.since, add(settling.evidence, look), None
    if settling.odd is None:
        return settling.since, settling.evidence, look
    odd = add(Evidence(), settling.odd)
    if contradicts(odd, look):
        return look.t, add(Evidence(), look), None
    return settling.odd.t, add(odd, look), None


def _cocked(settling: Settling, look: Observation) -> float | None:
    if not any(die.cocked for die in look.dice or ()):
        return None
    return look.t if settling.cocked_since is None else settling.cocked_since


def still(settling: Settling, t: float) -> Settling:
    """Settling after a moment in which nothing changed: agreement goes on."""
    if settling.since is None:
        return settling
    if settling.odd is not None:
        settling = _confirmed(settling, settling.odd)
    more = msgspec.structs.replace(settling.evidence, looks=settling.evidence.looks + 1)
    throw = settling.throw
    if throw is not None and settling.bare_since is None:
        throw = msgspec.structs.replace(throw, looks=throw.looks + 1)
    return msgspec.structs.replace(settling, until=t, evidence=more, throw=throw)


def _confirmed(settling: Settling, odd: Observation) -> Settling:
    """An odd look that did not change: it was no glitch."""
    evidence = add(Evidence(), odd)
    return msgspec.structs.replace(settling, since=odd.t, evidence=evidence, odd=None)


def _dice(settling: Settling, look: Observation, dice: int) -> tuple[Throw | None, float | None, bool]:
    """The throw, since when the table is bare, and whether the throw is what lies there."""
    if look.dice is None:
        return settling.throw, None, settling.clear
    sure = sure_dice(look.dice)
    if not sure:
        return settling.throw, look.t if settling.bare_since is None else settling.bare_since, True
    if len(sure) != dice:
        return settling.throw, None, settling.throw is not None and lies_among(settling.throw, look.dice)
    return with_look(settling.throw, sure), None, True
