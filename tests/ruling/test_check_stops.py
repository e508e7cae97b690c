"""Check looks for so many problems and no more, whatever a workbook holds (DB-08)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.columns import Kind, columns, tab_of
from engine.suggest import WordList
from scripts.support.workbooks import example, forms, read, rehearse, workbook
from sheets_algo.ruling.passes import rehearsal
from tests.helpers.games import EXAMPLES

MOST, ROWS = 1_000, 12_000


def referring_tabs() -> Iterator[tuple[str, str, str]]:
    """Yield the request tabs whose rows name others, with the first column that does, and the example of each."""
    for form in forms():
        names = [column.header for _, column in columns(form.request) if column.kind is Kind.REFERENCE]
        example_of = "1066" if form.ruleset_key not in EXAMPLES else form.ruleset_key
        if names:
            yield example_of, tab_of(form.request).name, names[0]


CASES = {
    "nations of leaders": ("1066", "Leaders", {"Name": "L", "Nation": "N"}),
    **{f"{tab} of {name}": (name, tab, {header: "N"}) for name, tab, header in referring_tabs()},
}


@pytest.mark.parametrize(("season", "tab", "typed"), CASES.values(), ids=CASES)
def test_checks_stop_after_the_maximum_number_of_problems(
    season: str, tab: str, typed: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = example(season)
    added: list[dict[str, Any]] = [{header: f"{text}{n}" for header, text in typed.items()} for n in range(ROWS)]
    rows[tab] = [*rows.get(tab, ()), *added]
    searched = list[str]()
    nearest = WordList.nearest

    def counted(words: WordList, found: str, *least: float) -> str:
        searched.append(found)
        return nearest(words, found, *least)

    monkeypatch.setattr(rehearsal, "PROBLEMS_COUNTED", MOST)
    monkeypatch.setattr(WordList, "nearest", counted)
    plan = rehearse(read(workbook(rows)), forms())

    assert MOST < len(plan.all_problems) <= MOST + 10, "all of the last row"
    assert plan.findings.answers == (), "nothing is ruled once there are problems enough"
    assert len(searched) <= ROWS / 2
