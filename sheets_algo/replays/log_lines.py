"""Lines of the tab Log that differ from those of the replayed ruling (RCP-34)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.columns import tab_of
from engine.ruleset import Event, Outcome
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.grouping import grouped
from sheets_algo.database.tables import Row, Table
from sheets_algo.replays.luck_report import RULE, is_consistent
from sheets_algo.ruling.receipts.receipt_rows import LogRow
from sheets_algo.ruling.receipts.receipt_tab import COMPARED, log_cells, log_digest, log_line
from sheets_algo.ruling.receipts.receipts import Figures
from sheets_algo.workbook.snapshot import Snapshot


def rows_by_receipt(snapshot: Snapshot) -> Mapping[str, Sequence[Row]]:
    """Return the rows of the tab Log by the number of their receipt, as text; none without the headers."""
    table = Table.of(snapshot, LogRow)
    if not {"seq", *COMPARED} <= table.places.keys():
        return {}
    return grouped((as_text(row.value("seq")), row) for row in table)


def log_differences(
    rows: Sequence[Row] | None, outcome: Outcome, figures: Figures, *, is_worded: bool
) -> Iterator[tuple[str, str, str]]:
    """Yield the first line that is not of the ruling, and lost lines: cell, found text and correct text.

    Rows may be sorted, and lines after a note that counts them are only in the log file. The lines that compare a
    ruling with other battles are no part of its receipt: their share has to be that of their counts.

    Args:
        rows: The rows of the ruling; None if the tab has none from its time any more, since people may clear it.
        is_worded: True if the words of the log are those of this release.
    """
    if rows is None:
        return
    lines = [row for row in rows if as_text(row.value("rule")) not in ("", RULE)]
    is_cut = any(not as_text(row.value("rule")) for row in rows)
    if not is_worded and lines and not is_cut and log_digest(map(_cells, lines)) != figures.log:
        yield str(lines[0].cell("text")), f"{len(lines):,} lines", "other lines than were written"
    elif is_worded:
        yield from _of_events(lines, outcome.events, is_cut=is_cut)
    for row in (row for row in rows if as_text(row.value("rule")) == RULE):
        text = as_text(row.value("text"))
        if not is_consistent(text, row.value("amount")):
            yield str(row.cell("text")), text, "another share of others"
            return


def _of_events(lines: Sequence[Row], events: Sequence[Event], *, is_cut: bool) -> Iterator[tuple[str, str, str]]:
    """Yield the first line that is not among events, and that lines are gone."""
    expected = Counter(log_line(log_cells(event)) for event in events)
    for row in lines:
        line = log_line(_cells(row))
        if not expected[line]:
            yield str(row.cell("text")), as_text(row.value("text")), "no such line"
            return
        expected[line] -= 1
    if not is_cut and (gone := expected.total()):
        place = str(lines[-1].cell("text")) if lines else tab_of(LogRow).name
        yield place, f"{len(lines):,} lines", f"{len(lines) + gone:,} lines"


def _cells(row: Row) -> Mapping[str, Any]:
    return {name: row.value(name) for name in COMPARED}
