"""The live game on a simulated board: snapshots, commands, journal first, resume."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from kibitz.commands import (
    Adjourn,
    Amend,
    Answer,
    CommandError,
    LetStand,
    Resume,
    TakeBack,
    Undo,
    parse_command,
)
from kibitz.compose import JOURNAL, Wanted, live
from kibitz.live import LiveGame
from kibitz.snapshot import Snapshot, to_json
from referee.events import Setup, TurnPlayed
from referee.journal import replay

SIM = "sim:seed=3,pace=10,wrong=0,turns=4"


async def until(game: LiveGame, holds: Callable[[Snapshot], bool], seconds: float = 30.0) -> Snapshot:
    async def wait() -> Snapshot:
        async for shown in game.subscribe():
            if holds(shown):
                return shown
        raise AssertionError("the game ended first")

    return await asyncio.wait_for(wait(), seconds)


def wanted(folder: Path, url: str = SIM, **more: object) -> Wanted:
    return Wanted(url, folder, Setup(policy="legal"), **more)  # type: ignore[arg-type]


def journal_turns(folder: Path) -> list[str]:
    again = replay((folder / JOURNAL).read_bytes().splitlines(keepends=True))
    assert again.differs_at is None
    return [made.text for entry in again.entries for made in entry.made if isinstance(made, TurnPlayed)]


def test_a_game_is_shown_turn_by_turn_and_never_before_it_is_in_the_journal(tmp_path: Path) -> None:
    async def play() -> None:
        async with live(wanted(tmp_path)) as game:
            shown = await until(game, lambda s: len(s.turns) >= 2)
            assert [t.play for t in shown.turns] == journal_turns(tmp_path)[: len(shown.turns)]
            assert shown.mode == "tournament"
            assert shown.legal == ()
            assert to_json(shown).startswith(b"{")

    asyncio.run(play())


def test_undo_a_break_and_wishes_that_do_not_fit(tmp_path: Path) -> None:
    async def play() -> None:
        async with live(wanted(tmp_path)) as game:
            with pytest.raises(CommandError, match="no turn to take back"):
                await game.command(Undo())
            await until(game, lambda s: len(s.turns) == 4)
            await game.command(Undo())
            assert len(game.snapshot().turns) == 3
            await game.command(Adjourn())
            assert game.snapshot().phase == "adjourned"
            with pytest.raises(CommandError, match="already"):
                await game.command(Adjourn())
            await game.command(Resume())
            with pytest.raises(CommandError, match="nothing illegal"):
                await game.command(LetStand())
            with pytest.raises(CommandError, match="no turn 99"):
                await game.command(Amend(99, roll=(1, 2)))
            with pytest.raises(CommandError, match="has begun"):
                await game.command(Answer(length=7))
            with pytest.raises(CommandError, match="no aids"):
                await game.command(TakeBack())

    asyncio.run(play())


def test_resuming_goes_on_where_the_journal_stops_and_a_torn_line_is_cut_off(tmp_path: Path) -> None:
    async def begin() -> int:
        async with live(wanted(tmp_path)) as game:
            return len((await until(game, lambda s: len(s.turns) == 4)).turns)

    async def go_on() -> Snapshot:
        async with live(wanted(tmp_path, "sim:seed=4,turns=0", resume=True)) as game:
            first = game.snapshot()
            await until(game, lambda s: bool(s.board.difference))
            return first

    assert asyncio.run(begin()) == 4
    path = tmp_path / JOURNAL
    turns = journal_turns(tmp_path)
    path.write_bytes(path.read_bytes() + b'["step", torn')
    shown = asyncio.run(go_on())
    assert [t.play for t in shown.turns] == turns
    assert journal_turns(tmp_path)[:4] == turns


def test_a_trainer_lists_the_legal_plays_of_a_roll(tmp_path: Path) -> None:
    async def play() -> Snapshot:
        async with live(wanted(tmp_path, mode="trainer")) as game:
            return await until(game, lambda s: bool(s.legal))

    shown = asyncio.run(play())
    assert shown.mode == "trainer"
    assert len({p.table for p in shown.legal}) == len(shown.legal)


def test_slow_readers_get_the_newest_only(tmp_path: Path) -> None:
    async def play() -> None:
        async with live(wanted(tmp_path)) as game:
            reader = game.subscribe()
            first = await anext(reader)
            await until(game, lambda s: len(s.turns) == 4)
            second = await anext(reader)
            assert second.revision - first.revision > 5
            assert len(second.turns) == 4

    asyncio.run(play())


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b'{"do":"fly"}', b'{"do":"undo","x":1}', b'{"do":"dice","roll":[0]}', b"\xff", b" " * 5000],
)
def test_what_is_no_command_is_refused_in_one_line(data: bytes) -> None:
    with pytest.raises(CommandError) as caught:
        parse_command(data)
    assert "\n" not in str(caught.value)
