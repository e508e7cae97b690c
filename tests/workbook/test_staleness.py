"""What counts as the same cell when a commit compares what was read with what is there."""

from sheets_algo.workbook.staleness import is_same_value
from tests.helpers.rows import each


@each(("one", "other"), [(None, ""), (2, 2.0), ("a", "a"), (True, True), (float("nan"), float("nan"))])
def test_equal_values_are_the_same(one, other):
    assert is_same_value(one, other)
    assert is_same_value(other, one)


@each(("one", "other"), [(True, 1), (0, None), ("2", 2), (float("nan"), 2.0), (False, None)])
def test_different_values_are_not_the_same(one, other):
    assert not is_same_value(one, other)
    assert not is_same_value(other, one)
