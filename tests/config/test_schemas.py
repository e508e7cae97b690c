"""The JSON Schemas of the tables and their reader come from one declaration, and refuse the same."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from engine.config_value import REMARKS
from engine.declare import schema_of, table_errors, table_of
from sheets_algo.cli import main
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.base import Form
from sheets_algo.forms.rulesets import load_all
from tests.helpers.example_budget import BUDGET

HOME = Path(__file__).resolve().parents[2]
OTHER = (None, "x", "", [], {}, -1, -(10**9), 10**10, True, 1.5, 0.0001, "yes ", ["x", "x"], {"x": 1}, 0, "L", 1)


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in inner:
        if step not in REMARKS:
            yield from places(part, (*path, step))


def spoilt(content: Any, path: tuple[str | int, ...], draw: random.Random) -> Any:
    """The same with another value, an unknown name, nothing or an entry twice at a place."""
    changed: Any = {"": copy.deepcopy(content)}
    place, last = changed, ""
    for step in path:
        place, last = place[last], step
    match draw.choice(("set", "set", "delete", "empty", "add")):
        case "delete" if path:
            del place[last]
        case "empty" if isinstance(place[last], list | dict):
            place[last].clear()
        case "add" if isinstance(place[last], dict):
            place[last]["Unknwon"] = draw.choice(OTHER)
        case "add" if isinstance(place[last], list):
            place[last] += place[last][:1]
        case _ if path:
            place[last] = copy.deepcopy(draw.choice(OTHER))
    return changed[""]


def first_forms() -> list[type[Form[Any]]]:
    return [form for form in load_all() if form.key == form.ruleset_key]


@pytest.mark.parametrize("form", first_forms(), ids=lambda form: form.key)
def test_reader_and_schema_refuse_the_same_places(form: type[Form[Any]]) -> None:
    draw = random.Random(1)
    raw = ConfigLoader().raw(form.key)
    declared = {table_of(cls).file: cls for cls in form.declared}
    schemas = {file: Draft202012Validator(schema_of(cls)) for file, cls in declared.items()}
    spots = [(file, path) for file, content in raw.items() for path in places(content)]
    assert declared.keys() == raw.keys()

    for file, path in draw.sample(spots, min(len(spots), round(60 * BUDGET))):
        content = spoilt(raw[file], path, draw)
        other = draw.choice([*places(content)])  # another slip in the same file
        content = spoilt(content, other, draw)
        told = [each.path for each in table_errors(declared[file], {file: content})]
        for error in schemas[file].iter_errors(content):
            place = tuple(error.absolute_path)
            assert any(reported[: len(place)] == place for reported in told), (file, path, other, error.message)


def test_an_editor_finds_the_schema_of_a_copied_table(tmp_path: Path) -> None:
    said = CliRunner().invoke(main, ["schema", "--ruleset", "autoalgo", "--editor", str(tmp_path)])
    assert said.output == f"{tmp_path / 'schema'}: 29 JSON Schemas written.\n"

    copy = tmp_path / "tables" / "autoalgo" / "units.json"
    named = json.loads((HOME / "config" / "tables" / "autoalgo" / "units.json").read_text("utf-8"))["$schema"]
    assert json.loads((copy.parent / named).resolve().read_text("utf-8"))["title"] == "Units"
