"""The configuration as it is shipped: schemas that are strict and explained, a whole rulebook, an example that fits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.autoalgo.records import NONE_ON_PURPOSE, Nation, Unit
from engine.autoalgo.setup.dates import phase_of
from engine.autoalgo.setup.tables import FILES, Tables
from engine.columns import Field, Kind, columns, tab_of
from sheets_algo.commands.schema import json_schemas
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.autoalgo.columns import AutoalgoSetting
from sheets_algo.forms.autoalgo.form import AutoalgoForm
from sheets_algo.forms.rulesets import load_all, rulebook

CONFIG = Path(__file__).resolve().parents[2] / "config"
SCHEMAS = {CONFIG / path: json.loads(content) for path, content in json_schemas(ConfigLoader(), load_all())}
DATA = sorted(file for file in CONFIG.rglob("*.json") if "schema" not in file.relative_to(CONFIG).parts)
TABLES = ConfigLoader().build("autoalgo", Tables.of)
RECORDS = tuple(record for record in AutoalgoForm.database if record is not AutoalgoSetting)
EXAMPLE = ConfigLoader().example("1066")


def parts(schema: Any, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema inside a schema, with its place."""
    if isinstance(schema, dict):
        yield place, schema
        for name, inner in schema.get("properties", {}).items():
            yield from parts(inner, f"{place}/{name}")
        for name in ("additionalProperties", "items"):
            yield from parts(schema.get(name), f"{place} ({name})")


def test_schemas_are_valid_strict_and_documented() -> None:
    from jsonschema import Draft202012Validator

    for file, schema in SCHEMAS.items():
        Draft202012Validator.check_schema(schema)
        for place, part in parts(schema):
            where = (file.name, place)
            if part.get("type") == "object":
                assert "additionalProperties" in part, where
                assert part["additionalProperties"] is not True, where
            assert part.get("description") or place.endswith(")"), where  # what has a name is explained
            assert set(part.get("required", ())) <= set(part.get("properties", ())), where


def test_every_file_conforms_to_its_schema() -> None:
    from jsonschema import Draft202012Validator

    for file in DATA:
        content = json.loads(file.read_text(encoding="utf-8"))
        schema = SCHEMAS[(file.parent / content["$schema"]).resolve()]

        assert content["about"], file
        assert not list(Draft202012Validator(schema).iter_errors(content)), file


def test_the_ruleset_reads_all_its_files() -> None:
    assert sorted(FILES) == sorted(file.stem for file in (CONFIG / "tables" / "autoalgo").glob("*.json"))


RULES = {
    "VAR": 6,
    "OCCB": 7,
    "DATE": 5,
    "MAP": 8,
    "STRAT": 12,
    "FLK": 6,
    "DEC": 6,
    "MOVE": 7,
    "ATK": 9,
    "ATT": 6,
    "SUP": 3,
    "SIEGE": 2,
    "DIS": 4,
    "MAX": 1,
    "OCC": 8,
    "STAB": 5,
    "RCPT": 4,
    "LOG": 3,
    "R": 42,
    "NAT": 26,
    "MIL": 14,
    "LOC": 8,
    "LDR": 11,
    "UNIT": 15,
    "DB": 16,
    "MD": 11,
    "UD": 7,
    "QN": 11,
}
"""How many rules each chapter has, counted from 1."""
NAMED = [
    *(f"VAR-{name}" for name in ("STAB", "ECON", "EFF", "LIM", "DEF", "CAP", "MOR", "EFV", "SIEGE", "OCC")),
    *(f"LEAD-B{number}" for number in range(1, 8)),
    *("LEAD-08", "LEAD-09", "LEAD-10", "LEAD-11"),
]


def rules_of_wars() -> Mapping[str, Mapping[str, str]]:
    return rulebook(ConfigLoader(), "autoalgo", [form for form in load_all() if form.ruleset_key == "autoalgo"])


def test_the_rulebook_states_every_rule_in_one_line() -> None:
    """NAT, MIL, LOC, LDR, UNIT, DB, MD, UD, QN and every chapter of the rules, with the rulings R-01 ff."""
    rules = rules_of_wars()
    digits = {"OCCB": 1}
    expected = {
        f"{name}-{number:0{digits.get(name, 2)}}" for name, count in RULES.items() for number in range(1, count + 1)
    }

    assert (expected | set(NAMED)) - {"R-31"} <= set(rules), "R-31 is deleted: MAP-08 counts as printed"
    for rule, entry in rules.items():
        assert entry["text"].endswith((".", "?")), rule
        assert "\n" not in entry["text"], rule


def test_rulings_state_decision_and_reason() -> None:
    for rule, entry in ConfigLoader().rulebook("autoalgo").items():
        if re.match(r"(R|QN)-\d+$", rule):
            assert entry["ruling"], rule
            assert entry["why"], rule


def test_the_rulebook_covers_every_column() -> None:
    rules = rules_of_wars()

    for record in RECORDS:
        for _, column in columns(record):
            assert column.header in rules[column.id]["text"], column.id


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: tab_of(record).name)
def test_the_example_fits_its_columns(record: type) -> None:
    declared = {field.header: field for _, field in columns(record)}

    for row in EXAMPLE.get(tab_of(record).name, []):
        assert set(row) <= set(declared), row["Name"]
        assert {field.header for field in declared.values() if field.required} <= set(row), row["Name"]
        for header, value in row.items():
            _fits(declared[header], value)


def test_db_06_references_of_the_example_exist() -> None:
    known = {
        tab: {row["Name"] for row in rows} for tab, rows in EXAMPLE.items() if tab not in ("War Requests", "Flanks")
    }
    known["Units"] = set(TABLES.units)

    for record in RECORDS:
        for _, column in columns(record):
            for row in EXAMPLE.get(tab_of(record).name, []):
                if column.to and column.header in row:
                    found = {part.strip() for part in str(row[column.header]).split(";")}
                    assert found <= known[column.to] | {NONE_ON_PURPOSE}, (row["Name"], column.header)


def test_the_example_has_five_wars_among_its_rows() -> None:
    wars = EXAMPLE["War Requests"]
    forces = {(row["Nation"], row["Name"]) for row in EXAMPLE["Militaries"]}

    assert [(row["War"], row["Year"]) for row in wars] == [
        ("Fulford", 1066),
        ("Hastings", 1066),
        ("Relief of Bari", 1071),
        ("Manzikert", 1071),
        ("Siege of Jerusalem", 1073),
    ]
    for row in wars:
        assert (row["Attacker"], row["Attacker Military"]) in forces
        assert (row["Defender"], row["Defender Military"]) in forces
        assert row["Location"] in {location["Name"] for location in EXAMPLE["Locations"]}
        assert row["Motive"] in TABLES.lists["Motive"].values
        for side in ("Attacker", "Defender"):  # DATE-04
            nation = next(entry for entry in EXAMPLE["Nations"] if entry["Name"] == row[side])
            assert max(nation["Year Founded"], nation["Year Crisis"]) <= row["Year"]


def test_ldr_11_wars_of_the_example_do_not_depend_on_earlier_deaths() -> None:
    """A commander may fall and an army may lose all its men (LEAD-10, R-94); whoever is needed later risks neither."""
    leads = {row["Name"]: row.get("Leader") for row in EXAMPLE["Nations"]}
    commands = {(row["Nation"], row["Name"]): row.get("Leader") for row in EXAMPLE["Militaries"]}
    at_risk: set[Any] = set()

    for war in EXAMPLE["War Requests"]:
        armies = [(war[side], war[f"{side} Military"]) for side in ("Attacker", "Defender")]
        named = {*armies, *(commands[army] for army in armies), *(leads[nation] for nation, _ in armies)} - {None}
        assert not at_risk & named, war["War"]
        at_risk |= {*armies, *(commands[army] for army in armies)} - {None}

    assert len(at_risk) == 19  # ten armies, and the nine commanders of those that have one


@pytest.mark.parametrize(
    ("name", "year", "phases"),
    [
        ("England", 1066, ("growth", "awakening")),
        ("Normandy", 1066, ("stagnation", "austerity")),
        ("Norway", 1066, ("stagnation", "awakening")),
        ("Byzantium", 1071, ("developing", "crisis")),
        ("Apulia", 1071, ("developing", "awakening")),
        ("Seljuk Sultanate", 1071, ("developing", "awakening")),
        ("Nawakiya", 1073, ("developing", "austerity")),
        ("Fatimid Caliphate", 1073, ("stagnation", "crisis")),
    ],
)
def test_date_02_and_date_03_the_example_covers_phases(name: str, year: int, phases: tuple[str, str]) -> None:
    nation = next(row for row in EXAMPLE["Nations"] if row["Name"] == name)

    assert phases == (
        phase_of(TABLES.secular_cycles, year, nation["Year Founded"]).name,
        phase_of(TABLES.generations, year, nation["Year Crisis"]).name,
    )


def test_siege_01_the_example_contains_a_siege() -> None:
    """All the defender's flanks hold Position, as a siege asks; the ground is the Hill map's (see the map tests)."""
    flanks = [row for row in EXAMPLE["Flanks"] if (row["Request"], row["Side"]) == ("W-0005", "Defender")]

    assert {row["Maneuver"] for row in flanks} == {"Position"}
    assert len(flanks) == 3


def test_defaults_of_nations_are_those_of_the_columns() -> None:
    """DB-01: the generic nation takes a column's default where its table names none."""
    generic = TABLES.defaults.nation(1000)

    for attribute, column in columns(Nation):
        if attribute not in TABLES.defaults.nation_columns and not column.required:
            assert getattr(generic, attribute) == column.default


def test_unit_columns_of_the_catalogue_are_those_of_the_tab() -> None:
    headers = {field.header for _, field in columns(Unit)} | {"Slot, era"}

    for row in ConfigLoader().raw("autoalgo")["units"]["units"]:
        assert set(row) <= headers


def _fits(column: Field, value: Any) -> None:
    if column.kind in (Kind.NUMBER, Kind.WHOLE):
        assert column.low is None or column.low <= value, column.header
        assert column.high is None or value <= column.high, column.header
    if column.kind is Kind.CHOICE:
        assert value in TABLES.lists[column.choices].values, column.header
