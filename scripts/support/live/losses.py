"""Deeds of people in the program's tabs, looks back at earlier versions, and what somebody does about it later."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from localsheets.book import Book as Inside
from localsheets.sheet import Sheet

from scripts.support.live.stage import LEADERS, NATIONS, PROGRAMS_TABS, PROTECTION, REQUESTS, Book, Stage, State

Act = Callable[[Stage], None]

RECEIPTS = "Receipts"
LOOKS = (1, 2, 4, 9)
"""How many looks ago a version is that is brought back."""


def in_rows(tab: str, change: Callable[[int], Iterator[Mapping[str, Any]]]) -> Act:
    """Return the deed of changing the rows of a program's tab; `change` takes the number of its rows with headers."""

    def act(stage: Stage) -> None:
        id = stage.book.tabs.get(tab)
        rows = len(stage.book.grid(id) or []) if id is not None else 0
        if id is not None and rows > 1 and (requests := list(change(rows))):
            with suppress(AssertionError):  # the tab has no such rows
                stage.server.user(stage.book.id, [with_id(request, id) for request in requests])

    return act


def with_id(request: Mapping[str, Any], id: int) -> dict[str, Any]:
    """Return a request with the id of a tab in each of its ranges."""
    return {
        key: (with_id(value, id) | ({"sheetId": id} if _is_range(value) else {}))
        if isinstance(value, Mapping)
        else value
        for key, value in request.items()
    }


def _is_range(value: Mapping[str, Any]) -> bool:
    return any(name in value for name in ("startIndex", "startRowIndex", "rowIndex"))


def _rows(first: int, last: int) -> dict[str, Any]:
    return {"dimension": "ROWS", "startIndex": first, "endIndex": last}


def delete_last(rows: int) -> Iterator[Mapping[str, Any]]:
    yield {"deleteDimension": {"range": _rows(rows - 1, rows)}}


def delete_first(rows: int) -> Iterator[Mapping[str, Any]]:
    yield {"deleteDimension": {"range": _rows(1, 2)}}


def delete_middle(rows: int) -> Iterator[Mapping[str, Any]]:
    if rows > 3:
        yield {"deleteDimension": {"range": _rows(rows - 2, rows - 1)}}


def clear_all(rows: int) -> Iterator[Mapping[str, Any]]:
    yield {"updateCells": {"range": {"startRowIndex": 1, "endRowIndex": rows}, "fields": "userEnteredValue"}}


def sort_down(rows: int) -> Iterator[Mapping[str, Any]]:
    """Sort by the first column."""
    order = [{"dimensionIndex": 0, "sortOrder": "DESCENDING"}]
    yield {"sortRange": {"range": {"startRowIndex": 1, "endRowIndex": rows}, "sortSpecs": order}}


def copy_last(rows: int) -> Iterator[Mapping[str, Any]]:
    """Copy the last row below itself."""
    yield _paste(rows - 1, rows)


def paste_over(rows: int) -> Iterator[Mapping[str, Any]]:
    """Paste the last row over the one before it."""
    if rows > 2:
        yield _paste(rows - 1, rows - 2)


def _paste(source: int, target: int) -> Mapping[str, Any]:
    places = ({"startRowIndex": row, "endRowIndex": row + 1} for row in (source, target))
    return {"copyPaste": dict(zip(("source", "destination"), places, strict=True)) | {"pasteType": "PASTE_NORMAL"}}


def insert_row(rows: int) -> Iterator[Mapping[str, Any]]:
    yield {"insertDimension": {"range": _rows(1, 2), "inheritFromBefore": False}}


def call_otherwise(rows: int) -> Iterator[Mapping[str, Any]]:
    """Type another Kind into the row of the first ruling."""
    if rows > 3:
        typed = {"values": [{"userEnteredValue": {"stringValue": "Edits"}}]}
        yield {
            "updateCells": {"start": {"rowIndex": 2, "columnIndex": 2}, "rows": [typed], "fields": "userEnteredValue"}
        }


def delete_changed_copies(stage: Stage) -> None:
    """Delete the copies of receipts' rows that were changed since, as the program asks of a person."""
    grid = stage.book.grid(stage.book.tabs.get(RECEIPTS, -1)) or []
    for row in range(len(grid) - 2, 0, -1):
        if grid[row][:2] == grid[row + 1][:2] and grid[row] != grid[row + 1]:  # Seq and Part
            in_rows(RECEIPTS, lambda _, row=row: iter([{"deleteDimension": {"range": _rows(row, row + 1)}}]))(stage)


ROW_DEEDS: Mapping[str, Callable[[int], Iterator[Mapping[str, Any]]]] = {
    "the last row is deleted": delete_last,
    "the first row is deleted": delete_first,
    "the last row but one is deleted": delete_middle,
    "all rows are cleared": clear_all,
    "the rows are sorted": sort_down,
    "the last row is copied": copy_last,
    "the last row is pasted over another": paste_over,
    "a blank row is inserted": insert_row,
}


def back(tab: str, looks: int) -> Act:
    """Return the deed of bringing one tab back as it was some looks ago."""
    return lambda stage: put_back(stage, tab, stage.look_at(looks))


def put_back(stage: Stage, tab: str, then: State) -> None:
    """Replace a tab by an earlier version; nothing happens where its title is another one's now."""
    stage.note(tab)
    if tab in PROGRAMS_TABS:
        _replace(stage.book, then[0], tab, tab)
        return
    id, was = stage.ids.get(tab), then[2].get(tab)
    if id is None or id != was:
        return
    for now, before in ((stage.book, then[0]), (stage.twin, then[1])):
        _replace(now, before, id, tab)


def _replace(book: Book, then: Inside, key: int | str, title: str) -> None:
    draft = book.inside.copy()

    def same(sheet: Sheet) -> bool:
        return key in (sheet.id, sheet.title)

    old = next(filter(same, then.sheets), None)
    new = next(filter(same, draft.sheets), None)
    others = {sheet.title for sheet in draft.sheets if sheet is not new}
    if (old and old.title in others) or (isinstance(key, int) and (old is None or new is None)):
        return
    place = draft.sheets.index(new) if new else len(draft.sheets)
    draft.sheets[place : place + bool(new)] = [old.copy()] if old else []
    draft.changed()
    book.put_inside(draft)


def all_back(looks: int, *, metadata: bool) -> Act:
    """Return the deed of bringing the whole spreadsheet back as it was some looks ago.

    Args:
        looks: How many looks ago.
        metadata: True if the developer metadata go back too: nobody knows what Google does.
    """

    def act(stage: Stage) -> None:
        then = stage.look_at(looks)
        stage.note("metadata" if metadata else "")
        _put_all_back(stage, then, metadata=metadata)

    return act


def _put_all_back(stage: Stage, then: State, *, metadata: bool) -> None:
    """Replace both spreadsheets by an earlier version, which keeps the developer metadata of now or not."""
    book, twin, ids = then
    for now, before in ((stage.book, book), (stage.twin, twin)):
        draft = before.copy()
        draft.developer_metadata = list((before if metadata else now.inside).developer_metadata)
        draft.changed()
        now.put_inside(draft)
    stage.ids.clear()
    stage.ids.update(ids)
    if metadata:
        stage.forks, stage.forked_to = stage.forks + 1, book


def take_back(stage: Stage) -> None:
    """Put the tabs back that somebody has brought back last, as they were before that."""
    if not stage.undone:
        return
    tab, then = stage.undone.pop()
    if tab not in ("", "metadata"):
        put_back(stage, tab, then)
        stage.undone.pop()
        return
    _put_all_back(stage, then, metadata=bool(tab))


def receipts_back(stage: Stage) -> None:
    """Bring back each row of Receipts that was ever there, in order, as a person does from the versions."""
    sheet = stage.book.inside.titled(RECEIPTS)
    if sheet is None or not stage.receipts:
        return
    draft = stage.book.inside.copy()
    target = draft.titled(RECEIPTS)
    assert target is not None
    header = {number: row for number, row in sheet.cells.items() if number == 0}
    target.cells = dict(header)
    target.resize("ROWS", max(target.rows, len(stage.receipts) + 2))
    for place, (_, row) in enumerate(sorted(stage.receipts.items()), start=1):
        target.cells[place] = row
    draft.changed()
    stage.book.put_inside(draft)


def copied_tab(tab: str) -> Act:
    """Return the deed of duplicating a tab, deleting it, and giving its name to the copy."""

    def act(stage: Stage) -> None:
        is_own = tab in PROGRAMS_TABS
        id = stage.book.tabs.get(tab) if is_own else stage.ids.get(tab)
        titles = {id: title for title, id in stage.book.tabs.items()}
        if id is None or titles.get(id) != tab:
            return
        copy = stage.book.inside.fresh_id()
        requests = [
            {"duplicateSheet": {"sourceSheetId": id, "newSheetId": copy, "newSheetName": f"Copy of {tab}"}},
            {"deleteSheet": {"sheetId": id}},
            {"updateSheetProperties": {"properties": {"sheetId": copy, "title": tab}, "fields": "title"}},
        ]
        sheet = next(sheet for sheet in stage.book.inside.sheets if sheet.id == id)
        if sheet.protected_ranges:  # the copy's protection has another id, under which nobody would remove it
            stage.do(tab, {"deleteProtectedRange": {"protectedRangeId": PROTECTION}})
        try:
            for book in (stage.book,) if is_own else (stage.twin, stage.book):
                stage.server.user(book.id, requests)
        except AssertionError:
            return
        if not is_own:
            stage.ids[tab] = copy

    return act


def undo_write(stage: Stage) -> None:
    """Undo the program's last write with Ctrl-Z, if nothing was done since: cells go back, metadata stay."""
    if stage.before_write is None:
        return
    stage.note("")
    draft = stage.before_write.copy()
    draft.developer_metadata = list(stage.book.inside.developer_metadata)
    draft.changed()
    stage.book.put_inside(draft)
    stage.before_write = None


LOSSES: Mapping[str, Act] = {
    **{f"{tab}: {name}": in_rows(tab, change) for tab in PROGRAMS_TABS for name, change in ROW_DEEDS.items()},
    **{
        f"{tab}: as it was {looks} looks ago": back(tab, looks)
        for tab in (*PROGRAMS_TABS, REQUESTS, NATIONS, LEADERS)
        for looks in LOOKS
    },
    **{f"everything: as it was {looks} looks ago": all_back(looks, metadata=False) for looks in LOOKS},
    **{f"everything: as it was {looks} looks ago, metadata too": all_back(looks, metadata=True) for looks in LOOKS},
    **{f"{tab}: a copy takes its place": copied_tab(tab) for tab in (*PROGRAMS_TABS, REQUESTS, NATIONS)},
    "Receipts: a ruling is called something else": in_rows(RECEIPTS, call_otherwise),
    "Ctrl-Z: the last write": undo_write,
}
"""Deeds after which receipts, guards or results may be gone, by name."""

ANSWERS: Mapping[str, Act] = {
    "the last loss is taken back": take_back,
    "all receipts are brought back": receipts_back,
    "what is gone is accepted": lambda stage: stage.accept(False),
    "what is gone is accepted beside the watcher": lambda stage: stage.accept(True),
}
"""What people do about a loss."""

OF_RECEIPTS = tuple(name for name in LOSSES if name.startswith((RECEIPTS, "everything", "Ctrl-Z")))
OF_REQUESTS = tuple(name for name in LOSSES if name.startswith((REQUESTS, "everything")))
"""Deeds after which rows of requests, with their ids, may be those of an earlier version."""

OF_PENDING = tuple(
    name for name in LOSSES if name.startswith(("Pending", "everything", "Ctrl-Z")) and "sorted" not in name
)
"""Deeds after which a note about a write that is to be checked may be gone."""
