"""A live game on a board with sensors: what the set-up says reaches the board's code."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.sim_board import SimBoard
from kibitz.compose import Wanted, live, sim_of
from kibitz.snapshot import Snapshot
from referee.events import Setup
from referee.layout import Layout

PATIENCE_S = 60
#: Seven light checkers on one point, where six can be felt, and fewer than fifteen a side.
SMALL = (7, 0, 0, 0, 0, 5) + (0,) * 17 + (-12,) + (0,) * 4


@pytest.fixture
def sim() -> Iterator[SimBoard]:
    made = SimBoard(SMALL)
    yield made
    made.close()


async def _begun(url: str, folder: Path, setup: Setup) -> Snapshot:
    async with live(Wanted(url, folder, setup)) as game:
        assert sim_of(game) is None
        async for shown in game.subscribe():
            if shown.phase == "playing" or shown.banner.kind == "wrong_start":
                return shown
    raise AssertionError("the game ended before it began")


def test_a_game_with_fewer_checkers_counts_the_stack_by_its_own_number(sim: SimBoard, tmp_path: Path) -> None:
    setup = Setup(policy="legal", layout=Layout(), start=SMALL, side=0)
    shown = asyncio.run(asyncio.wait_for(_begun(sim.url, tmp_path, setup), PATIENCE_S))
    assert shown.phase == "playing"
    assert shown.board.seen == SMALL
