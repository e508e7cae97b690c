"""A strategy board's rows for one side of a request: drafts to judge, and changes to write."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from engine.battle_map import Scene
from engine.columns import columns, loosely, tab_of
from engine.errors import ExpectedError
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.changes import Changes
from sheets_algo.database.fields import plain
from sheets_algo.database.headers import key_of
from sheets_algo.database.problems import Rejected
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Edit, Row, Table
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import BoardForm, BoardRows, StrategyBoard
from sheets_algo.forms.databases import by_ruleset, open_database
from sheets_algo.forms.edits import apply_edits
from sheets_algo.forms.request_columns import request_id
from sheets_algo.replays.replay import replay
from sheets_algo.ruling.receipts.lookup import NotFound, row_of
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.workbook.snapshot import Sheet, Snapshot
from sheets_algo.workbook.values import Plain

Cells = Sequence[Plain]
"""One row as a board gives it: a value for each of `BoardRows.columns`."""


class NotSaved(ExpectedError):
    """A refusal to write the rows of a board; the message gives the reason."""

    exit_code = 1


class EditedMeanwhile(NotSaved):
    """A change of a side's rows after the board had read them."""


@dataclass(frozen=True, slots=True)
class BoardSource:
    """A board with the row behind it."""

    form: BoardForm[Any]  # The form of the request
    board: StrategyBoard
    is_ruled: bool  # True if it shows a ruling in force

    @property
    def rows(self) -> BoardRows:
        """Return the rows that hold its strategies."""
        return self.form.board_rows


def planned_scenes(snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts) -> Mapping[str, Scene]:
    """Return the picture of each request with a board that is not ruled, by id, or by row if it has none (REQ-15)."""
    scenes: dict[str, Scene] = {}
    for group in by_ruleset(forms):
        database = open_database(snapshot, group, receipts.names)
        for form in (form for form in group if isinstance(form, BoardForm)):
            for row in database.table(form.request):
                if receipts.is_settled(request_id(row)):
                    continue
                with suppress(Rejected):  # a board cannot show it
                    if scene := form.board(row, database).scene:
                        scenes[request_id(row) or f"row {row.number}"] = scene
    return scenes


def board_source(snapshot: Snapshot, forms: Sequence[Form[Any]], receipts: Receipts, request: str) -> BoardSource:
    """Return the board of a request: of its ruling, or of its rows, even if these have problems.

    Raises:
        NotFound: There is no such request, or its ruleset has no board.
        CannotReplay: The ruling cannot be computed again.
        Rejected: The request has errors that no board can show.
    """
    receipt = receipts.ruling_in_force(request)
    ruled = next((form for form in forms if receipt and form.key == receipt.ruleset), None)
    if receipt and ruled:
        form, outcome = ruled, replay(receipt, ruled)
        if isinstance(form, BoardForm):
            database = open_database(snapshot, [form])
            return BoardSource(form, form.ruled_board(receipt.request, receipt.inputs, outcome, database), True)
    else:
        form, database, row = row_of(snapshot, forms, request)
        if isinstance(form, BoardForm):
            return BoardSource(form, form.board(row, database), False)
    raise NotFound(f"{request} has no board: it is not a war of flanks.")


def open_boards(
    snapshot: Snapshot, forms: Iterable[Form[Any]], receipts: Receipts
) -> Iterator[tuple[BoardForm[Any], Database, Row, StrategyBoard]]:
    """Yield form, row and board of each request that was never ruled; no board if check refuses the row."""
    for form in (form for form in forms if isinstance(form, BoardForm)):
        database = open_database(snapshot, [form])
        for row in database.table(form.request):
            if request_id(row) and receipts.ruling_of(request_id(row)) is None:
                with suppress(Rejected):
                    board = form.board(row, database)
                    yield form, database, row, board


@dataclass(frozen=True, slots=True)
class BoardDraft:
    """A workbook in memory, in which rows of a board replace those of the workbook."""

    snapshot: Snapshot  # The workbook with these rows
    numbers: Mapping[str, tuple[int, ...]]  # The number of the sheet's row for each row of the board, by side


def draft(snapshot: Snapshot, form: BoardForm[Any], request: str, rows: Mapping[str, Sequence[Cells]]) -> BoardDraft:
    """Return the workbook with the rows of some sides replaced; nothing is written."""
    layout = form.board_rows
    if not Table.of(snapshot, layout.record).header_row:  # the optional tab does not exist yet
        headers = tuple(column.header for _, column in columns(layout.record))
        tab = key_of(layout.record)
        snapshot = replace(snapshot, sheets={**snapshot.sheets, tab: Sheet(tab.name, {1: headers})})
    table = Table.of(snapshot, layout.record)
    edits: list[Edit] = []
    numbers: dict[str, tuple[int, ...]] = {}
    for side, cells in rows.items():
        old = _rows_of(snapshot, form, table, request, side)
        kept, added, emptied = _place_rows(table, layout, request, side, old, cells)
        numbers[side] = tuple(row.number for row, _ in (*kept, *added))
        for row, values in (*kept, *added, *emptied):
            edits += (Edit(row, attribute, value) for attribute, value in values.items())
    return BoardDraft(apply_edits(snapshot, edits), numbers)


def rows_version(snapshot: Snapshot, form: BoardForm[Any], request: str, side: str) -> str:
    """Return a digest of a side's rows as typed, which reveals later edits."""
    layout = form.board_rows
    typed = [name for name, column in columns(layout.record) if not column.place.is_programs]
    rows = _rows_of(snapshot, form, Table.of(snapshot, layout.record), request, side)
    cells = [[as_text(row.value(name)) for name in typed] for row in rows]
    return hashlib.sha256(json.dumps(cells).encode()).hexdigest()


def save_rows(
    snapshot: Snapshot,
    form: BoardForm[Any],
    receipts: Receipts,
    request: str,
    side: str,
    rows: Sequence[Cells],
    version: str,
) -> Changes:
    """Return the changes that replace one side's rows of a request by those of a board.

    Raises:
        NotSaved: The request is ruled.
        EditedMeanwhile: The rows have changed.
    """
    layout = form.board_rows
    if ruling := receipts.ruling_in_force(request):
        raise NotSaved(
            f"{request} is ruled by receipt {ruling.seq}, so its flanks stay as they were; nothing is saved."
        )
    if rows_version(snapshot, form, request, side) != version:
        name = tab_of(layout.record).name
        raise EditedMeanwhile(f"Somebody changed the {side.lower()}'s rows of {name} meanwhile; nothing is saved.")
    changes, table = Changes(), Table.of(snapshot, layout.record)
    old = _rows_of(snapshot, form, table, request, side)
    kept, added, emptied = _place_rows(table, layout, request, side, old, rows)
    for row, values in (*kept, *emptied):
        for attribute, value in _there(table, values).items():
            changes.set(row, attribute, value)
    for row, values in added:
        changes.add(row, _there(table, values))
    return changes


def _there(table: Table, values: Mapping[str, Plain]) -> Mapping[str, Plain]:
    """Return the values without blank ones for columns that the table lacks."""
    return {name: value for name, value in values.items() if value is not None or name in table.places}


_Placed = tuple[Row, Mapping[str, Plain]]


def _place_rows(
    table: Table, layout: BoardRows, request: str, side: str, old: Sequence[Row], rows: Sequence[Cells]
) -> tuple[list[_Placed], list[_Placed], list[_Placed]]:
    """Return the cells of rows that stay, of new rows, and of surplus rows, which are emptied.

    A row that names its request by the title keeps that name.
    """
    keys: dict[str, Plain] = {"request": request, layout.side: side}
    shared = {name: plain(old[0].value(name)) for name in layout.kept if old and not old[0].is_blank(name)}
    names = (*layout.columns, layout.army)
    wanted: list[dict[str, Plain]] = [
        {name: None if cell == "" else cell for name, cell in zip(names, cells, strict=False)} | keys | shared
        for cells in rows
    ]
    others: dict[str, Plain] = {name: None for name, column in columns(table.record) if not column.place.is_programs}
    kept: list[_Placed] = [
        (row, others | values | {"request": _as_named(row, request)}) for row, values in zip(old, wanted, strict=False)
    ]
    added: list[_Placed] = [(table.add_row(values), values) for values in wanted[len(old) :]]
    emptied: list[_Placed] = [(row, dict.fromkeys(table.places)) for row in old[len(wanted) :]]
    return kept, added, emptied


def _as_named(row: Row, request: str) -> Plain:
    """Return a row's value in the column Request: the title if it has that now, else the id."""
    named = row.value("request")
    return request if loosely(as_text(named)) == loosely(request) else plain(named)


def _rows_of(snapshot: Snapshot, form: BoardForm[Any], table: Table, request: str, side: str) -> list[Row]:
    requests = Table.of(snapshot, form.request).by_request.get(loosely(request), ())
    rows = table.rows_of(requests[0]) if requests else ()
    return [row for row in rows if loosely(as_text(row.value(form.board_rows.side))) == loosely(side)]
