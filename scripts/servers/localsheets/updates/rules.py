"""Rules of cells: validation and conditional formats."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from localsheets import colours
from localsheets.book import Book
from localsheets.cells import EMPTY
from localsheets.errors import invalid
from localsheets.messages import SCHEMA
from localsheets.sheet import Record, Sheet
from localsheets.updates.common import target

_COUNTS = {
    "ONE_OF_LIST": (1, 1_000),
    "ONE_OF_RANGE": (1, 1),
    "CUSTOM_FORMULA": (1, 1),
    "NUMBER_BETWEEN": (2, 2),
    "NUMBER_NOT_BETWEEN": (2, 2),
    "DATE_BETWEEN": (2, 2),
    "DATE_NOT_BETWEEN": (2, 2),
    "BLANK": (0, 0),
    "NOT_BLANK": (0, 0),
    "DATE_IS_VALID": (0, 0),
    "TEXT_IS_EMAIL": (0, 0),
    "TEXT_IS_URL": (0, 0),
    "BOOLEAN": (0, 2),
}
"""The least and most values of a condition, if not exactly one."""


def set_data_validation(book: Book, request: Record, caller: str) -> None:
    """Apply `setDataValidation`; without a rule the cells' rules are removed."""
    sheet, box = target(book, request.get("range"), caller)
    rule = request.get("rule")
    if rule is not None:
        _check_condition(book, rule.get("condition"))
        old, new = EMPTY, replace(EMPTY, validation=rule)
        for column in range(box.left, box.right):
            for row in range(box.top, box.bottom):
                cell = sheet.cell(row, column)
                if cell is not old:  # cells below one another are often the same object
                    old, new = cell, replace(cell, validation=rule)
                sheet.put(row, column, new)
        return
    for row, column, cell in list(sheet.inside(box)):
        sheet.put(row, column, replace(cell, validation=None))


def add_conditional_format_rule(book: Book, request: Record, caller: str) -> None:
    """Apply `addConditionalFormatRule`: the rules from its index on move one down."""
    sheet, rule = _rule(book, request.get("rule"))
    index = request.get("index", 0)
    if not 0 <= index <= len(sheet.conditional_formats):
        raise _no_rule(sheet, index)
    sheet.conditional_formats.insert(index, rule)


def delete_conditional_format_rule(book: Book, request: Record, caller: str) -> dict[str, Any]:
    """Apply `deleteConditionalFormatRule`."""
    sheet, index = book.sheet(request.get("sheetId", 0)), request.get("index", 0)
    old = _rule_at(sheet, index)
    del sheet.conditional_formats[index]
    return _reply({"rule": old})


def _rule(book: Book, rule: Record | None) -> tuple[Sheet, Record]:
    if not rule or not rule.get("ranges"):
        raise invalid("rule.ranges must not be empty")
    if ("booleanRule" in rule) == ("gradientRule" in rule):
        raise invalid("Exactly one of rule.booleanRule and rule.gradientRule must be set")
    places = [target(book, area) for area in rule["ranges"]]
    sheet = places[0][0]
    if any(other is not sheet for other, _ in places):
        raise invalid("All ranges of a conditional format rule must be on the same sheet")
    if "booleanRule" in rule:
        _check_condition(book, rule["booleanRule"].get("condition"))
    ranges = [{"sheetId": sheet.id, **found} for found in rule["ranges"]]
    return sheet, {**colours.normal(rule), "ranges": ranges}


def _check_condition(book: Book, condition: Record | None) -> None:
    if not condition or "type" not in condition:
        raise invalid("condition.type must be specified")
    kind, found = condition["type"], len(condition.get("values", ()))
    least, most = _COUNTS.get(kind, (1, 1))
    if not least <= found <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        raise invalid(f"Invalid ConditionValue count for type {kind}: expected {wanted}, found {found}.")
    if kind == "ONE_OF_RANGE":
        book.locate(condition["values"][0].get("userEnteredValue", "").removeprefix("="))


def _rule_at(sheet: Sheet, index: int) -> Record:
    if not 0 <= index < len(sheet.conditional_formats):
        raise _no_rule(sheet, index)
    return sheet.conditional_formats[index]


def _no_rule(sheet: Sheet, index: int) -> Exception:
    return invalid(f"No conditional format on sheet: {sheet.id} at index: {index}")


def _reply(found: Record) -> dict[str, Any]:
    """Return rules in the form of an answer, with places of 0 left out."""
    return {
        name: SCHEMA.write("ConditionalFormatRule", item) if isinstance(item, dict) else item
        for name, item in found.items()
        if item != 0
    }


HANDLERS = {
    "setDataValidation": set_data_validation,
    "addConditionalFormatRule": add_conditional_format_rule,
    "deleteConditionalFormatRule": delete_conditional_format_rule,
}
