"""Points of armies (R-117)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.autoalgo.records import Unit
from engine.autoalgo.setup.points import mix_text, points_of, shares_of
from engine.autoalgo.setup.tables import Tables
from scripts.support.pinned_tables import SHIPPED, raw_tables, shipped_tables
from scripts.support.small_battles import BARGES, FEATURES, army, fleet, ground_of_codes, terrain, war

HOPLITE, KNIGHT, GALLEY = (shipped_tables().units[name] for name in ("Hoplite", "Norman Knight", "Galley"))


def test_r_117_points_count_an_army_s_men_or_a_fleet_s_ships() -> None:
    known = shipped_tables()
    a_knight = known.points["Norman Knight"]

    assert points_of(army(size=1_000, types=(HOPLITE, None, None)), known) == 1_000.0
    mixed = army(size=1_000, types=(HOPLITE, KNIGHT, None), shares=(0.7, 0.3, 0.0), ships=40)
    assert points_of(mixed, known) == pytest.approx(700 + 300 * a_knight)
    assert points_of(fleet(ships=30, ship=GALLEY), known) == 3_000.0


@pytest.mark.parametrize("other", [replace(HOPLITE, power=(1.0, 1.0, 1.0)), replace(HOPLITE, name="Hoplite of ours")])
def test_r_117_a_unit_outside_the_catalogue_has_no_points(other: object) -> None:
    """One man of it is enough, and none of it does not matter."""
    known = shipped_tables()
    types = (HOPLITE, other, None)

    assert points_of(army(size=1_000, types=types, shares=(0.999, 0.001, 0.0)), known) is None
    assert points_of(army(size=1_000, types=types, shares=(1.0, 0.0, 0.0)), known) == 1_000.0


def test_r_117_an_own_catalogue_may_lack_units_with_points() -> None:
    raw = raw_tables()
    raw["points"]["points"] = {"Unit of the release": 2, "Levy Spearman": 3}
    known = Tables.of(raw)

    assert points_of(army(size=100, types=(known.units["Levy Spearman"], None, None)), known) == 300
    assert points_of(army(size=100, types=(known.units["Huscarl"], None, None)), known) is None


def test_r_117_every_unit_has_points_and_later_foot_has_more() -> None:
    ages = (
        "Hoplite",
        "Arquebus infantry",
        "Line infantry (flintlock)",
        "Breech-loader infantry",
        "Magazine-rifle infantry",
    )
    worth = [shipped_tables().points[name] for name in ages]
    assert worth == sorted(worth)
    assert worth[-1] > 10
    eras = {unit["Name"] for unit in raw_tables(config=SHIPPED)["units"]["units"] if "–" in unit.get("Slot, era", "")}
    assert eras <= {*shipped_tables().points}


def test_mil_16_beasts_count_in_any_slot_and_artillery_in_its_own() -> None:
    known = shipped_tables()
    elephant, bombard = known.units["War elephant"], known.units["Bombard"]

    mixed = army(size=1_000, types=(HOPLITE, elephant, bombard), shares=(0.5, 0.4, 0.1))
    both = war(mixed, army(size=1_000, types=(HOPLITE, None, None)))
    assert [mix_text(both, side, known) for side in range(2)] == [", 10% artillery, 40% beasts", ""]
    assert shares_of(army(size=1_000, types=(HOPLITE, None, elephant), shares=(0.7, 0.0, 0.3)), known) == (0.0, 0.3)
    fleets = war(fleet(ships=30, ship=GALLEY), fleet(ships=30, ship=GALLEY))
    assert mix_text(fleets, 0, known) == ""


@pytest.mark.parametrize(
    ("ground", "ship", "ships", "says"),
    [
        ("Water", GALLEY, 40, ", 40 Galley of its own [MIL-12]"),
        ("Water", GALLEY, 0, ", 7 Galley hired to cross, which do not fight [R-122]"),
        ("Plain", GALLEY, 40, ""),
        ("Water", BARGES, 40, ""),
    ],
)
def test_r_117_ships_beside_an_army_are_reported_on_maps_with_water(
    ground: str, ship: Unit, ships: int, says: str
) -> None:
    """Seventeen ships of the line turned even armies on a coast into .99 of the battles, at equal points."""
    landed = army(size=1_000, types=(HOPLITE, None, None), ship=ship, ships=ships)
    codes = terrain().codes.copy()
    codes[0, 0] = FEATURES[ground]
    assert mix_text(war(landed, landed, ground=ground_of_codes(codes)), 0, shipped_tables()) == says


@pytest.mark.parametrize(
    ("ship", "ships", "says"),
    [
        (GALLEY, 40, ", 40 Galley of its own [MIL-12]"),
        (GALLEY, 0, ", 7 Galley hired for 1,000 men [MD-05]"),
        (BARGES, 40, ", 40 unarmed Barges of its own [MIL-12]"),
        (BARGES, 0, ", 20 unarmed Barges hired for 1,000 men [MD-05]"),
    ],
)
def test_md_05_transports_at_sea_are_reported_with_their_owner(ship: Unit, ships: int, says: str) -> None:
    """A land power that typed no ships hires them; `without 80 Galleon` was read as a lack of ships."""
    landed = army(size=1_000, types=(HOPLITE, None, None), ship=ship, ships=ships)
    assert mix_text(war(landed, landed, ground=terrain("Water")), 0, shipped_tables()) == says


def test_only_the_defender_s_works_are_named() -> None:
    known = shipped_tables()
    hoplites = army(size=1_000, types=(HOPLITE, None, None))
    dug_in = replace(hoplites, military=replace(hoplites.military, mobile_defenses="Gabions"))

    assert [mix_text(war(dug_in, dug_in), side, known) for side in range(2)] == ["", ", Gabions"]
