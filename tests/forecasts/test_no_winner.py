"""Forecasts of rules that know no winner: numbers and words tell, in the sheet, in the terminal and in files."""

import csv
import json

import numpy as np
import pytest

from engine.forecast import Measure, Replicates, error_at_most, summed_up
from sheets_algo.commands.forecast import Question, odds
from sheets_algo.database.records import Database
from sheets_algo.forecasts.queue import ForecastQueue
from sheets_algo.forecasts.sampling import SampleBudget, refine
from sheets_algo.forms.databases import open_database
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.runtime.session.session import OpenWorkbook
from tests.helpers import village_ruleset
from tests.helpers.tabs import key, keys
from tests.helpers.village_ruleset import building, forms, harvest, read, run, workbook

HARVESTED = ([["Old Barn", 35]], [harvest("H-1", "Old Barn", 20, "Forecast")])


def asked(book, question=None, runs=100, requests=("H-1",)):
    snapshot = read(book)
    seen = OpenWorkbook(snapshot, forms(), read_receipts(snapshot))
    return odds(seen, requests, question or Question(), SampleBudget(runs=runs, error=0, seconds=60))


def test_in_the_sheet_odds_are_blank_beside_numbers():
    """35 and 20 and 0 to 9: from 55 to 64."""
    book = workbook(*HARVESTED)
    slices = ForecastQueue()
    slices.work(run(book).owes.requested_forecasts, 60)

    made = run(book, finished_forecasts=slices.finished)

    sheet = book.read(keys("Forecasts")).sheet(key("Forecasts"))
    row = dict(zip(sheet.rows[1], sheet.rows[2], strict=False))
    assert [row.get(name) for name in ("Attacker Wins", "Defender Wins", "Undecided")] == [None] * 3
    assert (row["Battles"], row["Error"], row["Ruleset"]) == (400, 4.9, "hamlet")
    assert [line.partition(": ")[0] for line in row["Details"].splitlines()] == ["Grain", "Harvest"]
    [answer] = made.findings.answers
    assert answer.cells.status == ""
    assert answer.cells.message == f"Forecast, 400 runs: {row['Course']}"
    assert row["Course"].startswith(("Grain 60 (55 to 64); Harvest ", "Grain 59 (55 to 64); Harvest "))
    assert not run(book).writes.changes  # what stands there is read again, blank odds and all


def test_in_the_terminal_there_is_no_winner():
    report = asked(workbook(*HARVESTED))

    heading, course, quantiles, grain, words = report.lines
    assert heading == f"H-1: 100 runs, shares ± {100 * error_at_most(100):.1f} points"
    assert course.startswith("  Grain ")
    assert [quantiles.split()[0], grain.split()[:3], words.split()[0]] == ["5", ["Grain", "(sheaves)", "55"], "Harvest"]
    data = report.data["forecasts"][0]
    assert data["odds"] is None
    assert data["numbers"]["Grain"]["quantiles"]["5"] == 55
    assert json.dumps(data)


def test_a_ruling_s_luck_is_computed_from_its_numbers():
    book = workbook([["Old Barn", 35]], [harvest("H-1", "Old Barn", 20)])
    run(book)

    report = asked(book)

    assert report.lines[-2] == "  The ruling:"
    assert report.lines[-1].startswith("  Grain: ")
    assert list(report.data["forecasts"][0]["ruling"]) == ["percentiles"]


def test_what_if_sweep_and_sensitivity_use_the_first_number():
    book = workbook(*HARVESTED)

    what_if = asked(book, Question(edits=("Harvest Requests!H-1!Sheaves=30",)))
    sweep = asked(book, Question(sweep="Harvest Requests!H-1!Sheaves=10:30:3"))
    levers = asked(book, Question(is_sensitivity=True))

    assert any(line.split() == ["Grain,", "mean", "+10", "±", "0"] for line in what_if.lines)
    assert what_if.data["forecasts"][0]["difference"]["odds"] is None
    assert [line.split()[0] for line in sweep.lines[2:]] == ["Grain,", "10", "20", "30"]
    assert levers.lines[1].endswith("on average; a tenth more, or a step, of one input changes that by")
    assert levers.lines[2].split() == ["Barns!Old", "Barn!Grain", "35", "→", "38.5", "+3.5", "±", "0"]
    assert levers.data["forecasts"][0]["sensitivity"][0]["Grain"]["change"] == pytest.approx(3.5)


def test_files_have_no_column_or_bar_for_a_winner(tmp_path):
    files = {"csv": tmp_path / "runs.csv", "plot": tmp_path / "runs.png"}

    asked(workbook(*HARVESTED), Question(**files))
    asked(workbook(*HARVESTED), Question(plot=tmp_path / "sweep.png", sweep="Harvest Requests!H-1!Sheaves=10:30:3"))

    with files["csv"].open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["request", "change", "battle", "Grain", "Harvest"]
    assert {row["Harvest"] for row in rows} <= {"good", "bad"}
    assert [(tmp_path / name).read_bytes()[:4] for name in ("runs.png", "sweep.png")] == [b"\x89PNG"] * 2


def test_one_number_is_sufficient(tmp_path):
    """Neither headline nor word: the numbers that there are tell."""
    book = workbook([["Old Barn", 35]], (), [building("B-1", "Old Barn", "Hut", action="Forecast")])

    report = asked(book, Question(plot=tmp_path / "cost.png"), requests=("B-1",))

    assert report.lines[:2] == ["B-1: 100 runs, shares ± 9.6 points", "  Cost 10 (10 to 10)."]
    assert (tmp_path / "cost.png").exists()


@pytest.mark.parametrize("threads", [1, 3])
def test_fc_03_sampling_stops_when_all_shares_are_certain_enough(threads):
    """A half of 600 is known to 3.99 points, of 500 to 4.36 (Wilson), however the chunks fall."""

    def fight(first, count):
        return Replicates(None, {"Number": Measure(np.arange(first, first + count, dtype=float), "")}, {})

    fought = refine([fight], SampleBudget(error=0.04, seconds=60, threads=threads))

    assert (fought.end, fought.runs) == ("error", 600)
    assert summed_up(fought.wars[0]).error <= 0.04


def test_a_workbook_of_several_forms_has_all_their_tabs():
    book = open_database(read(workbook(*HARVESTED)), forms())

    assert isinstance(book, Database)
    assert [
        len(book.table(record).rows)
        for record in (village_ruleset.HarvestRequest, village_ruleset.BuildingRequest, village_ruleset.Barn)
    ] == [
        1,
        0,
        1,
    ]
