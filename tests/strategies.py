"""Hypothesis strategies for the engine's values, shared by all tests."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from engine.position import MEN, Position
from engine.rules import BACKGAMMON, RULESETS, Roll, Ruleset

rulesets = st.sampled_from(sorted(RULESETS.values(), key=lambda rules: rules.name))


def rolls(rules: Ruleset = BACKGAMMON) -> st.SearchStrategy[Roll]:
    """Rolls of a game."""
    return st.tuples(*[st.integers(1, 6)] * rules.dice)


def random_roll(random: Random, rules: Ruleset) -> Roll:
    return tuple(random.randint(1, 6) for _ in range(rules.dice))


def random_position(random: Random, rules: Ruleset) -> Position:
    """Any table of the game: crowded or thin, with bars, homes and trays in all states."""
    low, high = random.choice([(1, 24), (1, 24), (1, 12), (1, 6)])
    free = list(range(1, 25))
    points = [0] * 26
    off = [0, 0]
    for side, sign in enumerate((1, -1)):
        men = random.randint(1, MEN)
        off[side] = 0 if rules.eats else MEN - men
        reach = (
            [rules.mirror(p) if side else p for p in range(low, high + 1)] if random.random() < 0.6 else free
        )
        own = [p for p in reach if p in free] or free
        chosen = random.sample(own, min(len(own), random.randint(1, 9)))
        on_bar = random.choice([0, 0, 0, 1, 2]) if rules.closed_at == 2 else 0
        on_bar = min(on_bar, men)
        points[0 if side else 25] = sign * on_bar
        for _ in range(men - on_bar):
            points[random.choice(chosen)] += sign
        free = [p for p in free if points[p] == 0]
    return Position(tuple(points), (off[0], off[1]))


def positions(rules: Ruleset = BACKGAMMON) -> st.SearchStrategy[Position]:
    """Any possible table of a game."""
    return st.randoms(use_true_random=False).map(lambda random: random_position(random, rules))
