"""The schemas of the tables and their reader come from one declaration; `test_docs` finds stale schemas."""

from __future__ import annotations

import copy
import functools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.config_value import REMARKS, TableError
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.config.schema_errors import slips
from sheets_algo.forms.base import Form, FormSource
from sheets_algo.forms.registry import load_all
from tests.helpers.example_budget import BUDGET

CONFIG = Path(__file__).resolve().parents[2] / "config"
OTHER = (None, "x", "", [], {}, -1, -(10**9), 10**10, True, 1.5, 0.0001, "yes ", ["x", "x"], {"x": 1}, 0, "L", 1)


@functools.cache
def schemas(ruleset: str) -> dict[str, Draft202012Validator]:
    files = (CONFIG / "schema" / ruleset).glob("*.schema.json")
    return {file.name.partition(".")[0]: Draft202012Validator(json.loads(file.read_text("utf-8"))) for file in files}


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
def test_the_reader_refuses_what_the_schema_refuses(form: type[Form[Any]]) -> None:
    draw = random.Random(1)
    raw = ConfigLoader().raw(form.key)
    spots = [(file, path) for file, content in raw.items() for path in places(content)]

    def build(changed: dict[str, Any]) -> str:
        try:
            form(FormSource(changed, lambda legend: None, lambda file, content: ()))  # type: ignore[arg-type, return-value]
        except TableError as slip:
            return str(slip)
        return ""

    for file, path in draw.sample(spots, min(len(spots), round(60 * BUDGET))):
        content = spoilt(raw[file], path, draw)
        if not schemas(form.key)[file].is_valid(content):
            assert build({**raw, file: content}).startswith(f"{file}.json"), (file, path, content)


@pytest.mark.parametrize(
    ("found", "says"),
    [
        ("god", '"god" is not allowed. Did you mean "good"?'),
        (101, "101 is not allowed. Use a number from 0 to 100."),
        (None, "null is not allowed. Use a number."),
    ],
)
def test_a_number_that_may_be_a_word(found: object, says: str) -> None:
    schema = {"anyOf": [{"enum": ["good", "poor"]}, {"type": "number", "minimum": 0, "maximum": 100}]}

    assert slips(found, schema) == [((), says)]
