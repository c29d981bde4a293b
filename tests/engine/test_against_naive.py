"""The packed generator against the plain one of `naive.py`, game by game.

`KIBITZ_POSITIONS` says how many positions a game; `make naive` runs the full 20,000.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from engine.plays import legal_plays, partial_plays
from engine.position import problems
from engine.rules import RULESETS
from tests.engine import naive
from tests.strategies import random_position, random_roll

POSITIONS = int(os.environ.get("KIBITZ_POSITIONS", "400"))


@pytest.mark.parametrize("game", sorted(RULESETS))
def test_same_results_as_the_plain_generator(game):
    rules, random = RULESETS[game], Random(f"{game} {POSITIONS}")
    for _ in range(POSITIONS):
        position, roll = random_position(random, rules), random_roll(random, rules)
        assert problems(position, rules) == ()
        plays = legal_plays(position, roll, rules)
        results = [(play.result.points, play.result.off[0]) for play in plays]
        assert len(set(results)) == len(results)
        assert set(results) == naive.results(game, (position.points, position.off[0]), roll), (position, roll)


@pytest.mark.parametrize("game", sorted(RULESETS))
def test_partial_plays_are_the_tables_on_the_way(game):
    rules, random = RULESETS[game], Random(f"partial {game}")
    for _ in range(POSITIONS // 4):
        position, roll = random_position(random, rules), random_roll(random, rules)
        table = (position.points, position.off[0])
        dice = naive.dice_to_play(game, roll)
        legal = naive.results(game, table, roll)
        some = {end for count, _, end in naive.ends(game, table, dice) if count < len(dice)}
        partial = {(play.result.points, play.result.off[0]) for play in partial_plays(position, roll, rules)}
        assert partial == some - legal
