"""The contents of the tables, and the messages about errors in them, with file, place, found, allowed and nearest."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest

from engine.autoalgo.records import DATABASE, Leader, Military, Nation, Unit
from engine.autoalgo.setup.tables import FILES, Tables
from engine.columns import ColumnPlace, Kind, column, columns
from engine.config_value import TableError
from scripts.support.pinned_tables import raw_tables, tables, tables_with

TABLES = tables()


def table_error(path: str, value: Any) -> str:
    """Return the error message for tables with a wrong value at a place."""
    with pytest.raises(TableError) as caught:
        tables_with({path: value})
    return str(caught.value)


def test_a_misspelled_term_is_reported_like_a_cell() -> None:
    found = table_error("variables/VAR-DEF/major/1", "fortifcations")

    assert found == (
        'variables.json#/VAR-DEF/major/1: "fortifcations" is not a term of Defense. Did you mean "fortifications"?'
    )


def test_errors_name_place_value_and_allowed_values() -> None:
    cases = [
        ("variables/VAR-STAB/major/0", "training", '/major/0: "training" is not a term of Innate Stability'),
        ("variables/VAR-STAB/major/0", "revenue-trade", '#/VAR-STAB/major/0: "revenue-trade" is not a term'),
        ("weights/major", "three", 'weights.json#/major: "three" is not allowed. Use a number.'),
        ("pairs/pairs/Climate–Religion/Capacity/exceptions/Arid", {"Islm": 0.1}, 'Did you mean "Islam"?'),
        ("pairs/pairs/Climate–Religion/Capacity/exceptions", {"Dry": {}}, '"Dry" is not a value of Climate. Use'),
        ("ordered/lists/Trade/feeds/Economy/values", {"Minor": 1}, '"Embargoed" is missing.'),
        ("ordered/lists/Trade/feeds", {}, 'ordered.json#/lists/Trade/feeds: "Economy" is missing.'),
        ("diet/crops/Wheat", {"protein": 1}, 'diet.json#/crops/Wheat: "yield" is missing.'),
        ("aliases/lists/Climate/words", {"Antarctic": ["Artic"]}, "aliases.json#/lists/Climate/words/Antarctic"),
        ("aliases/lists/Climate/words/Ocean", ["Artic"], '"Artic" is also a word for'),
        ("values/meanings/Trade/Minr", "x", 'Did you mean "Minor"?'),
        ("units/units/3/Speed", 501, "units.json#/units/3/Speed: 501 is not allowed. Use a number from 1 to 500."),
        ("units/units/3/Power", [1, 2], "2 entries are not allowed. Use exactly 3."),
        ("units/units/3/Logistics", "Forage", 'Did you mean "Foraging"?'),
        ("units/units/3/Shok", 1, 'Did you mean "Shock"?'),
        ("units/units/3/Name", "Soldier", '"Soldier" is there twice.'),
        (
            "units/basic_transport",
            "Barge",
            'units.json#/basic_transport: "Barge" is not a unit. Did you mean "Barges"?',
        ),
        ("defaults/military/Infantry Type", "soldier", 'Did you mean "Soldier"?'),
        ("defaults/nation/Founded", 900, '"Founded" is not a column of Nations.'),
        ("defaults/nation/Population", 0, "0 is not allowed. Use a number from 1 to 8,000,000,000."),
        ("climate/ocean", "Sea", '"Sea" is not a value of Climate'),
        ("climate/local_population/Arid", "many", '"many" is not allowed. Use a whole number.'),
        ("max_military/civilization_groups/Medieval", "premodern", 'Did you mean "pre-modern"?'),
        ("max_military/totalitarian_governments/0", "Communism", "is not a value of Federal Government. Use"),
        ("strategy/ends_when", "route", 'Did you mean "routed"?'),
        ("strategy/positions/attacker", [[1, 2]], "strategy.json#/positions/attacker: 1 places for 3 default flanks."),
        ("terrain/roles/siege/1", "Cliff", 'Did you mean "Cliffs"?'),
        ("generations/phases/1/from", 31, "generations.json#/phases/0/to: 30 is not where the next phase begins, 31."),
        ("generations/phases/0/from", 1, "the first phase must begin at 0 years."),
        ("generations/phases/3/to", 99, "the last phase must have no end"),
        ("stability_bands/bands/1/from", 40, "#/bands/1/from: 40 is not below the next band's 40."),
        ("occupation_bands/bands/0/from", 0.1, "the first band must begin at 0."),
    ]
    assert [
        (path, value, expected, table_error(path, value))
        for path, value, expected in cases
        if expected not in table_error(path, value)
    ] == []


def test_a_list_must_hold_the_default_of_its_column() -> None:
    with pytest.raises(TableError, match='the list "Terrain" must hold "Plain", the default of Terrain'):
        tables_with({"aliases/lists": {}, "values/unordered/Terrain": {"Hill": "A rise."}})


def test_var_01_a_variable_needs_a_term() -> None:
    empty: dict[str, Any] = {f"variables/VAR-DEF/{weight}": [] for weight in ("major", "moderate")}

    with pytest.raises(TableError, match=r"variables\.json#/VAR-DEF: a variable needs at least one term"):
        tables_with(empty)


def test_every_file_is_needed() -> None:
    for name in FILES:
        raw = raw_tables()
        del raw[name]

        with pytest.raises(TableError, match=rf"^{name}\.json: the file is missing\.$"):
            Tables.of(raw)


def test_a_misspelt_constant_is_reported_with_the_nearest_name() -> None:
    raw = raw_tables()
    raw["constants"]["ATK-07"]["rout_below"] = raw["constants"]["ATK-07"].pop("routed_below")
    raw["constants"]["ATK-99"] = {"x": 1}

    with pytest.raises(TableError) as caught:
        Tables.of(raw)
    assert str(caught.value).splitlines() == [
        'constants.json#/ATK-07/rout_below: "rout_below" is not allowed here. Did you mean "routed_below"?',
        'constants.json#/ATK-07: "routed_below" is missing.',
        'constants.json#/ATK-99: "ATK-99" is not allowed here. Delete it.',
    ]


def test_an_entry_of_an_earlier_format_is_to_be_deleted() -> None:
    raw = raw_tables()
    raw["ages"]["ages"][0]["Training"] = {"Militia": 5}

    with pytest.raises(TableError, match=r'/Training: "Training" is not allowed here\. Delete it\.$'):
        Tables.of(raw)


def test_constants_are_converted_to_their_declared_types() -> None:
    """Machine code is made for the types; 20 in the file and 20.5 in a setting are both for the same code."""
    raw = raw_tables()
    raw["constants"]["STRAT-04"]["morale_a_man"], raw["constants"]["MOVE-02"]["attack_rounds"] = 20, 3.0

    for numbers in Tables.of(raw).constants:
        assert [type(number) for number in numbers] == list(get_type_hints(type(numbers)).values())


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("ordered/lists/Trade/feeds/Economy/values/Minor", 1.5),
        ("ordered/lists/Medicine/feeds/Disease/values/Germ Theory", 1.3),
        ("ordered/lists/Logistics/feeds/Resilience/values/Foraging", 1),
        ("attrition/values/Desert/Capacity", 0.9),
        ("attrition/values/Desert/constant", 0.001),
        ("secular_cycles/phases/0/Innate Stability", 0.95),
    ],
)
def test_r_40_numbers_must_follow_the_rank(path: str, value: float) -> None:
    table_error(path, value)


def test_var_03_pair_tables_fall_back_from_exact_to_general() -> None:
    table = {"default": 1, "exceptions": {"*": {"Islam": 2}, "Arid": {"*": 1.5, "Islam": 1.75}}}
    pair = tables_with({"pairs/pairs/Climate–Religion/Capacity": table}).scores.pairs["Climate", "Religion", "Capacity"]

    assert pair.number("Arid", "Islam") == 1.75
    assert pair.number("Arid", "Sinic") == 1.5
    assert pair.number("Tropical", "Islam") == 2
    assert pair.number("Tropical", "Sinic") == 1


def test_r_27_the_generic_entries_follow_the_war_year() -> None:
    nation = TABLES.defaults.nation(1066)

    assert (nation.name, nation.year_founded, nation.year_crisis, nation.population) == (
        "default",
        966,
        1021,
        1_000_000,
    )
    assert nation.religion == column(Nation, "religion").default
    assert TABLES.defaults.nation(-3500).year_founded == -3600  # not checked there
    assert (TABLES.defaults.military.name, TABLES.defaults.military.size) == ("default", 10_000)
    assert TABLES.defaults.military.infantry_proportion == 1
    assert TABLES.defaults.location.terrain == "Plain"


def test_qn_06_tables_have_the_numbers_of_the_source() -> None:
    """Attrition none 0.01, wheat's domestication 1, Vaccinated 0; everything else is left to the tables."""
    assert TABLES.attrition["none"].constant == 0.01
    assert TABLES.diet["Wheat"].domestication == 1
    assert TABLES.disease_losses("Vaccinated") == 0


def test_r_11_a_map_is_ten_thousand_square_kilometres() -> None:
    """QN-02."""
    side_km = TABLES.strategy.map_pixels * TABLES.strategy.km_per_pixel

    assert side_km * side_km == 10_000


def test_ud_01_a_missing_column_takes_soldiers_value() -> None:
    soldier = TABLES.units["Soldier"]

    assert soldier == Unit(name="Soldier")
    assert (soldier.speed, soldier.rebound, soldier.shock, soldier.power) == (3, 0, 0, (0.5, 0.5, 0.5))
    assert (soldier.long_range, soldier.medium_range, soldier.short_range) == (0.1, 0.1, 0.1)
    assert (soldier.psychology, soldier.defense, soldier.tactical_training, soldier.capacity) == (1, 0, 5, 0)
    assert (soldier.logistics, soldier.soldier_type, soldier.military_type) == ("Basic", "Regular", "Militia")


def test_md_06_barges_are_unarmed_and_carry_fifty() -> None:
    """The default of MIL-11."""
    barges = TABLES.units[TABLES.basic_transport]

    assert (barges.name, barges.power, barges.capacity) == ("Barges", (0, 0, 0), 50)
    assert column(Military, "transport").default == "Barges"
    assert TABLES.unit_aliases == {"Barge": "Barges"}


def test_ud_04_no_unit_exceeds_its_long_range() -> None:
    """A weapon of power 0 only sets a minimum range (UD-03)."""
    for unit in TABLES.units.values():
        reaches = (unit.long_range, unit.medium_range, unit.short_range)
        armed = [reach for reach, power in zip(reaches, unit.power, strict=True) if power > 0]
        assert unit.long_range >= max(armed, default=0), unit.name


@pytest.mark.parametrize(
    ("name", "best", "first"),
    [
        ("Civilization Type", "Post-Industrial", "Hunter-Gatherer"),
        ("Logistics", "Personally supplied", "Basic"),
        ("Soldier Type", "Traditional", "Regular"),
        ("Medicine", "Vaccinated", "Vaccinated"),
        ("Fortifications", "Bunker", "Bunker"),
        ("Attrition", "none", "none"),
    ],
)
def test_qn_07_lists_keep_the_sheets_order(name: str, best: str, first: str) -> None:
    """QN-07: Traditional is the best Soldier Type."""
    values = TABLES.lists[name].values

    assert TABLES.scores.best(name, values) == best
    assert values[0] == first


def test_values_have_other_spellings() -> None:
    """Inputs 1.6 and QN-05."""
    cases = [
        ("Ideology", "ideologic", "Ideological"),
        ("Ideology", "Religion", "Religious"),
        ("Religion", " muslim ", "Islam"),
        ("Ethnicity", "Hamito-Semitic", "Hamito-Semetic"),
        ("Ethnicity", "TAI-KADAI", "Kai-Dai"),
        ("Climate", "artic", "Arctic"),
        ("Terrain", "hill  country", "Hillcountry"),
        ("Attrition", "Mountain", "Mountains"),
        ("Mobile Defenses", "Earthworks", "Earthenworks"),
        ("Maneuver", "hit-and-run", "Hit and run"),
        ("Logistics", "Personally Supplied", "Personally supplied"),
        ("Ideology", "Economic", None),  # QN-05
        ("Climate", "Damp", None),
        ("Religion", "roman  catholic", "Christianity"),
        ("Ethnicity", "Norwegian", "Caucasian"),
    ]
    assert [(name, found, TABLES.lists[name].canonical(found)) for name, found, _ in cases] == cases


def test_db_02_required_columns_are_declared() -> None:
    required = [field.header for record in DATABASE for _, field in columns(record) if field.required]

    assert required == [
        *("Name", "Population", "Year Founded", "Year Crisis"),
        *("Nation", "Name", "Size"),
        "Name",
        *("Name", "Nation"),
        "Name",
    ]


def test_db_01_defaults_are_allowed_by_their_own_column() -> None:
    for record in DATABASE:
        for name, field in columns(record):
            if field.kind in (Kind.NUMBER, Kind.WHOLE) and field.default is not None:
                assert field.low is None or field.low <= field.default, name
                assert field.high is None or field.default <= field.high, name


def test_ldr_11_the_program_writes_status() -> None:
    assert [field.header for _, field in columns(Leader) if field.place is not ColumnPlace.PERSON] == ["Status"]
    assert not column(Nation, "stability").place.is_programs


def test_db_09_columns_whose_unreadable_cells_count_as_blank() -> None:
    """LDR-03, and the terms that hardly move the odds of a battle: any community has words of its own for them."""
    forgiven = [field.header for record in DATABASE for _, field in columns(record) if field.lenient]

    assert forgiven == ["Ideology", "Religion", "Ethnicity", "Birth Year", "Military Type"]


def test_md_08_zero_means_none_only_in_type_cells() -> None:
    """QN-04: blank would mean Soldiers."""
    accepting = [field.header for record in DATABASE for _, field in columns(record) if field.zero_means_none]

    assert accepting == ["Infantry Type", "Cavalry Type", "Artillery Type"]
