"""Refusal of invalid rows of the tab Columns, before anything is read by them (DB-17)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.columns import columns, loosely, tab_of
from engine.suggest import nearest
from sheets_algo.database.problems import CellRef, ended, quoted
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.own_columns import COLUMNS, OwnColumns
from sheets_algo.workbook.snapshot import Snapshot


class BadColumns(WorkbookError):
    """The tab Columns assigns columns wrongly (exit code 1)."""

    exit_code = 1


def refuse_bad_columns(snapshot: Snapshot, records: Iterable[type]) -> None:
    """Refuse a tab Columns with a row that names no tab or column of the program, or assigns one twice.

    Raises:
        BadColumns: It has such rows; the text has a line for each.
    """
    sheet = snapshot.sheet(COLUMNS)
    own = OwnColumns.of(sheet)
    if sheet and (lines := [*_slips(own, sheet.title, [*records])]):
        raise BadColumns("\n".join(lines))


def _slips(own: OwnColumns, title: str, records: Iterable[type]) -> Iterator[str]:
    by_tab = {loosely(tab_of(record).name): record for record in records}
    titles: dict[str, str] = {}
    rows: dict[tuple[str, str], int] = {}
    for each in own.assignments:

        def slip(says: str, allowed: str, row: int = each.row) -> str:
            return f"{CellRef(title, row)}: {ended(says)} {ended(allowed)} [DB-17]"

        if not (each.tab or each.column):
            continue  # the column stays people's own
        names = [tab_of(record).name for record in by_tab.values()]
        record, tab = by_tab.get(loosely(each.tab)), loosely(each.tab)
        headers = {loosely(column.header): column.header for _, column in columns(record)} if record else {}
        if record is None:
            near = f'Did you mean "{near}"' if (near := nearest(each.tab, names)) else f"Use {', '.join(names)}"
            yield slip(f"{quoted(each.tab)} is no tab of the rules", f"{near}?" if "Did" in near else near)
        elif loosely(each.column) not in headers:
            near = nearest(each.column, headers.values())
            meant = f'Did you mean "{near}"?' if near else "docs/reference/tabs.md has its columns, or leave Tab blank"
            yield slip(f"{quoted(each.column)} is no column of {each.tab}", meant)
        elif not (each.title and each.header):
            yield slip("it does not say which tab and header of your own are meant", "Fill Your Tab and Your Header in")
        elif each.factor is None:
            yield slip("the Factor is no number above 0", "Type 1000 for a column in thousands, or leave it blank")
        elif loosely(each.title) in by_tab.keys() - {tab}:
            yield slip(f"{quoted(each.title)} is the name of another tab of the rules", "Give your tab another title")
        elif titles.setdefault(tab, loosely(each.title)) != loosely(each.title):
            yield slip(
                f"{each.tab} is in another tab already", "One tab of yours can stand for it; leave Tab blank here"
            )
        elif (row := rows.setdefault((tab, loosely(each.column)), each.row)) != each.row:
            yield slip(f"{each.tab}, {each.column} has a column already (row {row})", "Leave Tab blank in one of them")
