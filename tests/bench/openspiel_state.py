"""OpenSpiel's backgammon state with a position of ours in it.

Its Python interface has no way to set one; the C++ method `SetState` behind it is there and is called here.
That needs the addresses inside a pybind11 object, so `state_of` reads back what it has set.
"""

from __future__ import annotations

import ctypes
from typing import Any

import pyspiel

from engine.position import BAR, OFF, POINTS, Position

#: The player whose points are numbered as ours are, from 0: it travels downwards.
MOVER = 1
_NAME = "_ZN10open_spiel10backgammon15BackgammonState8SetStateEibRKSt6vectorIiSaIiEES6_S6_RKS2_IS4_SaIS4_EE"


class _Vector(ctypes.Structure):
    """A std::vector: begin, end, end of its memory."""

    _fields_ = (("begin", ctypes.c_void_p), ("end", ctypes.c_void_p), ("full", ctypes.c_void_p))


def _vector(array: Any) -> _Vector:
    begin = ctypes.addressof(array)
    vector = _Vector(begin, *[begin + ctypes.sizeof(array)] * 2)
    vector.array = array  # keeps its memory
    return vector


def _ints(*values: int) -> _Vector:
    return _vector((ctypes.c_int * len(values))(*values))


def _address(state: Any) -> int | None:
    """Of the C++ object that a Python one holds."""
    values = ctypes.c_void_p.from_address(id(state) + object.__basicsize__).value
    return ctypes.c_void_p.from_address(values or 0).value


def state_of(position: Position, roll: tuple[int, ...]) -> Any:
    """A state in which `MOVER` has thrown the roll in that position."""
    state = pyspiel.load_game("backgammon").new_initial_state()
    state.apply_action(0)
    own = [max(0, n) for n in position.points[1:BAR]]
    other = [max(0, -n) for n in position.points[1:BAR]]
    rows = [_ints(*other), _ints(*own)]
    _SET(
        _address(state),
        MOVER,
        False,
        _ints(*roll),
        _ints(-position.points[OFF], position.points[BAR]),
        _ints(position.off[1], position.off[0]),
        _vector((_Vector * 2)(*rows)),
    )
    seen = [state.board(MOVER, at) - state.board(1 - MOVER, at) for at in range(POINTS)]
    if seen != list(position.points[1:BAR]) or state.current_player() != MOVER:
        raise SystemExit("this build of OpenSpiel lays its objects out otherwise; nothing can be compared")
    return state


def _setter() -> Any:
    call = getattr(ctypes.CDLL(pyspiel.__file__), _NAME)
    vector = ctypes.POINTER(_Vector)
    call.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_bool, *[vector] * 4]
    call.restype = None
    return call


_SET = _setter()
