"""What a session said, as a transcript and a match: corrections replace, they are not added."""

from __future__ import annotations

from engine.mat import read_mat
from engine.mat_write import write_mat
from engine.record import Act
from engine.rules import BACKGAMMON
from kibitz.record import match_of, transcript
from referee.events import (
    Amended,
    CubeActed,
    Input,
    LetStand,
    Output,
    Resigned,
    RollGiven,
    Setup,
    TurnEnd,
    TurnUndone,
)  # fmt: skip
from referee.layout import LIGHT
from referee.session import begin
from tests.referee.tables import LAYOUT, looks, moved, play_out, shown

START = shown(BACKGAMMON.start)


#: 8/5 6/5; 24/23 13/10; dark's 24/18 8/7; and 8/7 6/4, which no 3-1 allows
ONE = moved(START, (16, -1), (18, -1), (19, 2))
OTHER = moved(START, (11, -1), (10, 1), (0, -1), (14, 1))
DARK = moved(ONE, (23, 1), (17, -1), (4, 1), (5, -1))
WRONG = moved(START, (16, -1), (17, 1), (18, -1), (20, 1))


def turn(t: float, roll: tuple[int, ...], table: tuple[int, ...]) -> list[Input]:
    return [RollGiven(t, roll), *looks(t, 1.4, table, None), TurnEnd(t + 1.5)]


def said(*inputs: Input) -> list[Output]:
    setup = Setup(policy="legal", layout=LAYOUT, side=LIGHT)
    return play_out(begin(setup), [*looks(0, 1, START, None), *inputs])[1]


def test_a_turn_taken_back_is_in_no_record() -> None:
    outs = said(
        *turn(2, (3, 1), ONE), TurnUndone(5), *looks(5, 1, START, None), *looks(6, 1, OTHER, None), TurnEnd(7)
    )
    told = transcript("test", "backgammon", outs)
    assert [line.play for line in told.turns] == ["24/23 13/10"]
    match = match_of(outs, BACKGAMMON, LAYOUT)
    assert len(match.games[0].turns) == 1
    again = read_mat(write_mat(match)).games[0].turns
    assert [t.play for t in again] == [t.play for t in match.games[0].turns]


def test_an_amended_roll_replaces_and_its_accusation_goes() -> None:
    outs = said(RollGiven(2, (3, 1)), *looks(2, 2, WRONG, None), LetStand(4.5), Amended(6, 0, roll=(2, 1)))
    (line,) = transcript("test", "backgammon", outs).turns
    assert (line.dice, line.play, line.stood_illegal) == ((2, 1), "8/7 6/4", False)
    assert transcript("test", "backgammon", outs).illegal == ()


def test_the_cube_is_in_the_match_once_and_not_when_it_was_taken_back() -> None:
    doubled = (CubeActed(4, "double"), CubeActed(5, "take"))
    first = turn(2, (3, 1), ONE)
    outs = said(*first, *doubled, *turn(6, (6, 1), DARK), Resigned(9, 0, 1))
    game = match_of(outs, BACKGAMMON, LAYOUT).games[0]
    assert [t.act for t in game.turns] == [Act.PLAY, Act.DOUBLE, Act.TAKE, Act.PLAY, Act.RESIGN]
    assert (game.winner, game.points) == (1, 2)
    outs = said(*first, *doubled, TurnUndone(6), *turn(7, (6, 1), DARK))
    acts = [t.act for t in match_of(outs, BACKGAMMON, LAYOUT).games[0].turns]
    assert acts == [Act.PLAY, Act.PLAY]


def test_a_transcript_without_corrections_is_as_it_was() -> None:
    outs = said(*turn(2, (3, 1), ONE), *turn(6, (6, 1), DARK))
    assert [line.play for line in transcript("test", "backgammon", outs).turns] == ["8/5 6/5", "24/18 8/7"]
