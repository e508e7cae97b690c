"""Exports of a spreadsheet to other file formats."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Mapping
from html import escape
from itertools import zip_longest
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

from localsheets.spreadsheet import Spreadsheet
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from PIL import Image, ImageDraw

LINES = 60
"""Rows of a tab on a page of a PDF."""


def as_xlsx(spreadsheet: Spreadsheet) -> bytes:
    """Return every tab with its formulas, without formats; values that Excel cannot hold are left out."""
    book = Workbook(write_only=True)
    for title, values in spreadsheet.sheets():
        tab = book.create_sheet(re.sub(r"[\[\]:*?/\\]", " ", title)[:31])
        quoted = "'" + title.replace("'", "''") + "'"
        formulas = spreadsheet.values_get(quoted, value_render="FORMULA").get("values", [])
        rows: Iterable[tuple[list[Any], list[Any]]] = zip_longest(formulas, values, fillvalue=[])
        for typed, shown in rows:
            tab.append([_cell(tab, *pair) for pair in zip_longest(typed, shown, fillvalue="")])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def as_ods(spreadsheet: Spreadsheet) -> bytes:
    """Return every tab as text and numbers."""
    tables = [
        f'<table:table table:name="{_text(title)}">{"".join(map(_ods_row, values))}</table:table>'
        for title, values in spreadsheet.sheets()
    ]
    names = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    body = f"<office:body><office:spreadsheet>{''.join(tables)}</office:spreadsheet></office:body>"
    manifest = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
    entries = "".join(
        f'<m:file-entry m:full-path="{path}" m:media-type="{media}"/>'
        for path, media in (("/", ODS), ("content.xml", XML))
    )
    return _zipped({
        "mimetype": ODS,
        "content.xml": f'{HEAD}<office:document-content {names} office:version="1.3">{body}</office:document-content>',
        "META-INF/manifest.xml": f'{HEAD}<m:manifest xmlns:m="{manifest}" m:version="1.3">{entries}</m:manifest>',
    })  # fmt: skip


def as_html(spreadsheet: Spreadsheet) -> bytes:
    """Return a page with a table for every tab, zipped."""
    pages = {}
    for title, values in spreadsheet.sheets():
        rows = "".join("<tr>" + "".join(f"<td>{_text(value)}</td>" for value in row) + "</tr>" for row in values)
        pages[re.sub(r"[/\\\x00]", "_", title) + ".html"] = f"<!DOCTYPE html><meta charset=utf-8><table>{rows}</table>"
    return _zipped(pages)


def as_pdf(spreadsheet: Spreadsheet) -> bytes:
    """Return every tab's values, line by line, as pages of pictures."""
    pages = []
    for _, values in spreadsheet.sheets():
        lines = ["    ".join(map(str, row)) for row in values] or [""]
        for first in range(0, len(lines), LINES):
            page = Image.new("1", (1000, 1414), 1)
            ImageDraw.Draw(page).multiline_text((60, 60), "\n".join(lines[first : first + LINES]), 0)
            pages.append(page)
    file = io.BytesIO()
    pages[0].save(file, "PDF", save_all=True, append_images=pages[1:])
    return file.getvalue()


HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
XML = "text/xml"
ODS = "application/vnd.oasis.opendocument.spreadsheet"
EXPORTS: dict[str, Callable[[Spreadsheet], bytes]] = {
    "text/csv": lambda spreadsheet: spreadsheet.export(",").encode(),
    "text/tab-separated-values": lambda spreadsheet: spreadsheet.export("\t").encode(),
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": as_xlsx,
    ODS: as_ods,
    "application/zip": as_html,
    "application/pdf": as_pdf,
}
"""The function that makes each kind of file."""


def _ods_row(row: list[Any]) -> str:
    return "<table:table-row>" + "".join(map(_ods_cell, row)) + "</table:table-row>"


def _ods_cell(value: Any) -> str:
    attributes = 'office:value-type="string"'
    if isinstance(value, bool):
        attributes = f'office:value-type="boolean" office:boolean-value="{str(value).lower()}"'
    elif isinstance(value, (int, float)):
        attributes = f'office:value-type="float" office:value="{value!r}"'
    return f"<table:table-cell {attributes}><text:p>{_text(value)}</text:p></table:table-cell>"


def _text(value: Any) -> str:
    return escape(ILLEGAL_CHARACTERS_RE.sub("", str(value)))


def _zipped(files: Mapping[str, str]) -> bytes:
    """Return a ZIP archive; its first file is not compressed, so that the file's type can be recognised."""
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as package:
        for number, (name, text) in enumerate(files.items()):
            package.writestr(name, text, ZIP_DEFLATED if number else ZIP_STORED)
    return file.getvalue()


def _cell(tab: Any, typed: Any, shown: Any) -> Any:
    """Return a cell; text that begins like a formula and is none stays text."""
    if not isinstance(typed, str):
        return typed
    cell = WriteOnlyCell(tab, ILLEGAL_CHARACTERS_RE.sub("", typed) or None)
    if typed == shown and typed:
        cell.data_type = "s"
    return cell
