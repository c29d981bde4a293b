"""What is no longer on the board was borne off only where it can be nowhere else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
from msgspec import structs

from kibitz import calibration
from kibitz.borne_off import agreement, borne_off, told
from kibitz.read import line_of, read_one
from referee.observation import UNSEEN, Observation, belief
from vision.synth import Hand, Light, Scene, render

START = (2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 0, 0, 0, 0)
#: Light has borne off eight, dark four.
ENDGAME = (*[0] * 6, 2, 0, 1, 2, 1, 1, *[0] * 6, -2, -3, -2, 0, -2, -2, 0, 0, 0, 0)


def seen(table: tuple[int, ...]) -> Observation:
    beliefs = tuple(belief([(n, 1.0)], 0.0) for n in table[:26])
    return Observation(0.0, beliefs[:24], (beliefs[24], beliefs[25]))


def test_what_is_missing_late_in_the_game_was_borne_off() -> None:
    assert borne_off(seen(ENDGAME), 15) == (8, 4)
    assert borne_off(seen((*ENDGAME[:12], *[0] * 14)), 15) == (8, 15)
    assert borne_off(seen(START), 15) == (0, 0)


def test_a_checker_that_may_lie_beside_the_board_was_not_borne_off() -> None:
    assert borne_off(seen((1, *START[1:])), 15) is None
    assert borne_off(seen((*ENDGAME[:24], 1, 0)), 15) is None
    assert borne_off(seen((3, *START[1:])), 15) is None


def test_nothing_is_said_of_a_board_that_is_not_wholly_seen() -> None:
    whole = seen(START)
    assert borne_off(structs.replace(whole, points=(UNSEEN, *whole.points[1:])), 15) is None
    assert borne_off(structs.replace(whole, bar=(UNSEEN, UNSEEN)), 15) is None


def test_what_lies_beside_the_board_makes_surer_or_casts_doubt() -> None:
    assert told((3, 0), 0.95, None).counts == told((3, 0), 0.95, (0.0, 0.0)).counts == (3, 0)
    assert told((3, 0), 0.8, None).counts is None
    assert told((3, 0), 0.8, (3.0, 0.0)).counts == (3, 0)
    assert told((3, 0), 0.95, (4.0, 0.0)).doubt
    assert told((3, 0), 0.95, (3.0, 1.0)).doubt
    assert agreement(3, 0.95, 3.0) > 0.95 > agreement(3, 0.95, 2.0)


def test_read_infers_it_with_a_calibration_alone(tmp_path: Path) -> None:
    room = Scene(START, light=Light(slant=0.3, hard=0.3), seed=4)
    start, later, hidden = (
        render(scene)
        for scene in (room, replace(room, table=ENDGAME), replace(room, hand=Hand(6.0, 2.0, "near")))
    )
    kept = calibration.learned_from(start.image, start.board, START[:24])
    cv2.imwrite(str(tmp_path / "later.png"), later.image)
    cv2.imwrite(str(tmp_path / "hidden.png"), hidden.image)
    told = line_of(Path("x"), read_one(tmp_path / "later.png", None, kept), None, 0, "backgammon")
    assert told.points == ENDGAME[:24]
    assert (told.off, told.off_how) == ((8, 4), "inferred")
    bare = line_of(Path("x"), read_one(tmp_path / "later.png", None, None), None, 0, "backgammon")
    assert (bare.off, bare.off_how) == (None, None)
    beside = {}
    for name, off in (("agreed", (8, -4)), ("too many", (8, -5))):
        drawn = render(replace(room, table=(*ENDGAME[:26], *off)))
        cv2.imwrite(str(tmp_path / "off.png"), drawn.image)
        beside[name] = line_of(Path("x"), read_one(tmp_path / "off.png", None, kept), None, 0, "backgammon")
    assert (beside["agreed"].off, beside["agreed"].off_how) == ((8, 4), "inferred and seen")
    assert beside["too many"].off is None
    assert "4 dark checkers are missing" in " ".join(beside["too many"].warnings)
    under = line_of(Path("x"), read_one(tmp_path / "hidden.png", None, kept), None, 0, "backgammon")
    assert under.off is None
