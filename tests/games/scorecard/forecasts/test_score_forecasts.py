"""Forecasts of wars by score: sides of a request as levers, and wars that nobody wins."""

from __future__ import annotations

import pytest

from scripts.support.workbooks import example, forms, read, workbook
from sheets_algo.database.records import Database
from sheets_algo.forecasts.questions import WhatIf, from_row
from sheets_algo.forms.edits import BadEdit, parse_edit
from sheets_algo.ruling.forecast.forecast_rows import PendingForecast, cells_of, line

(SCORES,) = (form for form in forms() if form.key == "scorecard")


def test_only_rows_of_the_same_request_count():
    """Two wars of one nation: each has a side of that name."""
    rows = example("scorecard")
    nation = rows["Score Sides"][0]["Nation"]
    rows["Score Sides"].append(dict(rows["Score Sides"][0], Request="S-0002", Side="Attacker"))
    snapshot = read(workbook(rows))
    book = Database(snapshot, SCORES.records(), SCORES.vocabulary)

    found = parse_edit(f"Score Sides!{nation}!Chance=3", SCORES, book, "S-0001")

    assert found.row.number == 2
    with pytest.raises(BadEdit, match="Use what a row has in Nation, or row 7 for"):
        parse_edit("Score Sides!S-0001!Chance=3", SCORES, book, "S-0001")


def test_a_sensitivity_varies_inputs_of_the_request_and_its_sides():
    """But neither the year nor what every request has: Action, Seed, Ready."""
    snapshot = read(workbook(example("scorecard")))
    book = Database(snapshot, SCORES.records(), SCORES.vocabulary)
    asked = from_row(SCORES, book, book.table(SCORES.request).by_request["s-0001"][0], 1)

    moved = {edit.name: (now, edit.value) for edit, now, _ in WhatIf(snapshot, asked).levers()}

    assert moved["Score Requests!S-0001!Near water"] == (True, False)
    assert moved["Score Sides!France!Chance"] == (4, 5)
    assert moved["Score Sides!France!Opponent edits"] == (783, 861)
    assert not [name for name in moved if name.endswith(("!Action", "!Seed", "!Ready", "!Year", "!Request"))]


def test_a_possible_stalemate_is_reported():
    book = Database(read(workbook(example("scorecard"))), SCORES.records(), SCORES.vocabulary)
    asked = from_row(SCORES, book, book.table(SCORES.request).by_request["s-0004"][0], None)
    one = PendingForecast(SCORES, asked.request, asked.war, asked.frozen, "rules")
    cells = cells_of(one, one.form.ruleset.replicates(one.form.deserialize(one.inputs), 1, 0, 500))

    assert ", nobody wins " in line(cells)
    assert cells["attacker_losses"] == ""
    assert cells["details"].splitlines()[0].startswith("Attacker total: ")
