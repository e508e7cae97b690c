"""`run` where one pass cannot write everything: as many passes as it takes, told as one."""

from __future__ import annotations

from sheets_algo.keepsakes import unheard
from sheets_algo.places import Place
from sheets_algo.runs import run
from tests.desks import column, example, library, workbook

WARS = ["W-0001", "W-0002", "W-0003", "W-0004", "W-0005"]


def test_what_does_not_fit_into_one_pass_is_ruled_by_the_next_and_told_together(tmp_path):
    book = workbook(example("1066"))
    place = Place(workbook=book, folder=tmp_path, library=library(), most=1)

    done = run(place, dry=False, forced=False, begins=unheard)

    assert column(book, "War Requests", "Status") == ["Done"] * 5
    assert [answer.shown.request for answer in done.plan.answers] == WARS
    assert [ruling.receipt.seq for ruling in done.plan.rulings] == [2, 3, 4, 5, 6]
    assert len(done.logs) == len(done.pictures) == 5
    assert (done.is_written, done.is_partial) == (True, False)


def test_a_dry_run_looks_at_all_of_it(tmp_path):
    book = workbook(example("1066"))
    place = Place(workbook=book, folder=tmp_path, library=library(), most=1)

    done = run(place, dry=True, forced=False, begins=unheard)

    assert [ruling.receipt.request for ruling in done.plan.rulings] == WARS
    assert not any(column(book, "War Requests", "Status"))
    assert list(tmp_path.iterdir()) == []


def test_with_nothing_to_do_there_is_one_pass(tmp_path):
    book = workbook(example("1066"))
    place = Place(workbook=book, folder=tmp_path, library=library(), most=1)
    run(place, dry=False, forced=False, begins=unheard)

    again = run(place, dry=False, forced=False, begins=unheard)

    assert (again.is_written, again.plan.rulings, again.logs) == (False, (), ())
