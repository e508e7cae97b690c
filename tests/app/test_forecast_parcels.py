"""A war that is sent elsewhere: it fights there what it would have fought here."""

import pickle
from dataclasses import replace

import pytest

from engine.fields import tab_of
from sheets_algo.book import Book
from sheets_algo.forecasts.asked import Asked, of_row
from sheets_algo.forecasts.parcels import OtherRules, packed
from tests.desks import example, forms, read, workbook


def asked(request: str, rows: str = "1066", tab: str = "War Requests") -> Asked:
    form = next(form for form in forms() if tab_of(form.request).name == tab)
    book = Book(read(workbook(example(rows))), form.records(), form.vocabulary)
    [row] = book.find(form.request, request)
    return of_row(form, book, row, seed=1066)


def test_a_war_fights_the_same_battles_wherever_it_is_sent(monkeypatch):
    monkeypatch.setenv("SHEETS_ALGO_FAST", "0")
    war = asked("W-0004")

    there = pickle.loads(pickle.dumps(packed(war, battles=9)))(5, 4)
    here = war.fight(5, 4)

    assert there.winner.tolist() == here.winner.tolist()
    assert {name: it.values.tobytes() for name, it in there.numbers.items()} == {
        name: it.values.tobytes() for name, it in here.numbers.items()
    }


@pytest.mark.parametrize(
    ("rows", "tab", "request_id"),
    [
        ("scorecard", "Score Requests", "S-0004"),
        ("ciais", "CiAIS Requests", "C-0002"),
        ("realm", "Turn Requests", "T-0006"),
        ("realm", "Rating Requests", "G-0001"),
        ("hexcombat", "Combat Requests", "H-0001"),
    ],
)
def test_every_ruleset_can_be_sent(rows, tab, request_id):
    war = asked(request_id, rows, tab)

    there = pickle.loads(pickle.dumps(packed(war, battles=9)))(5, 4)
    here = war.fight(5, 4)

    assert {name: it.values.tobytes() for name, it in there.numbers.items()} == {
        name: it.values.tobytes() for name, it in here.numbers.items()
    }


def test_who_has_other_rules_fights_nothing():
    parcel = replace(packed(asked("W-0004"), battles=9), rules="of last year")

    with pytest.raises(OtherRules):
        parcel(0, 1)
    with pytest.raises(OtherRules):
        parcel.get_ready()


def test_where_python_was_not_asked_for_it_is_told_why_it_fights(monkeypatch):
    parcel = packed(asked("W-0004"), battles=9)
    monkeypatch.setenv("SHEETS_ALGO_FAST", "0")

    assert parcel.get_ready() == "SHEETS_ALGO_FAST is 0 there"
    assert replace(parcel, is_fast=False).get_ready() == ""
