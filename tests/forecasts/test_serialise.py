"""A war that is sent elsewhere: it fights there what it would have fought here."""

import pickle
from dataclasses import replace

import pytest

from engine.columns import tab_of
from scripts.support.workbooks import example, forms, read, workbook
from sheets_algo.database.records import Database
from sheets_algo.forecasts.questions import ForecastWar, from_row
from sheets_algo.forecasts.serialise import RulesMismatch, pack_job
from tests.helpers.games import facts_by_game


def asked(request: str, rows: str = "1066", tab: str = "War Requests") -> ForecastWar:
    form = next(form for form in forms() if tab_of(form.request).name == tab)
    book = Database(read(workbook(example(rows))), form.records(), form.vocabulary)
    [row] = book.find(form.request, request)
    return from_row(form, book, row, seed=1066)


def test_a_serialised_war_fights_the_same_battles(monkeypatch):
    monkeypatch.setenv("SHEETS_ALGO_FAST", "0")
    war = asked("W-0004")

    there = pickle.loads(pickle.dumps(pack_job(war, battles=9)))(5, 4)
    here = war.series()(5, 4)

    assert there.winner.tolist() == here.winner.tolist()
    assert {name: measure.values.tobytes() for name, measure in there.numbers.items()} == {
        name: measure.values.tobytes() for name, measure in here.numbers.items()
    }


@pytest.mark.parametrize(
    ("rows", "tab", "request_id"),
    [
        ("jousts", "Joust Requests", "J-0001"),
        ("rounds", "Round Requests", "R-0002"),
        ("plots", "Plot Requests", "P-0001"),
        *((game, tab, request) for game, asked in facts_by_game("FORECASTS").items() for tab, request in asked),
    ],
)
def test_every_ruleset_can_be_serialised(rows, tab, request_id):
    war = asked(request_id, rows, tab)

    there = pickle.loads(pickle.dumps(pack_job(war, battles=9)))(5, 4)
    here = war.series()(5, 4)

    assert (there.winner is None) == (here.winner is None)
    assert here.winner is None or there.winner.tolist() == here.winner.tolist()
    assert {name: measure.values.tobytes() for name, measure in there.numbers.items()} == {
        name: measure.values.tobytes() for name, measure in here.numbers.items()
    }


def test_a_job_after_a_battle_is_that_before_it():
    """A worker keeps one set of machine code by it, and the compiling process compiles for the arrays of a new war."""
    war = asked("W-0004")
    before = pack_job(war, battles=9)

    war.form.ruleset.series(replace(war.inputs, name="Another war"), 1)

    assert pack_job(war, battles=9) == before


def test_a_worker_with_other_rules_refuses():
    parcel = replace(pack_job(asked("W-0004"), battles=9), rules="of last year")

    with pytest.raises(RulesMismatch):
        parcel(0, 1)
    with pytest.raises(RulesMismatch):
        parcel.get_ready()


def test_an_unexpected_fall_back_to_python_is_explained(monkeypatch):
    parcel = pack_job(asked("W-0004"), battles=9)
    monkeypatch.setenv("SHEETS_ALGO_FAST", "0")

    assert parcel.get_ready() == "SHEETS_ALGO_FAST is 0 there"
    assert replace(parcel, is_fast=False).get_ready() == ""
