"""Modern backgammon: the larger die when only one can be played; single, gammon, backgammon."""

from engine.position import Position
from engine.ruleset import Ruleset, Stake, always, none_off, none_off_in_winners_home

START = Position((0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0))

RULES = Ruleset(
    name="backgammon",
    start=START,
    doubling_cube=True,
    stakes=(
        Stake(3, "backgammon", none_off_in_winners_home),
        Stake(2, "gammon", none_off),
        Stake(1, "single", always),
    ),
)
