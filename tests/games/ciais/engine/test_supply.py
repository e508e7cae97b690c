"""Logistics: distances, attrition points, and whom they kill."""

from decimal import Decimal
from typing import Any

import pytest

from engine.ciais.supply import dies, distance, points, supply
from engine.ciais.tables import CiaisConstants
from tests.games.ciais.engine.games import CONSTANTS, TABLES, reading, site, unit, unit_type


def with_(name: str, value: str) -> CiaisConstants:
    return TABLES.having(reading(name, value)).constants


def reckoned(unit_at: tuple[float, float], site_at: tuple[float, float], wraps: bool = True) -> Decimal:
    return distance(
        unit(latitude=unit_at[0], longitude=unit_at[1]), site(latitude=site_at[0], longitude=site_at[1]), wraps
    )


def test_ci_ex_05_ci_log_02_ci_log_03_distance_is_taxicab() -> None:
    """CI-OP-25: 4.4 + 1.8, exactly."""
    found = reckoned((48.1, 11.6), (52.5, 13.4))

    assert (found, points(found)) == (Decimal("6.2"), 6)


def test_ci_ex_06_ci_op_09_distance_crosses_the_date_line() -> None:
    assert points(reckoned((10, 179), (10, -178))) == 3
    assert points(reckoned((10, 179), (10, -178), wraps=False)) == 357


def test_ci_op_08_only_full_degrees_count() -> None:
    cases = [(0.999, 0), (1, 1), (1.999, 1), (180, 180)]
    assert [(east, points(reckoned((0, 0), (0, east)))) for east, _ in cases] == cases


def test_ci_op_08_the_whole_distance_is_rounded_down() -> None:
    assert points(reckoned((0, 0), (0.6, 0.6))) == 1


def test_ci_log_01_ci_op_10_the_nearest_own_base_or_outpost_supplies() -> None:
    sites = [
        site("City", kind="city", latitude=0, longitude=1),
        site("Far", latitude=0, longitude=9),
        site("Near", kind="outpost", latitude=0, longitude=-4),
        site("Foreign", "Bola", latitude=0, longitude=2),
    ]
    found = supply(unit(), sites, {"Anna"}, CONSTANTS)
    allied = supply(unit(), sites, {"Anna", "Bola"}, CONSTANTS)

    assert found is not None
    assert (found.site.name, found.points) == ("Near", 4)
    assert allied is not None
    assert allied.site.name == "Foreign"
    assert supply(unit(), sites, {"Chen"}, CONSTANTS) is None


def test_ci_op_10_the_first_of_equally_near_sites_supplies() -> None:
    sites = [site("East", longitude=3), site("West", longitude=-3)]
    found = supply(unit(), sites, {"Anna"}, CONSTANTS)

    assert found is not None
    assert found.site.name == "East"


@pytest.mark.parametrize(("points", "dead"), [(30, False), (31, True)])
def test_ci_ex_04_ci_log_05_a_unit_at_exactly_0_survives(points: int, dead: bool) -> None:
    assert dies(unit_type(multi_l=3), points, CONSTANTS) is dead


SHIP: dict[str, Any] = {"type": "sea", "multi_l": 0, "multi_s": 4, "multi_a": 9}


@pytest.mark.parametrize(
    ("stat", "type", "lives_at"),
    [
        ("multi-l", SHIP, 40),  # without multi-l: its own type's
        ("multi-l", SHIP | {"multi_l": 1}, 10),
        ("multi-l", SHIP | {"type": "air"}, 90),
        ("multi-l", SHIP | {"type": "land"}, 90),  # the largest
        ("own type", SHIP | {"multi_l": 1}, 40),
        ("own type", SHIP | {"type": "land", "multi_l": 1}, 90),
        ("literal", SHIP, 0),
        ("literal", SHIP | {"multi_l": 1}, 10),
    ],
)
def test_ci_op_06_a_unit_has_a_deciding_multiplier(stat: str, type: dict[str, Any], lives_at: int) -> None:
    constants = with_("death_stat", stat)

    assert not dies(unit_type(**type), lives_at, constants)
    assert dies(unit_type(**type), lives_at + 1, constants)


def test_ci_base_04_longitudes_have_theatres() -> None:
    cases = [
        (-87.6, "Western"),
        (-30.1, "Western"),
        (-30, "Central"),
        (60, "Central"),
        (60.1, "Eastern"),
        (180, "Eastern"),
    ]
    assert [(longitude, TABLES.theatre(longitude)) for longitude, _ in cases] == cases
