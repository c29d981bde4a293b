"""Sensor states → `Observation`. Pure: a state, a time, a new state.

What magnets under checkers cannot say is kept as doubt:

- a stack above its sensors: the checkers that are missing on the whole board lie there, on whichever full
  place;
- a checker in a hand is missing too: for a moment nothing is said, then both are said to be possible, and
  after `SURE_S` without change (or when a button is pressed) the hand is taken to be empty;
- a magnet at the edge of what its sensor feels comes and goes: a slot that changes again and again counts as
  occupied, for where no magnet is, none is felt.
"""

from __future__ import annotations

import msgspec

from firmware_bridge import board
from firmware_bridge.messages import BOTH, NORTH, SOUTH, BoardState
from referee.observation import (
    OFF_DARK,
    OFF_LIGHT,
    PLACES,
    POINTS,
    UNSEEN,
    Belief,
    Observation,
    belief,
    certain,
)

#: Nothing is said of a colour for so long after one of its checkers has gone from the sensors.
HAND_S = 0.4
#: After so long without a change the missing checkers are on the stacks.
SURE_S = 3.0
#: So many changes of one slot in so many seconds are a weak magnet …
FLICKER_FLIPS, FLICKER_S = 4, 1.5
#: … until it has been quiet for so long.
QUIET_S = 1.0

#: Two colours on one place are a hit going on, for so long after the last change there.
HIT_S = 1.0

LIGHT, DARK = 0, 1
_LONG_AGO = float("-inf")
_SIGN = {NORTH: 1 if board.LIGHT_IS_NORTH else -1, SOUTH: -1 if board.LIGHT_IS_NORTH else 1}
_CHAIN_SLOTS = board.CHAIN_BITS // 2
_PLACE_SLOTS = tuple(
    tuple(i for i, where in enumerate(board.SLOT_PLACE) if where == place) for place in range(PLACES)
)
_NO_POLES = (0,) * len(board.SLOT_PLACE)


class Flips(msgspec.Struct, frozen=True):
    """Recent changes of one slot: their times and the pole last felt."""

    times: tuple[float, ...]
    pole: int


class Sensing(msgspec.Struct, frozen=True):
    """What is known of the sensors.

    `poles` as they are now, `flips` of the slots that changed lately, `missing_since` when a checker of each
    colour last went missing, `settled` how many of each colour are certainly on top of full places. `eaten`:
    in this game checkers leave the board for good, so that those missing need not be on the stacks.
    """

    checkers: tuple[int, int] = (15, 15)
    eaten: bool = False
    poles: tuple[int, ...] = _NO_POLES
    faults: int = 0
    flips: dict[int, Flips] = {}
    missing: tuple[int, int] = (0, 0)
    missing_since: tuple[float, float] = (0.0, 0.0)
    settled: tuple[int, int] = (0, 0)
    known: bool = False


def seen(sensing: Sensing, state: BoardState, t: float) -> Sensing:
    """Sensing after one more state of the board."""
    poles = tuple(state.poles())
    flips = _flips(sensing, poles, t) if sensing.known else {}
    now = msgspec.structs.replace(sensing, poles=poles, faults=state.faults, flips=flips, known=True)
    return _counted(now, sensing, t)


def passed(sensing: Sensing, t: float) -> Sensing:
    """Sensing after time has passed without a change."""
    return _counted(sensing, sensing, t)


def hand_empty(sensing: Sensing) -> Sensing:
    """A player has pressed a button: what is missing lies on the stacks, not in the hand."""
    return msgspec.structs.replace(sensing, settled=sensing.missing, missing_since=(_LONG_AGO, _LONG_AGO))


def weak_slots(sensing: Sensing, t: float) -> tuple[int, ...]:
    """Slots whose magnet comes and goes."""
    return tuple(slot for slot in sensing.flips if _weak(sensing, slot, t))


def _flips(sensing: Sensing, poles: tuple[int, ...], t: float) -> dict[int, Flips]:
    flips = {i: f for i, f in sensing.flips.items() if t - f.times[-1] < FLICKER_S + QUIET_S}
    for slot, (old, new) in enumerate(zip(sensing.poles, poles, strict=True)):
        if old != new:
            before = flips.get(slot, Flips((), old)).times
            flips[slot] = Flips((*before[-FLICKER_FLIPS + 1 :], t), new or old)
    return flips


def _weak(sensing: Sensing, slot: int, t: float) -> bool:
    flips = sensing.flips.get(slot)
    if flips is None or len(flips.times) < FLICKER_FLIPS or t - flips.times[-1] >= QUIET_S:
        return False
    return flips.times[-1] - flips.times[0] <= FLICKER_S


def _pole(sensing: Sensing, slot: int, t: float) -> int:
    return sensing.flips[slot].pole if _weak(sensing, slot, t) else sensing.poles[slot]


def _counted(now: Sensing, before: Sensing, t: float) -> Sensing:
    """Sensing with its missing checkers counted, and how long they have been so."""
    felt = _felt(now, t)
    missing = tuple(max(now.checkers[side] - felt.total(side), 0) for side in (LIGHT, DARK))
    since = tuple(
        t if before.known and missing[side] > before.missing[side] else before.missing_since[side]
        for side in (LIGHT, DARK)
    )
    if not before.known:
        since = (_LONG_AGO, _LONG_AGO)
    settled = tuple(
        missing[side] if t - since[side] >= SURE_S else min(before.settled[side], missing[side])
        for side in (LIGHT, DARK)
    )
    return msgspec.structs.replace(
        now,
        missing=(missing[0], missing[1]),
        missing_since=(since[0], since[1]),
        settled=(settled[0], settled[1]),
    )


class _Felt(msgspec.Struct, frozen=True):
    """Sensors by place: light and dark checkers felt, slots with a weak or an impossible signal."""

    light: tuple[int, ...]
    dark: tuple[int, ...]
    doubtful: tuple[int, ...]

    def total(self, side: int) -> int:
        return sum(self.light if side == LIGHT else self.dark)


def _felt(sensing: Sensing, t: float) -> _Felt:
    light, dark, doubtful = [0] * PLACES, [0] * PLACES, [0] * PLACES
    for slot, place in enumerate(board.SLOT_PLACE):
        pole = _pole(sensing, slot, t)
        if not pole or _dead(sensing, slot):
            continue
        if pole == BOTH or _weak(sensing, slot, t):
            doubtful[place] += 1
        if pole != BOTH:
            (light if _sign(place, pole) > 0 else dark)[place] += 1
    return _Felt(tuple(light), tuple(dark), tuple(doubtful))


def _sign(place: int, pole: int) -> int:
    """Whose checker a pole means: in a tray they stand on edge, either way round, and the tray says whose."""
    return {OFF_LIGHT: 1, OFF_DARK: -1}.get(place, _SIGN[pole])


def _dead(sensing: Sensing, slot: int) -> bool:
    return bool(sensing.faults >> slot // _CHAIN_SLOTS & 1)


def observation(sensing: Sensing, t: float) -> Observation:
    """What the board shows at time t, in seconds.

    `hand` is set while a checker has only just gone, or while two colours have only just met (a hit); `mixed`
    places are those on which they lie together.
    """
    felt = _felt(sensing, t)
    beliefs = tuple(_belief(sensing, felt, place) for place in range(PLACES))
    return Observation(
        t,
        beliefs[:POINTS],
        (beliefs[24], beliefs[25]),
        (beliefs[26], beliefs[27]),
        hand=_hand(sensing, t) or _hit(sensing, felt, t),
        mixed=_mixed(felt),
    )


def _hand(sensing: Sensing, t: float) -> bool:
    return any(sensing.missing[side] and t - sensing.missing_since[side] < HAND_S for side in (LIGHT, DARK))


def _mixed(felt: _Felt) -> tuple[int, ...]:
    """Places with both colours on them: a hit going on, or a checker put on a point that is held."""
    return tuple(place for place in range(PLACES) if felt.light[place] and felt.dark[place])


def _hit(sensing: Sensing, felt: _Felt, t: float) -> bool:
    mixed = _mixed(felt)
    recent = (slot for slot, flips in sensing.flips.items() if t - flips.times[-1] < HIT_S)
    return any(board.SLOT_PLACE[slot] in mixed for slot in recent)


def _belief(sensing: Sensing, felt: _Felt, place: int) -> Belief:
    slots = _PLACE_SLOTS[place]
    if any(_dead(sensing, slot) for slot in slots):
        return UNSEEN
    light, dark = felt.light[place], felt.dark[place]
    if light and dark:
        return belief([(light, 0.5), (-dark, 0.5)])
    sign, count = (1, light) if light else (-1, dark)
    if count == len(slots):
        return _stack(sensing, felt, sign, count)
    if felt.doubtful[place]:
        return _doubtful(sign, count, felt.doubtful[place])
    return certain(sign * count)


def _doubtful(sign: int, count: int, doubtful: int) -> Belief:
    """Weak magnets are most likely there, a signal of both poles at once is most likely nothing."""
    others = range(max(count - doubtful, 0), count + doubtful + 1)
    return belief([(sign * n, 0.9 if n == count else 0.1) for n in others])


def _stack(sensing: Sensing, felt: _Felt, sign: int, full: int) -> Belief:
    """A place with a checker on each sensor may hold more."""
    side = LIGHT if sign > 0 else DARK
    missing, settled = sensing.missing[side], sensing.settled[side]
    if sensing.eaten or sensing.faults or _full_places(felt, side) > 1:
        return belief([(sign * (full + n), 1.0) for n in range(missing + 1)])
    if missing == settled:
        return certain(sign * (full + missing))
    return belief([(sign * (full + n), 1.0) for n in range(settled, missing + 1)])


def _full_places(felt: _Felt, side: int) -> int:
    counts = felt.light if side == LIGHT else felt.dark
    return sum(n == len(slots) for n, slots in zip(counts, _PLACE_SLOTS, strict=True))
