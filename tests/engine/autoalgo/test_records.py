"""The columns that the rules list, and their allowed values in order (inputs 1.1 to 1.5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.records import DATABASE, Location, Nation
from engine.autoalgo.setup.variables import side_variables
from engine.columns import Field, Kind, columns
from scripts.support.pinned_tables import shipped_tables, tables
from scripts.support.small_battles import war

COLUMNS = {column.id: column for record in DATABASE for _, column in columns(record)}


def test_ud_05_power_is_a_list_of_three_numbers() -> None:
    """QN-03: long; medium; short."""
    power = COLUMNS["UNIT-08"]

    assert power.count == 3
    assert "long; medium; short" in power.note


def test_qn_01_ranges_are_in_metres() -> None:
    assert [COLUMNS[f"UNIT-{number:02}"].unit for number in (5, 6, 7)] == ["m", "m", "m"]


def test_ud_07_only_ships_have_a_capacity() -> None:
    """Capacity is 0 for every land unit of the catalogue and above 0 for every ship."""
    ships = {unit.name for unit in tables().units.values() if unit.capacity}

    assert ships == {"Barges", "Longship", "Galley", "Ship of the Line", "Steam Ironclad"}


def test_ud_06_only_gunpowder_and_engines_have_a_rebound() -> None:
    """Before gunpowder nothing but siege engines and crossbows reloads."""
    slow = {unit.name for unit in tables().units.values() if unit.rebound}

    assert slow == {
        *("Genoese Crossbowman", "Tercio Arquebusier", "Musketeer Line", "Trebuchet", "Bombard", "Falconet"),
        *("12-pdr Cannon", "Ship of the Line", "Steam Ironclad"),
    }


def test_qn_11_units_are_an_optional_tab_and_stability_a_column() -> None:
    assert [record.tab.name for record in DATABASE if record.tab.optional] == ["Units"]
    assert COLUMNS["NAT-02"].header == "Stability"


WITHOUT_BATTLE = "It counts for occupation and Stability only."


@pytest.mark.parametrize(
    ("attribute", "field"), [found for found in columns(Nation) if str(found[1].note).endswith(WITHOUT_BATTLE)]
)
def test_var_05_notes_mark_columns_that_count_only_after_the_battle(attribute: str, field: Field) -> None:
    """Whatever stands in them, the battle is deployed alike; what follows it is not."""
    one = war()
    before, other = Battlefield.of(one, tables(), 1), []
    nation = one.attacker.nation
    values = tables().lists[field.choices].values if field.kind is Kind.CHOICE else (0.1, 900)
    for value in values:
        changed = replace(one, attacker=replace(one.attacker, nation=replace(nation, **{attribute: value})))
        other.append(Battlefield.of(changed, tables(), 1))

    assert all(repr(field.battle) == repr(before.battle) for field in other)
    assert all(repr(field.tunables) == repr(before.tunables) for field in other)
    assert any(repr(field.aftermath) != repr(before.aftermath) for field in other)


def test_var_05_notes_mark_columns_that_hardly_change_the_odds() -> None:
    """No value of theirs moves Efficiency, Limitation, Morale Bonus or Capacity of the shipped numbers by 2 %."""
    ours, one = shipped_tables(), war()
    one = replace(one, location=replace(one.location, local_population=500_000))
    fields = {attribute: field for record in (Nation, Location) for attribute, field in columns(record)}
    slight = [name for name, field in fields.items() if "hardly moves the odds of a battle" in str(field.note)]

    def values_of(inputs: WarInputs) -> list[float]:
        found = side_variables(inputs, 0, ours)
        return [found.efficiency[0].value, found.limitation[0].value, found.morale_bonus.value, found.capacity.value]

    assert slight == ["ideology", "religion", "ethnicity", "climate"]
    for name in slight:
        for value in ours.lists[fields[name].choices].values:
            if name == "climate":
                other = replace(one, location=replace(one.location, climate=value))
            else:
                nation = replace(one.attacker.nation, **{name: value})
                other = replace(one, attacker=replace(one.attacker, nation=nation))
            assert values_of(other) == pytest.approx(values_of(one), rel=0.02), (name, value)
