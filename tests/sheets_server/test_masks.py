"""Field masks, and that the replay of recordings sees what differs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import requests
from localsheets.errors import ApiError
from localsheets.replay import TOKEN, replay
from localsheets.spreadsheet import Spreadsheet

from scripts.support.sheets_server import LocalSheets
from tests.helpers.rows import each

RECORDING = Path(__file__).parent / "cassettes" / "WorksheetTest.test_update_and_get.json"
SHOWN = [{"formattedValue": "x"}, {"formattedValue": "5"}]


@pytest.fixture
def book() -> Spreadsheet:
    book = Spreadsheet.new("an-id", "Season 3")
    book.values_update("B2", {"values": [["x", 5]]}, value_input="RAW")
    return book


def test_a_mask_keeps_the_named_fields(book: Spreadsheet) -> None:
    cases = {
        "spreadsheetId,properties.title": {"spreadsheetId": "an-id", "properties": {"title": "Season 3"}},
        "properties(title,locale)": {"properties": {"title": "Season 3", "locale": "en_US"}},
        "sheets/properties/title": {"sheets": [{"properties": {"title": "Sheet1"}}]},
        "sheets.properties(sheetId),sheets.properties.index": {"sheets": [{"properties": {"sheetId": 0, "index": 0}}]},
        "sheets.properties.tab_color_style": {"sheets": [{"properties": {}}]},
        "namedRanges": {},
        "sheets.data.rowData.values.formattedValue": {
            "sheets": [{"data": [{"rowData": [{}, {"values": [{}, *SHOWN]}]}]}]
        },
        "sheets.data.rowData.values.note": {"sheets": [{"data": [{}]}]},
    }
    assert {fields: book.get(fields=fields) for fields in cases} == cases


@each(("fields", "path"), [("sheets.x", "sheets.x"), ("x", "x"), ("properties(title,y)", "properties.y")])
def test_a_mask_of_unknown_fields_is_refused(book: Spreadsheet, fields: str, path: str) -> None:
    with pytest.raises(ApiError) as caught:
        book.get(fields=fields)

    assert (caught.value.code, caught.value.message) == (400, "Request contains an invalid argument.")
    assert caught.value.details is not None
    said = f"Error expanding 'fields' parameter. Cannot find matching fields for path '{path}'."
    assert caught.value.details[0]["fieldViolations"] == [{"field": path, "description": said}]


def test_every_answer_supports_a_mask(server: LocalSheets) -> None:
    id = server.make("Season 3", {"Wars": [["x", 5]]})
    asked = {"ranges": "Wars!A1:B1", "fields": "valueRanges(values)"}

    answer = requests.get(f"{server.url}/v4/spreadsheets/{id}/values:batchGet", asked, headers=TOKEN, timeout=60)

    assert answer.json() == {"valueRanges": [{"values": [["x", "5"]]}]}


@each(
    ("spoil", "line"),
    [
        (lambda body: body.update(more=1), "more: only recorded: 1"),
        (lambda body: body.pop("range"), 'range: only here: "Sheet1!A1:D4"'),
        (lambda body: body["values"][0].__setitem__(0, "Z9"), 'values[0][0]: "Z9" recorded, "A1" here'),
    ],
)
def test_the_replay_detects_differences(spoil: Any, line: str, tmp_path: Path) -> None:
    recording = json.loads(RECORDING.read_text(encoding="utf-8"))
    number, answer = next(
        (number, interaction["response"]["body"])
        for number, interaction in enumerate(recording["interactions"])
        if '"values"' in interaction["response"]["body"].get("string", "")
    )
    body = json.loads(answer["string"])
    spoil(body)
    answer["string"] = json.dumps(body)
    path = tmp_path / "spoilt.json"
    path.write_text(json.dumps(recording), encoding="utf-8")

    with LocalSheets() as server, requests.Session() as session:
        differing = [pair for pair in replay(path, server.url, session) if pair.differences]

    assert [(pair.key, pair.differences) for pair in differing] == [(f"spoilt#{number}", (line,))]
