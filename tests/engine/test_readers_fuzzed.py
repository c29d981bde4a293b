"""A few hundred mutated inputs for every reader; the hundred thousand are `make fuzz`."""

from __future__ import annotations

import pytest

from tests.engine.fuzz import SECONDS, fuzz, readers


@pytest.mark.parametrize("reader", readers(), ids=lambda reader: reader.name)
def test_only_typed_errors_and_no_hang(reader):
    if reader.name == "ogxm":
        pytest.importorskip("ogxm")
    report = fuzz(reader, 300, seed=2)
    assert report.inputs == 300
    assert report.slowest < SECONDS, report.worst
