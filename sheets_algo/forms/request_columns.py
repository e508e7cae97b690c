"""Columns that all request tabs share, and the tabs themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.columns import ColumnPlace, Kind, TabDeclaration, listed, plain_signs, result, tab_of, text, whole, yes_no
from engine.receipt import on_one_line
from sheets_algo.database.cell_text import ReadError, as_text, is_typed
from sheets_algo.database.cells import read_value
from sheets_algo.database.problems import CellRef, Problem
from sheets_algo.database.records import END_ANYWAY, RULE, RULE_AGAIN, Database
from sheets_algo.database.tables import Row
from sheets_algo.workbook.addresses import area_name

RULINGS = (RULE, RULE_AGAIN, END_ANYWAY)
"""Actions that ask for a ruling."""
ACTION_NOTE = (
    "Rule: rule it once and for all. Forecast: only say what may come. Rule again: rule it anew, under the next id"
    " where its own has a ruling."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Columns shared by all request tabs."""

    request: str = text(
        "Request",
        "REQ-01",
        "The id, unique and for good: a ruling is found by it wherever its row moves. Blank: given when ready.",
        place=ColumnPlace.FIRST,
    )
    action: str = listed("Action", "REQ-02", ACTION_NOTE, default="Rule", place=ColumnPlace.CONTROL)
    seed: int | None = whole(
        "Seed",
        "REQ-03",
        "Blank: drawn from the season secret. A number replays a known ruling and is named on the receipt.",
        high=2**64 - 1,
        place=ColumnPlace.CONTROL,
        decides=True,
    )
    ready: bool = yes_no("Ready", "REQ-04", "Tick it: nothing happens to a row without it.", place=ColumnPlace.CONTROL)
    status: str = result(
        "Status", "REQ-05", "Waiting, Invalid, Done, Changed, Lapsed, Undone or Failed.", place=ColumnPlace.STATUS
    )
    message: str = result(
        "Message", "REQ-06", "Every problem with its cell, or the result in one line.", place=ColumnPlace.STATUS
    )
    ruled_at: str = result("Ruled At", "REQ-07", "When it was ruled, UTC.", place=ColumnPlace.LAST)


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRequest(Request):
    """Columns shared by the request tabs of games with turns."""

    ready_since: int = result(
        "Ready Since",
        "REQ-10",
        "Of an order that was refused: the turn that it belongs to, in which it was first ready. Once that is"
        " over, it stays refused.",
        place=ColumnPlace.KEPT,
        kind=Kind.WHOLE,
    )


def notes_column(id: str) -> Any:
    """Declare the column for remarks of people; it decides nothing."""
    return text("Notes", id, "Anything; the program does not read it.", longest=100_000, decides=False)


def part_of_column() -> Any:
    """Declare the column that makes a request a battle of a longer war; it decides nothing (REQ-19)."""
    note = "The name of a war of several battles, of which this is one. Site and posts say how that war stands."
    return text("Part of", "REQ-19", note, longest=200, decides=False)


def part_of(row: Row) -> str:
    """Return the name of the war of several battles that a row is part of; blank for none, or without the column."""
    return on_one_line(as_text(row.value("part_of"))).strip()


def ends_war_column() -> Any:
    """Declare the column that marks the last battle of a war (REQ-20)."""
    return yes_no("Ends War", "REQ-20", "Tick it in the last battle of the war in Part of.", decides=False)


def deadline_column(*, id: str, note: str) -> Any:
    """Declare the column with the time at which the program ticks Ready; it decides nothing."""
    return text("Deadline", id, note, decides=False)


def asked_in_column() -> Any:
    """Declare the column of years that names the tabs of Forms with requests of players (YRS-15)."""
    note = "Tabs of a Google Form's responses, with ; between: what players ask for there is taken at the Deadline."
    return text("Asked In", "YRS-15", note, longest=200, decides=False)


def ends_war(row: Row, database: Database) -> bool:
    """Return True if a row says that it is the last battle of its war."""
    return database.read(row, row.table.record).values.get("ends_war") is True


def request_tab(
    name: str, about: str, *, one: str = "request", optional: bool = False, title: str = ""
) -> TabDeclaration:
    """Return the declaration of a request tab."""
    # Ids need not be unique here, since `Ids` reports duplicates (REQ-01).
    return TabDeclaration(name, key="request", one=one, unique=False, about=about, optional=optional, title=title)


def request_id(row: Row) -> str:
    """Return a request's id as text, the source of seeds: the id 7.0 is `7`, an autocorrected `W–1` is `W-1`."""
    return plain_signs(as_text(row.value("request")))


def is_ready(row: Row) -> bool | Problem:
    """Return True if Ready is ticked, or the problem of its cell: one tick counts for one row (REQ-04)."""
    if not is_typed(row.value("ready")):
        return False
    if area := row.table.merged_downwards("ready", row.number):
        says = f"{area_name(*area)} is one merged cell, so its tick is not that of one {tab_of(row.table.record).one}"
        cell = CellRef(row.table.title, *area[:2])
        return Problem(cell=cell, says=says, id="REQ-04", allowed="Unmerge it and tick Ready in each row")
    column = dict(row.table.columns)["ready"]
    try:
        return bool(read_value(column, row.value("ready"), {}))
    except ReadError as error:
        return row.read_problem("ready", column, error)


def named_turn(row: Row, typed: int | None) -> int | None:
    """Return the turn that an order names, or that was kept beside it (REQ-10); None if it has neither."""
    kept = row.value("ready_since")
    return typed if typed is not None else int(kept) if isinstance(kept, int | float) else None


def requested_action(row: Row, database: Database) -> str:
    """Return the action of a request."""
    return str(database.read(row, row.table.record).values.get("action", RULE))
