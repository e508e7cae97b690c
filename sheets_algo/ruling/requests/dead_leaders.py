"""Leaders who were killed and are named again: why a war waits, and the ways on (LDR-11)."""

from __future__ import annotations

from engine.columns import column, loosely
from sheets_algo.database.cell_text import shown
from sheets_algo.database.problems import Problem
from sheets_algo.forms.base import DeadLeader
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt


def dead_leader_problem(dead: DeadLeader, death: StoredReceipt | None) -> Problem:
    """Return the problem of a dead leader at the cell that names him.

    Args:
        death: The ruling that killed him; None if a person typed that he is dead.
    """
    name, status = dead.row.name, shown(dead.row.value("status"))
    where = f", receipt {death.seq} ({death.request})" if death else ""
    allowed = (
        "Clear the cell, or name another leader, perhaps an heir drawn by a row of the tab Leader Requests"
        f". If {name} lives, clear {dead.row.cell('status')}"
    )
    return dead.named.problem("leader", "LDR-11", f"{name} cannot lead: {status}{where}", allowed=allowed)


def death_of(dead: DeadLeader, receipts: Receipts) -> StoredReceipt | None:
    """Return the last ruling that wrote the Status that a dead leader's row has; None if a person typed it."""
    row = dead.row
    field, status = column(row.table.record, "status").header, row.value("status")
    found = None
    for ruling in receipts.rulings:
        for change in ruling.changes:
            is_his = (change.tab, loosely(change.row), change.field) == (row.table.name, loosely(row.name), field)
            if is_his and change.after == status and not receipts.is_undone(ruling):
                found = ruling
    return found
