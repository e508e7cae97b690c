"""Workbooks with thousands of mistakes: the first 200 are told and the others counted, and 10,000 are looked for."""

from __future__ import annotations

import json

import pytest

from scripts.support.moderator import BOOK, season, write


@pytest.fixture
def wrong(request, moderator):
    """A season with so many locations whose climate is wrong, and as many requests for wars that nobody described."""
    rows = season()
    rows["Locations"] += [{"Name": f"Parish {n}", "Climate": f"Dry {n}"} for n in range(request.param)]
    rows["War Requests"] += [{"Request": f"X-{n}", "Ready": True} for n in range(request.param // 20)]
    write(moderator.book, rows)
    return moderator


@pytest.mark.parametrize("wrong", [5_000], indirect=True)
def test_the_first_problems_are_printed_and_the_others_counted(wrong):
    said = wrong.types("check", BOOK)

    lines = [line for line in said.out.splitlines() if ": Forecast: " not in line]
    listed = json.loads(wrong.types("check", BOOK, "--json").out)
    assert said.code == 1
    assert len(lines) == 202
    assert f'"Dry {199}" is not allowed' in lines[199]
    assert lines[200] == f"... and {len(listed['problems']) - 200:,} more."
    assert lines[201].startswith(f"{sum(found['severity'] == 'error' for found in listed['problems']):,} errors, ")
    assert len(listed["problems"]) > 5_500
    assert not listed["more"]


@pytest.mark.parametrize("wrong", [5_000], indirect=True)
def test_run_prints_all_rulings_and_the_first_refusals(wrong):
    said = wrong.types("run", BOOK)

    lines = said.out.splitlines()
    assert said.code == 1
    assert sum(" Done " in line for line in lines) == 5
    assert sum(line.startswith("X-") for line in lines) == 200
    assert "... and 50 more refused." in lines


@pytest.mark.parametrize("wrong", [11_000], indirect=True)
def test_the_search_stops_after_ten_thousand_problems(wrong):
    said = wrong.types("check", BOOK)
    found = json.loads(wrong.types("check", BOOK, "--json").out)

    assert said.code == 1
    assert said.out.splitlines()[-2:] == [
        "... and 9,800 more.",
        "10,000 errors, 0 warnings, and more that were not looked for: mend these first.",
    ]
    assert (len(found["problems"]), found["more"]) == (10_000, True)
    assert "more than 10,000 problems in rows" in wrong.types("doctor", BOOK).out
