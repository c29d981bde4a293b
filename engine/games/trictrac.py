"""Trictrac as the encyclopaedia tells it: either die when only one can be played; wins worth 1, 2, 4, 8."""

from engine.games.backgammon import START
from engine.ruleset import Ruleset, Stake, always, none_off, none_off_not_home, none_off_on_bar

RULES = Ruleset(
    name="trictrac",
    start=START,
    stakes=(
        Stake(8, "eightfold", none_off_on_bar),
        Stake(4, "fourfold", none_off_not_home),
        Stake(2, "double", none_off),
        Stake(1, "single", always),
    ),
    must_play_larger=False,
)
