"""Which spellings of a name are one name."""

from __future__ import annotations

from engine.columns import folded, loosely
from tests.helpers.spellings import ONE_NAME, TWO_NAMES


def test_db_07_spellings_of_one_name_compare_equal() -> None:
    assert [(one, other) for one, other in ONE_NAME if loosely(one) != loosely(other)] == []


def test_db_07_different_names_compare_unequal() -> None:
    assert [(one, other) for one, other in TWO_NAMES if loosely(one) == loosely(other)] == []


def test_ids_are_folded_for_seeds_as_in_earlier_versions() -> None:
    assert folded(" W–0007’s\u00a0 É") == "w–0007’s é"
