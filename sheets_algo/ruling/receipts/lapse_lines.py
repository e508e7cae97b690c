"""Lines of a receipt that names the orders that lapsed with the turn that it ended (REQ-18)."""

from __future__ import annotations

from engine.receipt import on_one_line, without_markup
from sheets_algo.database.problems import ended
from sheets_algo.ruling.receipts.receipts import StoredReceipt


def lapse_lines(ruling: StoredReceipt) -> str:
    """Return the lines, one for each order; blank if none lapsed."""
    lapsed = ruling.figures.lapsed
    lines = (f"\n* {without_markup(on_one_line(f'{id}: {ended(order.why)}'))}" for id, order in lapsed.items())
    return f"\n=== Lapsed ==={''.join(lines)}" if lapsed else ""
