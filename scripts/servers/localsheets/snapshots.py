"""Conversion of a spreadsheet's whole state to JSON and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from localsheets.book import Book
from localsheets.cells import Cell, Fault
from localsheets.sheet import Sheet

_LISTS = ("merges", "conditional_formats", "protected_ranges")


def dump(book: Book) -> dict[str, Any]:
    """Return the whole state as JSON."""
    return {
        "properties": dict(book.properties),
        "owner": book.owner,
        "named_ranges": list(book.named_ranges),
        "developer_metadata": list(book.developer_metadata),
        "sheets": [_dump_sheet(sheet) for sheet in book.sheets],
    }


def load(data: Mapping[str, Any]) -> Book:
    """Return the state that `dump` wrote."""
    return Book(
        properties=data["properties"],
        owner=data["owner"],
        sheets=[_load_sheet(sheet) for sheet in data["sheets"]],
        named_ranges=list(data["named_ranges"]),
        developer_metadata=list(data["developer_metadata"]),
    )


def _dump_sheet(sheet: Sheet) -> dict[str, Any]:
    return {
        "properties": dict(sheet.properties),
        "cells": list(_dump_cells(sheet)),
        "dimensions": {name: [[at, item] for at, item in found.items()] for name, found in sheet.dimensions.items()},
        "groups": {name: list(found) for name, found in sheet.groups.items()},
        "basic_filter": sheet.basic_filter,
        **{name: list(getattr(sheet, name)) for name in _LISTS},
    }


def _load_sheet(data: Mapping[str, Any]) -> Sheet:
    sheet = Sheet(
        properties=data["properties"],
        dimensions={name: dict(found) for name, found in data["dimensions"].items()},
        groups={name: list(found) for name, found in data["groups"].items()},
        basic_filter=data["basic_filter"],
    )
    for name in _LISTS:
        setattr(sheet, name, list(data[name]))
    cells: list[Cell] = []
    for row, column, cell in data["cells"]:
        if isinstance(cell, dict):
            cells.append(_load_cell(cell))
        sheet.put(row, column, cells[cell] if isinstance(cell, int) else cells[-1])
    return sheet


def _dump_cells(sheet: Sheet) -> Iterator[list[Any]]:
    """Yield row, column and cell; of a cell like an earlier one its number: whole columns are alike."""
    numbers: dict[str, int] = {}
    for row, column, cell in sheet.inside(sheet.all):
        dumped = _dump_cell(cell)
        number = numbers.get(key := repr(dumped))
        numbers.setdefault(key, len(numbers))
        yield [row, column, dumped if number is None else number]


def _dump_cell(cell: Cell) -> dict[str, Any]:
    value = {"fault": cell.value.kind} if isinstance(cell.value, Fault) else cell.value
    found = {
        "value": value,
        "formula": cell.formula,
        "format": dict(cell.format),
        "note": cell.note,
        "validation": cell.validation,
        "runs": list(cell.runs),
    }
    return {name: item for name, item in found.items() if item not in (None, "", {}, [])}


def _load_cell(data: Mapping[str, Any]) -> Cell:
    value = data.get("value")
    if isinstance(value, dict):
        value = Fault(value["fault"])
    return Cell(
        value=value,
        formula=data.get("formula"),
        format=data.get("format", {}),
        note=data.get("note", ""),
        validation=data.get("validation"),
        runs=tuple(data.get("runs", ())),
    )
