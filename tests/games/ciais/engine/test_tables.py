"""The tables: what is published, and what slips in them are called."""

from dataclasses import replace
from typing import Any

import pytest

from engine.ciais.tables import CiaisTables
from engine.config_value import TableError
from engine.settings import Setting
from scripts.support.pinned_tables import SHIPPED, raw_tables
from tests.games.ciais.engine.games import TABLES


def spoilt(file: str, *path: str | int, value: Any) -> dict[str, Any]:
    raw = raw_tables("ciais", SHIPPED)
    place = raw[file]
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return raw


def test_ci_base_03_ci_op_05_the_published_unit_type_is_built_in() -> None:
    bomb = TABLES.unit_types["Thermonuclear Bomb"]

    assert list(TABLES.unit_types) == [bomb.name]
    assert (bomb.type, bomb.cost, bomb.multi_l, bomb.multi_s, bomb.multi_a) == ("air", 20_000, 10, 10, 10)
    assert (bomb.cost_t, bomb.range, bomb.cooldown) == (1000, 360, "Infinity")


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (
            spoilt("constants", "CI-UNR-04", "low_tax", value=16),
            r"constants\.json#/CI-UNR-04/low_tax: 16 is more than high_tax 15\. Use at most that\.",
        ),
        (
            spoilt("constants", "CI-UNR-02", "unit_lost", value=None),
            r"constants\.json#/CI-UNR-02: \"unit_lost\" is missing",
        ),
        (
            spoilt("constants", "CI-OP-06", "death_stat", value="own"),
            r'"own" is not allowed\. Did you mean "own type"\?',
        ),
        (spoilt("constants", "CI-TAX-01", "incomes", value=3), r'"incomes" is not allowed here'),
        (spoilt("theatres", "CI-BASE-04", 2, "east_of", value=0), r"the last theatre has a bound"),
        (spoilt("unit_types", "CI-BASE-03", 0, "Type", value="naval"), r'"naval" is not a value of Unit type'),
        (spoilt("values", "order", 0, "meaning", value=None), r'"meaning" is missing'),
    ],
)
def test_a_table_error_names_its_place(raw: dict[str, Any], says: str) -> None:
    with pytest.raises(TableError, match=says):
        CiaisTables.of(raw)


def test_settings_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(TableError, match="more than high_tax"):
        TABLES.having([Setting(name="constants/CI-UNR-04/low_tax", value=50)])


def test_tables_without_settings_are_returned_unchanged() -> None:
    assert TABLES.having(()) is TABLES
    assert replace(TABLES) == TABLES
