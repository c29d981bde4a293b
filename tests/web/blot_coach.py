"""A coach for tests: it knows nothing but that blots are bad."""

from __future__ import annotations

from engine.notation import format_play
from engine.plays import legal_plays
from engine.position import Position
from kibitz.coach import MONEY, Rated, Stake


class BlotCoach:
    """Every blot costs a tenth of a point."""

    name = "blots"

    def rate(self, position: Position, roll: tuple[int, ...], stake: Stake = MONEY) -> list[Rated]:
        """Legal plays, those with the fewest blots first."""
        del stake
        rows = [
            Rated(play.result, format_play(play), -0.1 * play.result.points[1:25].count(1))
            for play in legal_plays(position, roll)
        ]
        return sorted(rows, key=lambda row: -row.equity)
