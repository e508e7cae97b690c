"""What counts as the same cell when a commit compares what was read with what is there."""

import pytest

from sheets_algo.workbook.staleness import same


@pytest.mark.parametrize(
    ("one", "other"), [(None, ""), (2, 2.0), ("a", "a"), (True, True), (float("nan"), float("nan"))]
)
def test_the_same(one, other):
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(("one", "other"), [(True, 1), (0, None), ("2", 2), (float("nan"), 2.0), (False, None)])
def test_not_the_same(one, other):
    assert not same(one, other)
    assert not same(other, one)
