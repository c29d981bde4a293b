"""A small, fixed part of `make soak`."""

from __future__ import annotations

from tests.soak.games import soaked


def test_every_illegal_play_is_found_no_legal_one_refused_none_lost() -> None:
    tally = soaked(games=6, most_turns=8)
    assert tally.good, tally.text()
    assert tally.illegal.total() >= 8
