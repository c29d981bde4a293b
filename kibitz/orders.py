"""Commands of people → inputs of the session."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec.structs import asdict, replace

from engine.errors import RulesError
from engine.rules import ruleset
from kibitz import commands as say
from kibitz.wizard import LAYOUT_NAMES, OPENING
from referee.clock import ClockRule
from referee.events import (
    Adjourn,
    Amended,
    Chosen,
    ClockPressed,
    Configured,
    Corrected,
    CubeActed,
    Input,
    LetStand,
    NextGame,
    Resigned,
    Resume,
    Resync,
    RollGiven,
    Setup,
    TurnEnd,
    TurnUndone,
)  # fmt: skip
from referee.session import State

#: Answers that the set-up takes as they are.
_PLAIN = frozenset({"rules", "names", "length", "policy", "start"})


def input_of(command: say.Command, t: float, state: State) -> Input:
    """The session's input for a command at time t.

    Raises:
        CommandError: the command names a game that does not exist.
    """
    return _INPUTS[type(command)](command, t, state)


def answered(setup: Setup, answer: say.Answer) -> Setup:
    """The set-up with the wizard's answers in it.

    Raises:
        CommandError: no game is called so.
    """
    rule = setup.clock
    rule = ClockRule(
        answer.clock or rule.kind,  # type: ignore[arg-type]  # the command's pattern allows nothing else
        rule.seconds if answer.seconds is None else answer.seconds,
        rule.extra if answer.increment is None else answer.increment,
    )
    told = {k: v for k, v in asdict(answer).items() if v is not None and k in _PLAIN}
    setup = replace(setup, **told, clock=rule)
    if answer.side is not None:
        setup = replace(setup, side=None if answer.side == OPENING else answer.side)
    if answer.layout is not None:
        setup = replace(setup, layout=LAYOUT_NAMES.get(answer.layout))
    return replace(setup, opening=opening_counts(setup.rules) and setup.side is None)


def opening_counts(rules: str) -> bool:
    """True for games that begin with one die each.

    Raises:
        CommandError: no game is called so.
    """
    try:
        game = ruleset(rules)
    except RulesError as error:
        raise say.CommandError(str(error)) from error
    return game.dice == 2 and game.closed_at == 2


_INPUTS: Mapping[type, Callable[[Any, float, State], Input]] = MappingProxyType(
    {
        say.Correct: lambda c, t, _: Corrected(t, c.table),
        say.Dice: lambda c, t, _: RollGiven(t, c.roll),
        say.Amend: lambda c, t, _: Amended(t, c.turn, c.roll, c.play),
        say.Undo: lambda _c, t, _: TurnUndone(t),
        say.Resync: lambda c, t, _: Resync(t, c.table, c.side),
        say.Adjourn: lambda _c, t, _: Adjourn(t),
        say.Resume: lambda _c, t, _: Resume(t),
        say.Resign: lambda c, t, _: Resigned(t, c.side, c.points),
        say.LetStand: lambda _c, t, _: LetStand(t),
        say.EndTurn: lambda _c, t, _: TurnEnd(t),
        say.PressClock: lambda c, t, _: ClockPressed(t, c.side),
        say.Choose: lambda c, t, _: Chosen(t, c.index),
        say.Cube: lambda c, t, _: CubeActed(t, c.act),
        say.NextGame: lambda _c, t, _: NextGame(t),
        say.Answer: lambda c, t, state: Configured(t, answered(state.setup, c)),
    }
)
