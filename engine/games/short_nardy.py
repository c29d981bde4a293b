"""Russian short nardy: backgammon without the cube; oin, mars, koks."""

from engine.games.backgammon import START
from engine.ruleset import Ruleset, Stake, always, none_off, none_off_in_winners_home

RULES = Ruleset(
    name="short_nardy",
    start=START,
    stakes=(
        Stake(3, "koks", none_off_in_winners_home),
        Stake(2, "mars", none_off),
        Stake(1, "oin", always),
    ),
)
