"""Every tab and column of a workbook, from the record classes that declare them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.fields import ValueList, columns, tab_of
from sheets_algo.forecasts.tab import ForecastRow
from sheets_algo.forms.base import Form
from sheets_algo.intents import PendingRow
from sheets_algo.receipts import LogRow, ReceiptRow
from sheets_algo.values import wanted


def described_tabs(forms: Iterable[Form[Any]]) -> list[dict[str, Any]]:
    """The tabs of some rulesets and those that all share, each with its columns."""
    of_forms: dict[type, dict[str, Any]] = {}
    for form in forms:
        for record in form.records():
            of_forms.setdefault(record, _tab(record, form.vocabulary.lists, form.ruleset_key))
    return [*of_forms.values(), *(_tab(record, {}, "") for record in (ReceiptRow, LogRow, ForecastRow, PendingRow))]


def as_text(tabs: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Lines for a terminal."""
    for tab in tabs:
        yield f"{tab['tab']}: {tab['about']}"
        for it in tab["columns"]:
            what = ", ".join(filter(None, (it["kind"], it["allowed"], _default(it), it["writer"] + " writes")))
            yield f"  {it['column']} [{it['rule']}]: {it['note']} ({what})"
        yield ""


def as_markdown(tabs: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Lines of Markdown, a table for each tab."""
    for tab in tabs:
        yield from (f"## {tab['tab']}", "", tab["about"], "")
        yield from ("| Column | Writer | Kind | Allowed | Default | Meaning | Rule |", "|---|---|---|---|---|---|---|")
        for it in tab["columns"]:
            cells = (it["column"], it["writer"], it["kind"], it["allowed"], _default(it), it["note"], it["rule"])
            yield "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"
        yield ""


def _default(column: dict[str, Any]) -> str:
    if column["required"]:
        return "required"
    return "" if column["default"] is None else f"default {column['default']}"


def _tab(record: type, lists: Mapping[str, ValueList], ruleset: str) -> dict[str, Any]:
    tab = tab_of(record)
    return {
        "tab": tab.name,
        "ruleset": ruleset,
        "about": tab.about,
        "optional": tab.optional,
        "columns": [
            {
                "column": column.header,
                "writer": "program" if column.place.is_programs or tab.program_only else "person",
                "kind": column.kind.value,
                "allowed": "" if column.place.is_programs else wanted(column, lists),
                "default": None if column.default in ("", ()) else column.default,
                "required": column.required,
                "aliases": column.aliases,
                "rule": column.id,
                "note": column.note,
            }
            for _, column in columns(record)
        ],
    }
