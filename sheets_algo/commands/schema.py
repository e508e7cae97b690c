"""The command `schema`: every tab and column of a workbook, and the JSON Schemas of tables, from their declarations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.columns import ValueList, columns, columns_in_view, tab_of
from engine.dated import DatedChanges
from engine.declare import schema_of, table_of
from engine.shapes import NUMBERS_OF
from sheets_algo.boards.board_tab import BoardDataRow
from sheets_algo.commands.init import chosen_rulesets
from sheets_algo.commands.plugin_faults import plugin_faults
from sheets_algo.commands.report import Report
from sheets_algo.config.loader import ConfigLoader, Example, Rulebook
from sheets_algo.database.cells import allowed_values
from sheets_algo.forms.base import Form
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.ruling.receipts.receipt_rows import LogRow, ReceiptRow
from sheets_algo.ruling.repair.intents import PendingRow
from sheets_algo.ruling.requests.overrides import LISTS as OVERRIDE_LISTS
from sheets_algo.ruling.requests.overrides import OverrideRow
from sheets_algo.steps import STEPS


def schema(*, rulesets: Sequence[str], markdown: bool, editor: Path | None = None) -> Report:
    """Report every tab and column, or write the JSON Schemas of the tables below the folder `editor`."""
    library = ConfigLoader()
    forms = open_forms(library, chosen_rulesets(rulesets) if rulesets else None)
    faults = () if rulesets else plugin_faults()
    if editor is not None:
        written = {editor / path: content for path, content in json_schemas(library, forms)}
        for file, content in written.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        line = f"{editor / 'schema'}: {len(written)} JSON Schemas written."
        return Report({"files": [*map(str, written)]}, [line], asides=faults)
    described = describe_tabs(forms)
    lines = markdown_lines(described) if markdown else text_lines(described)
    return Report({"tabs": described}, [*lines], asides=faults)


def describe_tabs(forms: Iterable[Form[Any]]) -> list[dict[str, Any]]:
    """Return the tabs of some rulesets and those that all rulesets share, each with its columns."""
    tabs: dict[type, dict[str, Any]] = {}
    for form in forms:
        for record in form.records():
            tabs.setdefault(record, _tab(record, form.vocabulary.lists, form.ruleset_key))
    of_steps = [(record, step.lists) for step in STEPS for record in (*step.tabs, *step.headed)]
    programs: list[tuple[type, Mapping[str, ValueList]]] = [
        (record, {}) for record in (ReceiptRow, LogRow, PendingRow, BoardDataRow)
    ]
    shared = [(OverrideRow, OVERRIDE_LISTS), *programs, *of_steps]
    return [*tabs.values(), *(_tab(record, lists, "") for record, lists in shared)]


def json_schemas(library: ConfigLoader, forms: Iterable[Form[Any]]) -> Iterator[tuple[Path, str]]:
    """Yield path and content of the JSON Schemas of all table files, for editors."""
    declared: dict[tuple[str, type], Mapping[str, Any]] = {
        ("", shape): {} for shape in (Example, Rulebook, DatedChanges)
    }
    for form in forms:
        declared |= {(form.ruleset_key, shape): library.rulebook(form.ruleset_key) for shape in form.declared}
    for (ruleset, shape), rules in declared.items():
        schema = schema_of(shape)
        for name, inner in schema["properties"].items():
            if inner["description"] == f"{NUMBERS_OF}{name}." and name in rules:
                inner["description"] = rules[name]["text"]
        path = Path("schema", ruleset, f"{table_of(shape).file}.schema.json")
        yield path, json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def text_lines(tabs: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield the tabs as lines for a terminal."""
    for tab in tabs:
        yield " ".join(filter(None, (f"{tab['tab']}: {tab['about']}", _view(tab))))
        for col in tab["columns"]:
            details = ", ".join(filter(None, (col["kind"], col["allowed"], _default(col), col["writer"] + " writes")))
            yield f"  {col['column']} [{col['rule']}]: {col['note']} ({details})"
        yield ""


def markdown_lines(tabs: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield the tabs as lines of Markdown, one table per tab."""
    for tab in tabs:
        yield from (f"## {tab['tab']}", "", " ".join(filter(None, (tab["about"], _view(tab)))), "")
        yield from ("| Column | Writer | Kind | Allowed | Default | Meaning | Rule |", "|---|---|---|---|---|---|---|")
        for col in tab["columns"]:
            cells = (col["column"], col["writer"], col["kind"], col["allowed"], _default(col), col["note"], col["rule"])
            yield "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"
        yield ""


def _view(tab: dict[str, Any]) -> str:
    """Return a sentence on the columns that a new workbook shows at first, blank if it shows all."""
    headers = [column["column"] for column in tab["columns"] if column["in_view"]]
    return "" if len(headers) == len(tab["columns"]) else f"In view at first: {', '.join(headers)}."


def _default(column: dict[str, Any]) -> str:
    if column["required"]:
        return "required"
    return "" if column["default"] is None else f"default {column['default']}"


def _tab(record: type, lists: Mapping[str, ValueList], ruleset: str) -> dict[str, Any]:
    tab, in_view = tab_of(record), columns_in_view(record)
    return {
        "tab": tab.name,
        "ruleset": ruleset,
        "about": tab.about,
        "optional": tab.optional,
        "columns": [
            {
                "column": column.header,
                "writer": "program" if column.place.is_programs else "person",
                "kind": column.kind.value,
                "allowed": "" if column.place.is_programs else allowed_values(column, lists),
                "default": None if column.default in ("", ()) else column.default,
                "required": column.required,
                "aliases": column.aliases,
                "rule": column.id,
                "note": column.note,
                "in_view": name in in_view,
            }
            for name, column in columns(record)
        ],
    }
