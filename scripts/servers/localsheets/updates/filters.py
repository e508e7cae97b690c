"""Filters: hiding and sorting rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from localsheets import colours
from localsheets.a1 import Box
from localsheets.book import Book
from localsheets.cells import Fault, Scalar
from localsheets.display import shown
from localsheets.errors import invalid
from localsheets.formulas import value_of
from localsheets.messages import SCHEMA
from localsheets.sheet import Record, Sheet
from localsheets.typed import typed
from localsheets.updates.common import target
from localsheets.updates.editing import sort


def set_basic_filter(book: Book, request: Record, caller: str) -> None:
    """Apply `setBasicFilter`: one per tab; its first row is the header."""
    wanted = request.get("filter", {})
    found = wanted.get("range", {"sheetId": 0})
    sheet, box = target(book, found)
    record = _kept(sheet, box, wanted)
    sheet.basic_filter = record
    if specs := record.get("sortSpecs"):
        sort(book, sheet, Box(box.top + 1, box.left, box.bottom, box.right), specs)
    _hide(book, sheet, box, criteria_of(record))


def criteria_of(record: Record) -> dict[int, Record]:
    """Return a filter's criteria by column, from either of the two forms."""
    found: dict[int, Record] = {}
    for column, criteria in record.get("criteria", {}).items():
        if not str(column).isdecimal():
            raise invalid(f"The filter's criteria name a column that is no number: {column}")
        found[int(column)] = SCHEMA.read("FilterCriteria", criteria, f"criteria[{column}].value")
    for spec in record.get("filterSpecs", ()):
        found[spec.get("columnIndex", 0)] = spec.get("filterCriteria", {})
    return found


def _kept(sheet: Sheet, box: Box, wanted: Record) -> dict[str, Any]:
    record = {**colours.normal(wanted), "range": sheet.range(box)}
    criteria = criteria_of(record)
    outside = [column for column in criteria if not box.left <= column < box.right]
    if outside:
        raise invalid(f"Column {outside[0]} of the filter's criteria is outside of its range.")
    if criteria:
        record["criteria"] = {str(column): dict(found) for column, found in criteria.items()}
        record["filterSpecs"] = [
            {"columnIndex": column, "filterCriteria": dict(found)} for column, found in criteria.items()
        ]
    return record


def _hide(book: Book, sheet: Sheet, box: Box, criteria: Mapping[int, Record]) -> None:
    """Mark the rows that criteria hide, and only those."""
    rows = sheet.dimensions["ROWS"]
    for row in [row for row, found in rows.items() if found.get("hiddenByFilter")]:
        rest = {name: item for name, item in rows[row].items() if name != "hiddenByFilter"}
        rows[row] = rest
        if not rest:
            del rows[row]
    if not criteria:
        return
    for row in range(box.top + 1, box.bottom):
        if any(not _passes(book, sheet, row, column, found) for column, found in criteria.items()):
            rows[row] = {**rows.get(row, {}), "hiddenByFilter": True}


def _passes(book: Book, sheet: Sheet, row: int, column: int, criteria: Record) -> bool:
    value = value_of(book, sheet, row, column)
    text = shown(value, sheet.cell(row, column).pattern, book.properties["locale"])
    if text in criteria.get("hiddenValues", ()):
        return False
    condition = criteria.get("condition")
    return condition is None or holds(condition, value, text, book.properties["locale"])


def holds(condition: Record, value: Scalar, text: str, locale: str) -> bool:
    """Return True if a cell meets a BooleanCondition; one that needs a formula or a calendar always holds."""
    kind = str(condition.get("type", ""))
    given = [str(item.get("userEnteredValue", "")) for item in condition.get("values", ())]
    if kind in ("BLANK", "NOT_BLANK"):
        return (text == "") == (kind == "BLANK")
    words = text.casefold()
    if kind.startswith("TEXT_") and given:
        return _text_holds(kind, words, [value_text.casefold() for value_text in given])
    if kind in ("ONE_OF_LIST", "BOOLEAN"):
        return text in given if given else isinstance(value, bool)
    numbers = [found for item in given if isinstance(found := typed(item, {}, locale).value, int | float)]
    if not kind.startswith(("NUMBER_", "DATE_")) or len(numbers) != len(given) or not numbers:
        return True
    if isinstance(value, str | bool | Fault) or value is None:
        return False
    return _number_holds(kind.partition("_")[2], value, numbers)


def _text_holds(kind: str, text: str, given: Iterable[str]) -> bool:
    first = next(iter(given))
    return {
        "TEXT_CONTAINS": first in text,
        "TEXT_NOT_CONTAINS": first not in text,
        "TEXT_STARTS_WITH": text.startswith(first),
        "TEXT_ENDS_WITH": text.endswith(first),
        "TEXT_EQ": text == first,
        "TEXT_NOT_EQ": text != first,
    }.get(kind, True)


def _number_holds(kind: str, value: float, numbers: list[float]) -> bool:
    first, last = numbers[0], numbers[-1]
    return {
        "GREATER": value > first,
        "AFTER": value > first,
        "GREATER_THAN_EQ": value >= first,
        "ON_OR_AFTER": value >= first,
        "LESS": value < first,
        "BEFORE": value < first,
        "LESS_THAN_EQ": value <= first,
        "ON_OR_BEFORE": value <= first,
        "EQ": value == first,
        "NOT_EQ": value != first,
        "BETWEEN": first <= value <= last,
        "NOT_BETWEEN": not first <= value <= last,
    }.get(kind, True)


HANDLERS = {"setBasicFilter": set_basic_filter}
