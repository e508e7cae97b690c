"""The columns that the rules list, and their allowed values in order (inputs 1.1 to 1.5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.autoalgo.fight.battlefield import Battlefield
from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.records import DATABASE, Location, Nation
from engine.autoalgo.setup.variables import side_variables
from engine.columns import Field, Kind, columns
from scripts.support.pinned_tables import shipped_tables, tables
from scripts.support.small_battles import war

COLUMNS = {column.id: column for record in DATABASE for _, column in columns(record)}
REQUIRED = None
"""Stands for a default where there is none."""

NUMBERS = [
    ("NAT-02", "Stability", Kind.NUMBER, (0, 200), 100),
    ("NAT-03", "Population", Kind.WHOLE, (1, 8_000_000_000), REQUIRED),
    ("NAT-10", "Year Founded", Kind.WHOLE, (-3500, 2100), REQUIRED),
    ("NAT-11", "Year Crisis", Kind.WHOLE, (-3500, 2100), REQUIRED),
    ("NAT-15", "Arable Land", Kind.NUMBER, (0, 180_000_000), 7000),
    ("NAT-16", "Age of Civilization", Kind.WHOLE, (-10_000, 1980), -2000),
    ("NAT-23", "GDP", Kind.NUMBER, (0, 100_000_000_000_000), 30_000_000),
    ("NAT-24", "Urban Population", Kind.NUMBER, (0, 1), 0.6),
    ("NAT-25", "Power Consumption", Kind.NUMBER, (0, 10_000_000_000_000), 75_000_000),
    ("NAT-26", "Steel Production", Kind.NUMBER, (0, 1_000_000_000), 0),
    ("MIL-03", "Size", Kind.WHOLE, (1, 15_000_000), REQUIRED),
    ("MIL-06", "Infantry Proportion", Kind.NUMBER, (0, 1), 0),
    ("MIL-08", "Cavalry Proportion", Kind.NUMBER, (0, 1), 0),
    ("MIL-10", "Artillery Proportion", Kind.NUMBER, (0, 1), 0),
    ("MIL-12", "Ship Number", Kind.WHOLE, (0, 500), 0),
    ("MIL-14", "Budget", Kind.NUMBER, (0, 1_000_000_000_000), 1_000_000),
    ("LOC-02", "Local Population", Kind.WHOLE, (0, 200_000_000), 0),
    ("LDR-03", "Birth Year", Kind.WHOLE, None, None),
    ("LDR-04", "Attack", Kind.NUMBER, (0, 10), 0),
    ("LDR-05", "Defense", Kind.NUMBER, (0, 10), 0),
    ("LDR-06", "Siege", Kind.NUMBER, (0, 10), 0),
    ("LDR-07", "Authority", Kind.NUMBER, (0, 10), 0),
    ("LDR-08", "Cunning", Kind.NUMBER, (0, 10), 0),
    ("LDR-09", "Zeal", Kind.NUMBER, (0, 10), 0),
    ("LDR-10", "Martial", Kind.NUMBER, (0, 10), 0),
    ("UNIT-02", "Speed", Kind.NUMBER, (1, 500), 3),
    ("UNIT-03", "Rebound", Kind.NUMBER, (0, 10), 0),
    ("UNIT-04", "Shock", Kind.NUMBER, (0, 1), 0),
    ("UNIT-05", "Long Range", Kind.NUMBER, (0, 500), 0.1),
    ("UNIT-06", "Medium Range", Kind.NUMBER, (0, 500), 0.1),
    ("UNIT-07", "Short Range", Kind.NUMBER, (0, 500), 0.1),
    ("UNIT-08", "Power", Kind.NUMBERS, (0, 10), (0.5, 0.5, 0.5)),
    ("UNIT-09", "Psychology", Kind.NUMBER, (1, 20), 1),
    ("UNIT-10", "Defense", Kind.NUMBER, (0, 1), 0),
    ("UNIT-11", "Tactical Training", Kind.NUMBER, (0, 10), 5),
    ("UNIT-15", "Capacity", Kind.WHOLE, (0, 10_000), 0),
    ("UNIT-16", "Dispersion", Kind.NUMBER, (1, 20), 1),
]
"""Id, header, kind, range, default."""

CHOICES = [
    (
        "NAT-04",
        "Ideology",
        "Religious; Ethnic; Statist; Ethno-Nationalist; Ideological; Dynastic; Status Quo",
        "Statist",
    ),
    (
        "NAT-05",
        "Religion",
        "Christianity; Islam; Buddhism; Abrahamic; Monotheism; Henotheism; Ethnic Traditional; "
        "Animist; Secular; Atheism; New Age; Sinic; Indic",
        "Christianity",
    ),
    (
        "NAT-06",
        "Ethnicity",
        "Caucasian; Indo-Iranian; Sino-Tibetan; Niger-Congo; Hamito-Semetic; Austronesian; "
        "Dravidian; Turko-Mongolic; Japanese; Austro-Asiatic; Kai-Dai; Korean; Amerindian",
        "Caucasian",
    ),
    (
        "NAT-08",
        "Federal Government",
        "Feudal; Theocracy; Proletariat; Tribal; Republic; Monarchy; Dictatorship; Imperial; Governor",
        "Tribal",
    ),
    ("NAT-09", "State Government", "Unitary; Meritocracy; Nomadic; Republic; Feudal; Plutocracy", "Nomadic"),
    (
        "NAT-13",
        "Civilization Type",
        "Hunter-Gatherer; Proto-Urban; Nomadic; Bronze Age; Iron Age; Medieval; Early Modern; "
        "Industrial; Post-Industrial",
        "Hunter-Gatherer",
    ),
    ("NAT-14", "Diet", "Wheat; Rice; Corn; Sorghum; Sugar; Potatoes; Yams; Taro; none", "none"),
    ("NAT-17", "Domesticated Animals", "Herd animals; Hunting animals; Small animals; Rodents; none", "none"),
    ("NAT-18", "Endemic Disease", "Smallpox; Plague; Influenza; Malaria; Tuberculosis; Cholera; none", "none"),
    ("NAT-19", "Medicine", "Vaccinated; Germ Theory; Modern Medicine; Classical Medicine; none", "none"),
    (
        "NAT-20",
        "Writing",
        "Internet; Wireless; Telegraph; Moveable Type; Block Printing; Paper; Alphabet; "
        "Hieroglyphs; Basic Glyphs; none",
        "none",
    ),
    (
        "NAT-21",
        "Trade",
        "Owns entire trade route; Lucrative (buying); Lucrative (selling); Minor; War along route; Embargoed",
        "Minor",
    ),
    ("NAT-22", "Revenue", "High surplus; Mild surplus; Balanced; Deficit", "Balanced"),
    ("MIL-13", "Mobile Defenses", "Gabions; Trenches; Earthenworks; Wooden stakes; Cavalry ditch; none", "none"),
    ("LOC-03", "Climate", "Ocean; Temperate; Tropical; Continental; Arid; Arctic", "Temperate"),
    (
        "LOC-04",
        "Terrain",
        "Plain; Hill; Hillcountry; Mountain Pass; Mountain; Sea; Normal Coast; Hard Coast; "
        "Normal River; Channel; River with Bridge; Island",
        "Plain",
    ),
    ("LOC-05", "Urbanization", "City (Modern); City (Pre-Modern); Rural; Nomadic; none", "none"),
    ("LOC-06", "Attrition", "none; At Sea; Hostile Natives; Mountains; Jungle; Desert; Tundra; Radiation", "none"),
    (
        "LOC-07",
        "Fortifications",
        "Bunker; Star Fort; Bastion Fort; Curtain Walls; Great Wall; Castle; Motte and Bailey; "
        "Palisade; Hillfort; none",
        "none",
    ),
    ("LOC-08", "Road System", "Highways; Locomotives; Railways; Modern roads; Waterways; Basic roads; none", "none"),
    ("UNIT-12", "Logistics", "Basic; Uses roads; Advanced caches; Foraging; Personally supplied", "Basic"),
    ("UNIT-13", "Soldier Type", "Regular; Elite; Traditional", "Regular"),
    ("UNIT-14", "Military Type", "Professional; Holy Order; Mercenary; Drafted; Tribal; Militia", "Militia"),
]
"""Id, header, allowed values in the sheet's order, default."""

NAMES = [
    ("NAT-01", "Name", Kind.TEXT, "", ""),
    ("NAT-07", "Leader", Kind.REFERENCE, "Leaders", ""),
    ("NAT-12", "Capital", Kind.REFERENCE, "Locations", ""),
    ("MIL-01", "Nation", Kind.REFERENCES, "Nations", ()),
    ("MIL-02", "Name", Kind.TEXT, "", ""),
    ("MIL-04", "Leader", Kind.REFERENCE, "Leaders", ""),
    ("MIL-05", "Infantry Type", Kind.REFERENCE, "Units", ""),
    ("MIL-07", "Cavalry Type", Kind.REFERENCE, "Units", ""),
    ("MIL-09", "Artillery Type", Kind.REFERENCE, "Units", ""),
    ("MIL-11", "Transport", Kind.REFERENCE, "Units", "Barges"),
    ("LOC-01", "Name", Kind.TEXT, "", ""),
    ("LOC-09", "Owner", Kind.REFERENCE, "Nations", ""),
    ("LOC-10", "Occupied By", Kind.REFERENCE, "Nations", ""),
    ("LDR-01", "Name", Kind.TEXT, "", ""),
    ("LDR-02", "Nation", Kind.REFERENCES, "Nations", ()),
    ("LDR-11", "Status", Kind.TEXT, "", ""),
    ("UNIT-01", "Name", Kind.TEXT, "", ""),
]
"""Id, header, kind, the tab it refers to, default."""


def ids(rows: list[Any]) -> list[str]:
    return [row[0] for row in rows]


def test_numeric_columns_have_their_ranges() -> None:
    for id, header, kind, bounds, default in NUMBERS:
        column = COLUMNS[id]
        assert (column.header, column.kind, column.default) == (header, kind, default), id
        assert (column.low, column.high) == (bounds or (None, None)), id


def test_choice_columns_list_their_values_in_order() -> None:
    for id, header, values, default in CHOICES:
        column = COLUMNS[id]
        assert (column.header, column.kind, column.default) == (header, Kind.CHOICE, default), id
        assert list(tables().lists[column.choices].values) == values.split("; "), id


def test_reference_columns_name_their_tabs() -> None:
    for id, header, kind, to, default in NAMES:
        column = COLUMNS[id]
        assert (column.header, column.kind, column.to, column.default) == (header, kind, to, default), id


def test_each_column_is_tested() -> None:
    assert sorted([*ids(NUMBERS), *ids(CHOICES), *ids(NAMES)]) == sorted(COLUMNS)


@pytest.mark.parametrize(
    ("id", "aliases"),
    [
        ("NAT-08", "Federal Gov"),
        ("NAT-09", "State Gov"),
        ("NAT-10", "Founded Year"),
        ("NAT-11", "Crisis Year"),
        ("NAT-12", "Capital Region"),
        ("NAT-19", "Medical technology"),
        ("NAT-20", "Writing technology"),
        ("MIL-13", "Mobile defences"),
        ("LOC-05", "Urbanisation"),
        ("LOC-08", "Road systems"),
        ("LDR-05", "Defence"),
        ("UNIT-10", "Defence"),
        ("UNIT-11", "Training"),
    ],
)
def test_headers_have_other_spellings(id: str, aliases: str) -> None:
    """Inputs 1.6."""
    column: Field = COLUMNS[id]

    assert column.aliases == (aliases,)


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
