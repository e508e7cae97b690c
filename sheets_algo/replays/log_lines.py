"""Lines of the tab Log that differ from those of the replayed ruling (RCP-34)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.ruleset import Event
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.grouping import grouped
from sheets_algo.database.tables import Row, Table
from sheets_algo.replays.luck_report import RULE
from sheets_algo.ruling.receipts.receipt_rows import LogRow
from sheets_algo.ruling.receipts.receipt_tab import log_cells
from sheets_algo.workbook.snapshot import Snapshot

COMPARED = ("hour", "side", "flank", "event", "amount", "rule", "text")


def rows_by_receipt(snapshot: Snapshot) -> Mapping[str, Sequence[Row]]:
    """Return the rows of the tab Log by the number of their receipt, as text; none without the headers."""
    table = Table.of(snapshot, LogRow)
    if not {"seq", *COMPARED} <= table.places.keys():
        return {}
    return grouped((as_text(row.value("seq")), row) for row in table)


def log_differences(rows: Sequence[Row], events: Sequence[Event]) -> Iterator[tuple[str, str, str]]:
    """Yield the first line that is not of the ruling, and lost lines: cell, found text and correct text.

    Rows may be sorted, and lines after a note that counts them are only in the log file. Lines that compare a ruling
    with other battles are ignored, and so is a ruling without lines, since people may clear the tab.
    """
    expected = Counter(_line(log_cells(event)) for event in events)
    lines = [row for row in rows if as_text(row.value("rule")) not in ("", RULE)]
    for row in lines:
        line = _line({name: row.value(name) for name in COMPARED})
        if not expected[line]:
            yield str(row.cell("text")), as_text(row.value("text")), "no such line"
            return
        expected[line] -= 1
    is_cut = any(not as_text(row.value("rule")) for row in rows)
    if lines and not is_cut and (gone := expected.total()):
        yield str(lines[-1].cell("text")), f"{len(lines):,} lines", f"{len(lines) + gone:,} lines"


def _line(cells: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the text of a line without white space, with the digits that every program keeps."""
    values = (cells.get(name) for name in COMPARED)
    texts = (f"{value:.9g}" if isinstance(value, float) else as_text(value) for value in values)
    return tuple("".join(text.split()) for text in texts)
