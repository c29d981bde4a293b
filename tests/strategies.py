"""Hypothesis strategies for the engine's values, shared by all tests."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from engine.canonical import with_hits
from engine.plays import Hop, legal_plays, result_of
from engine.position import MEN, Position, turned
from engine.record import Act, Game, Match, Turn, after_turn
from engine.resolve import can_stand, resolve
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


_NAMES = st.text("абвЁ äéABcde0127 :;[]()'\"\\/*?-.", min_size=1, max_size=20).map(str.strip).filter(bool)
_KEYS = st.text("ABCdef 12", min_size=1, max_size=8).map(str.strip).filter(bool)
_LABELS = st.lists(st.tuples(_KEYS, _NAMES), max_size=3, unique_by=lambda label: label[0]).map(tuple)


@st.composite
def matches(
    draw, rules: Ruleset = BACKGAMMON, *, cube: bool = True, illegal: bool = True, timed: bool = False
) -> Match:
    """Matches as they are played: legal and illegal plays, dances, cube actions, games broken off."""
    random = draw(st.randoms(use_true_random=False))
    games, score = [], (0, 0)
    for _ in range(draw(st.integers(0, 3))):
        game = random_game(random, rules, score, cube=cube, illegal=illegal)
        games.append(game)
        if game.winner is not None:
            score = (score[0] + game.points * (game.winner == 0), score[1] + game.points * game.winner)
    length = draw(st.sampled_from([0, 1, 5, 25]))
    names = (draw(_NAMES), draw(_NAMES))
    if timed:
        games = [replace(game, turns=timed_turns(game.turns, draw(st.integers(0, 10**8)))) for game in games]
    return Match(names, length, rules.name, tuple(games), draw(_LABELS))


def timed_turns(turns: tuple[Turn, ...], begin: int) -> tuple[Turn, ...]:
    """The turns as a video would give them: every third was not seen."""
    return tuple(
        turn if n % 3 == 2 or turn.act is Act.RESIGN
        else replace(turn, t=((begin + 7000 * n) / 1000, (begin + 7000 * n + 5001) / 1000), confidence=0.8765)
        for n, turn in enumerate(turns)
    )  # fmt: skip


def random_game(random: Random, rules: Ruleset, score: tuple[int, int], *, cube: bool, illegal: bool) -> Game:
    """A game played at random from the start, broken off, given up, dropped or played for a while."""
    position, side, value, owner = rules.start, random.randint(0, 1), 1, None
    turns: list[Turn] = []
    if side == 1:
        position = turned(position, rules)
    for _ in range(random.choice([0, 1, 5, 40, 200])):
        if cube and turns and owner in (None, side) and random.random() < 0.03:
            value, owner = value * 2, 1 - side
            turns.append(Turn(side, act=Act.DOUBLE, value=value))
            if random.random() < 0.3:
                turns.append(Turn(1 - side, act=Act.DROP))
                return Game(tuple(turns), score, side, value // 2)
            turns.append(Turn(1 - side, act=Act.TAKE))
        turn = _random_turn(random, position, side, rules, illegal)
        turns.append(turn)
        position = after_turn(position, turn, rules)
        if (outcome := result_of(position, rules)) is not None and outcome.winner is not None:
            return Game(
                tuple(turns), score, side if outcome.winner == 0 else 1 - side, outcome.points * value
            )
        position, side = turned(position, rules), 1 - side
    return Game(tuple(turns), score)


def _random_turn(random: Random, position: Position, side: int, rules: Ruleset, illegal: bool) -> Turn:
    roll = tuple(sorted(random_roll(random, rules), reverse=True))
    if illegal and random.random() < 0.05:
        src, dst = random.choice([p for p in range(1, 26) if position.points[p] > 0]), random.randint(1, 24)
        rest = random.choice(legal_plays(position, roll, rules)).hops
        hops = (Hop(src, dst), *rest)[: random.randint(1, 3)]
        if src != dst and can_stand(position, hops, rules) and resolve(position, roll, hops, rules) is None:
            return Turn(side, roll, with_hits(position, hops, rules), stood_illegal=True)
    return Turn(side, roll, random.choice(legal_plays(position, roll, rules)).hops)
