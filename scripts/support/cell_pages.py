"""Pages of cells: on each line what is typed, and what the program then says of it.

A page begins with its season, `== 1066: War Requests!W-0001 ==`: an example, or `smallest war`, in which that request
is alone, if need be a new one, changed by the lines that begin with `with`. A line below is a case:
`Year: soon | 'War Requests'!C2 (...`.

Left of the bar are cells, with ` & ` between them: `Header: value` in the request, `Row!Header: value` in its tab, else
`Tab!Row!Header: value`. A row has the name in its key column, or is `row 3` of the sheet; one that is not there is
added. `-Tab` deletes a tab, `-Tab!Row` a row. A value is a number, `true`, a text in quotation marks, or any other
text; nothing is a blank cell.

Right of the bar are all problems of the pass, with ` || ` between them, and the status where they do not decide it;
then what receipts have (`receipt: text`) or not (`receipt without: text`), and `cell Tab!Row!Header: value` of results,
where `null` is a blank cell. `python -m scripts.support.cell_pages` writes what the program says now on all pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.columns import columns, tab_of
from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import Rows, column, example, messages, run, workbook
from sheets_algo.forms.rulesets import load_all
from sheets_algo.ruling.requests.overrides import OverrideRow
from sheets_algo.workbook.memory import MemoryWorkbook

TESTS = Path(__file__).resolve().parents[2] / "tests"
PAGES = (TESTS / "forms" / "cells.txt", TESTS / "ruling" / "cells.txt", *sorted(TESTS.glob("games/*/cells.txt")))
HEADING = re.compile(r"== (?P<example>[^:]+): (?P<tab>[^!]+)!(?P<row>.+) ==")


@dataclass(frozen=True, slots=True)
class CellCase:
    """One line of a page.

    Args:
        season: Heading and further lines of its season.
        typed: The cells that are typed.
        said: The problems that the program then reports.
    """

    season: tuple[str, ...]
    typed: str
    said: str

    def rows(self) -> Rows:
        """Return the season with the typed cells."""
        heading, *more = self.season
        found = HEADING.fullmatch(heading)
        assert found, heading
        rows = war_rows() if found["example"] == "smallest war" else example(found["example"])
        request = found["tab"], found["row"]
        alone = [row for row in rows.get(request[0], ()) if request[1] == first_cell(request[0], row)]
        rows[request[0]] = alone or [{key_header(request[0]): request[1], "Ready": True}]
        for cells in (*more, self.typed):
            type_cells(rows, request, cells)
        return rows

    def answer(self) -> str:
        """Return what the program says of the season, with the expectations of receipts and cells that are met."""
        book = workbook(self.rows())
        plan = run(book)
        statuses = dict.fromkeys(status for _, status, _ in messages(plan))
        said = [str(problem) for problem in plan.problems]
        if not said or [*statuses] != ["Invalid" if any(problem.is_error for problem in plan.problems) else "Done"]:
            said.append("; ".join(statuses))
        receipts = "\n".join(ruling.receipt.wiki for ruling in plan.rulings)
        for expectation in self.said.split(" || "):
            about, colon, text = expectation.partition(": ")
            place = about.removeprefix("cell ").split("!")
            if (
                (about == "receipt" and text in receipts)
                or (about == "receipt without" and text not in receipts and receipts)
                or (colon and len(place) == 3 and cell_of(book, *place) == value_of(text))
            ):
                said.append(expectation)
        return " || ".join(said)


def cell_of(book: MemoryWorkbook, tab: str, name: str, header: str) -> Any:
    """Return a cell of the workbook after the pass."""
    names, cells = column(book, tab, key_header(tab)), column(book, tab, header)
    return cells[names.index(name)]


def first_cell(tab: str, row: dict[str, Any]) -> str:
    """Return the cell by which a row is named."""
    return str(row.get(key_header(tab)))


def key_header(tab: str) -> str:
    """Return the header of the column that names the rows of a tab."""
    records = (record for form in load_all() for record in form.records())
    record = next((record for record in records if tab_of(record).name == tab), OverrideRow)
    heads = {name: declared.header for name, declared in columns(record)}
    return heads.get(tab_of(record).key, next(iter(heads.values())))


def type_cells(rows: Rows, request: tuple[str, str], cells: str) -> None:
    """Type cells of a page into a season."""
    for cell in filter(None, cells.split(" & ")):
        if cell.startswith("-"):
            _delete(rows, *cell.removeprefix("-").split("!"))
            continue
        place, colon, value = cell.partition(":")
        assert colon, cell
        tab, name, header = (*request[: 2 - place.count("!")], *place.split("!"))
        row_named(rows.setdefault(tab, []), tab, name)[header] = value_of(value.strip())


def _delete(rows: Rows, tab: str, name: str = "") -> None:
    if name:
        rows[tab].remove(row_named(rows[tab], tab, name))
    else:
        del rows[tab]


def row_named(rows: list[dict[str, Any]], tab: str, name: str) -> dict[str, Any]:
    """Return a row by its name or its number in the sheet, which is added if it is not there."""
    if number := re.fullmatch(r"row (\d+)", name):
        rows.extend({} for _ in range(int(number[1]) - 1 - len(rows)))
        return rows[int(number[1]) - 2]
    named = [row for row in rows if first_cell(tab, row) == name]
    if not named:
        named = [{key_header(tab): name}]
        rows += named
    return named[0]


def value_of(text: str) -> Any:
    """Return the value of a cell."""
    try:
        return json.loads(text) if text else None
    except json.JSONDecodeError:
        return text


def cases(page: Path) -> Iterator[CellCase]:
    """Yield the cases of a page."""
    for _, case in _lines(page):
        if case:
            yield case


def _lines(page: Path) -> Iterator[tuple[str, CellCase | None]]:
    season: tuple[str, ...] = ()
    for line in page.read_text(encoding="utf-8").splitlines():
        typed, bar, said = line.partition(" | ")
        if line.startswith("=="):
            season = (line,)
        elif line.startswith("with "):
            season = (*season, line.removeprefix("with "))
        is_case = bar and not line.startswith(("==", "with ", "#"))
        yield line, CellCase(season, typed, said.strip()) if is_case else None


def update(page: Path) -> None:
    """Write on a page what the program says now, for `git diff` to show."""
    lines = [f"{case.typed} | {case.answer()}" if case else line for line, case in _lines(page)]
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for page in PAGES:
        update(page)
