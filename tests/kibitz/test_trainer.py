"""The trainer in a whole game: legal plays, warnings, take back, play anyway."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from engine.plays import legal_plays
from engine.position import Position
from engine.rules import BACKGAMMON, RULESETS, ruleset
from kibitz.coach import MONEY, Coach, Gnubg, Rated, Stake, find_coach
from kibitz.commands import CommandError, Cube, Dice, EndTurn, PlayAnyway, TakeBack
from kibitz.live import LiveGame
from kibitz.moment import SessionClock
from kibitz.pipeline import Journal
from kibitz.trainer import MOST_PLAYS, stake_of
from referee.events import CubeActed, Setup
from referee.layout import DARK, LIGHT
from referee.session import begin
from tests.kibitz.test_live import until
from tests.referee.tables import LAYOUT, looks, moved, play_out, shown
from tests.web.blot_coach import BlotCoach
from tests.web.hand_feed import HandFeed

START = shown(BACKGAMMON.start)


#: light's 8/5 6/5, which leaves no blot; 6/5 6/3, which leaves two; 8/7 6/4, which no 3-1 allows
SAFE = moved(START, (16, -1), (18, -1), (19, 2))
BLOTS = moved(START, (18, -2), (19, 1), (21, 1))
WRONG = moved(START, (16, -1), (17, 1), (18, -1), (20, 1))


@asynccontextmanager
async def trained(
    folder: Path, coach: Coach | None, rules: str = "backgammon", mode: str = "trainer"
) -> AsyncIterator[LiveGame]:
    game = ruleset(rules)
    setup, clock = Setup(rules, policy="legal", side=0, layout=LAYOUT), SessionClock()
    feed = HandFeed(clock, shown(game.start, rules=game))
    journal = Journal(folder / "j.jsonl", feed.url, setup)
    async with LiveGame(feed, journal, setup, clock, mode=mode, coach=coach) as live:
        await until(live, lambda s: s.phase == "playing")
        yield live


def lay(game: LiveGame, table: tuple[int, ...]) -> None:
    assert isinstance(game.feed, HandFeed)
    game.feed.lay(table)


def test_a_weak_play_is_warned_of_taken_back_and_another_stands(tmp_path: Path) -> None:
    async def play() -> None:
        async with trained(tmp_path, BlotCoach()) as game:
            await game.command(Dice((3, 1)))
            lay(game, BLOTS)
            warned = await until(game, lambda s: s.banner.kind == "warning")
            assert warned.advice is not None
            assert (warned.advice.play, warned.advice.cost) == ("6/5 6/3", 0.2)
            assert warned.turns == ()
            await game.command(TakeBack())
            back = await until(game, lambda s: s.banner.kind != "warning")
            assert {place for place, (colour, _) in back.lamps.items() if colour == "blue"} == {18, 19, 21}
            lay(game, START)
            await until(game, lambda s: s.banner.kind == "incomplete")
            lay(game, SAFE)
            await until(game, lambda s: s.banner.kind == "accepted")
            await game.command(EndTurn())
            done = await until(game, lambda s: len(s.turns) == 1)
            assert done.turns[0].play == "8/5 6/5"

    asyncio.run(play())


def test_a_weak_play_may_be_played_anyway(tmp_path: Path) -> None:
    async def play() -> None:
        async with trained(tmp_path, BlotCoach()) as game:
            await game.command(Dice((3, 1)))
            lay(game, BLOTS)
            await until(game, lambda s: s.banner.kind == "warning")
            await game.command(PlayAnyway())
            await until(game, lambda s: s.banner.kind == "accepted")
            await game.command(EndTurn())
            done = await until(game, lambda s: len(s.turns) == 1)
            assert (done.turns[0].play, done.advice is not None) == ("6/5 6/3", True)

    asyncio.run(play())


class SlowCoach(BlotCoach):
    """Answers when the turn is over already."""

    def rate(self, position: Position, roll: tuple[int, ...], stake: Stake = MONEY) -> list[Rated]:
        time.sleep(1.5)
        return super().rate(position, roll, stake)


def test_a_warning_that_comes_when_the_turn_is_over_takes_the_turn_back(tmp_path: Path) -> None:
    async def play() -> None:
        async with trained(tmp_path, SlowCoach()) as game:
            await game.command(Dice((3, 1)))
            lay(game, BLOTS)
            await until(game, lambda s: s.banner.kind == "accepted")
            await game.command(EndTurn())
            await until(game, lambda s: len(s.turns) == 1)
            await until(game, lambda s: s.banner.kind == "warning")
            await game.command(TakeBack())
            back = await until(game, lambda s: s.turns == ())
            assert (back.side, back.dice.roll, bool(back.legal)) == (LIGHT, (3, 1), True)
            lay(game, START)
            await until(game, lambda s: s.banner.kind == "incomplete")
            lay(game, SAFE)
            await until(game, lambda s: s.banner.kind == "accepted")

    asyncio.run(play())


def test_an_illegal_play_is_named_before_it_stands_and_needs_no_engine(tmp_path: Path) -> None:
    async def play() -> None:
        async with trained(tmp_path, None) as game:
            await game.command(Dice((3, 1)))
            lay(game, WRONG)
            named = await until(game, lambda s: s.banner.kind == "illegal")
            assert named.banner.words.en.startswith("Illegal: ")
            await game.command(TakeBack())
            await until(game, lambda s: any(colour == "blue" for colour, _ in s.lamps.values()))
            lay(game, START)
            await until(game, lambda s: s.banner.kind == "incomplete")

    asyncio.run(play())


@pytest.mark.parametrize("rules", sorted(RULESETS))
def test_the_legal_plays_of_a_roll_are_shown_in_every_game(rules: str, tmp_path: Path) -> None:
    game = ruleset(rules)
    roll = (3, 2, 1)[: game.dice]

    async def play() -> None:
        async with trained(tmp_path, None, rules) as live:
            await live.command(Dice(roll))
            seen = await until(live, lambda s: bool(s.legal))
            legal = {shown(p.result, rules=game) for p in legal_plays(game.start, roll, game)}
            assert {p.table for p in seen.legal} <= legal
            assert len(seen.legal) == min(len(legal), MOST_PLAYS)
            assert any(colour == "blue" for colour, _ in seen.lamps.values())

    asyncio.run(play())


def test_in_tournament_mode_there_is_no_aid_and_that_is_said(tmp_path: Path) -> None:
    async def play() -> None:
        async with trained(tmp_path, BlotCoach(), mode="tournament") as game:
            await game.command(Dice((3, 1)))
            lay(game, BLOTS)
            shown_ = await until(game, lambda s: s.banner.kind == "accepted")
            assert (shown_.mode, shown_.legal, shown_.advice) == ("tournament", (), None)
            for aid in (TakeBack(), PlayAnyway()):
                with pytest.raises(CommandError, match="tournament mode"):
                    await game.command(aid)
            await game.command(EndTurn())
            with pytest.raises(CommandError, match="no double was offered"):
                await game.command(Cube("take"))

    asyncio.run(play())


def test_the_coach_is_told_what_is_played_for() -> None:
    setup = Setup(policy="legal", layout=LAYOUT, side=LIGHT, length=7)
    state, _ = play_out(begin(setup), looks(0, 1, START, None))
    assert stake_of(state, LIGHT) == Stake(1, 0, (0, 0), 7, False)
    state, _ = play_out(state, [CubeActed(2, "double"), CubeActed(3, "take")])
    assert stake_of(state, LIGHT) == Stake(2, -1, (0, 0), 7, False)
    assert stake_of(state, DARK) == Stake(2, 1, (0, 0), 7, False)


@pytest.mark.skipif(not isinstance(find_coach(BACKGAMMON), Gnubg), reason="apt install gnubg")
def test_gnubg_knows_the_score() -> None:
    """6-4 from the start: running is best where gammons count for nothing."""
    coach = find_coach(BACKGAMMON)
    assert coach is not None
    money = coach.rate(BACKGAMMON.start, (6, 4))
    last_point = coach.rate(BACKGAMMON.start, (6, 4), Stake(length=1))
    assert {row.play for row in money} == {row.play for row in last_point}
    assert last_point[0].play == "24/14"
    assert money[0].play != "24/14"
