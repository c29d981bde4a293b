"""The games by name. Each module of `engine.games` holds one, as `RULES`; a new module is a new game."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from engine import games
from engine.errors import RulesError
from engine.games.backgammon import RULES as BACKGAMMON
from engine.games.trictrac import RULES as TRICTRAC
from engine.ruleset import Outcome, Roll, Ruleset, Stake

__all__ = ["BACKGAMMON", "RULESETS", "TRICTRAC", "Outcome", "Roll", "Ruleset", "Stake", "ruleset"]


def _all_games() -> dict[str, Ruleset]:
    modules = (import_module(f"{games.__name__}.{m.name}") for m in pkgutil.iter_modules(games.__path__))
    return {m.RULES.name: m.RULES for m in modules}


RULESETS: Mapping[str, Ruleset] = MappingProxyType(_all_games())


def ruleset(name: str) -> Ruleset:
    """The game of that name.

    Raises:
        RulesError: there is none; the message lists the names.
    """
    if name not in RULESETS:
        raise RulesError(f"no game is called {name!r}; choose one of: {', '.join(sorted(RULESETS))}")
    return RULESETS[name]
