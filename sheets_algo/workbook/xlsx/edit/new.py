"""Creation of new XLSX files from a template with openpyxl; existing files are never written this way."""

from __future__ import annotations

import gc
import os
import posixpath
import re
import sys
import traceback
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from copy import copy
from datetime import UTC, datetime
from functools import cache, partial
from io import BytesIO
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.formatting.rule import Rule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.page import PageMargins
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.atomic_file import temporary, where_supported
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.template_spec import (
    AreaSpec,
    CellCheck,
    ColumnSpec,
    FormulaSpec,
    Style,
    TabSpec,
    Template,
    Tint,
)
from sheets_algo.workbook.values import Plain
from sheets_algo.workbook.xlsx.file.os_errors import clear_os_errors

LAST_TINTED_ROW = 5000
HEADER_HEIGHT = 32.0
NOTE_WIDTH, NOTE_LINE = 380, 17
"""Width of a header's note, and height of one of its lines, in pixels."""
NOTE_LETTERS = 58
"""Characters per line of a header's note."""
_LINE = Side("thin", color="D4D6DA")
LINES = Border(_LINE, _LINE, _LINE, _LINE)
"""Border of filled cells, where the fill hides the grid."""
PAGE_WIDTH = 240.0
"""Maximum width, in characters, of a tab that is printed on one page, whose letters are then about 6.5 points high."""
MARGINS = PageMargins(left=0.4, right=0.4, top=0.5, bottom=0.7, header=0.3, footer=0.3)
MOST_ROWS, BLANK_CELL = 1_048_576, "XFD1"
"""Last row of a sheet, and a cell of its last column, which no tab fills."""
EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
"""Time stamped into a workbook without a season."""
_OF_FONTS = (b"b", b"i", b"sz", b"color", b"name", b"family", b"scheme")
"""Properties of fonts that new files have, in the order that Office requires; openpyxl has another."""


def write_new(path: Path, template: Template) -> None:
    """Write a new workbook, as a whole or not at all.

    The same template gives the same bytes: every date in the file is that of the season.

    Args:
        path: Path of the new file; nothing may exist there yet.

    Raises:
        WorkbookUnavailable: The path exists already, or its folder cannot be written.
    """
    with clear_os_errors(path.name, "written"):
        if path.exists() or path.is_symlink():
            raise _exists_error(path)
        if not path.parent.is_dir():
            raise WorkbookUnavailable(f"{path.name}: there is no folder {path.parent} to write it to; make it first.")
        temp = temporary(path)
        try:
            with temp.open("xb") as file:
                file.write(content_of(template))
                file.flush()
                with where_supported():
                    os.fsync(file.fileno())
            _put_in_place(temp, path)
        finally:
            with suppress(OSError):
                temp.unlink(missing_ok=True)


def content_of(template: Template) -> bytes:
    """Return the bytes of the workbook's file."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for tab in template.tabs:
        _write_tab(book.create_sheet(tab.name), tab)
    book.active = [tab.key for tab in template.tabs].index(template.opens_with)
    for sheet in book.worksheets:
        sheet.sheet_view.tabSelected = sheet.title == template.opens_with.name
    book.properties.creator = "sheets-algo"
    saved = BytesIO()
    try:
        book.save(saved)
    except OSError as error:  # openpyxl's temporary files raise again when they are cleaned up
        with _ignore_unraisable():
            traceback.clear_frames(error.__traceback__)
            gc.collect()
        raise
    return _finish(saved.getvalue(), _time_of(template))


@contextmanager
def _ignore_unraisable() -> Iterator[None]:
    """Suppress errors of object cleanup, which Python would print."""
    hook, sys.unraisablehook = sys.unraisablehook, lambda unraisable: None
    try:
        yield
    finally:
        sys.unraisablehook = hook


def _write_tab(sheet: Worksheet, tab: TabSpec) -> None:
    styled: dict[Style, Any] = {}
    sheet.sheet_properties.tabColor = tab.colour or None
    sheet.sheet_state = "hidden" if tab.is_hidden else "visible"
    for number, column in enumerate(tab.columns, start=1):
        _write_column(sheet, number, column, styled, has_header=tab.has_header)
    _group_columns(sheet, tab)
    first = 2 if tab.has_header else 1
    for row, cells in enumerate(tab.rows, start=first):
        for number, cell in enumerate(cells, start=1):
            if cell.value is None and cell.style is None:
                continue
            target = sheet.cell(row, number)
            _apply_style(target, cell.style or tab.columns[number - 1].style, styled)
            if isinstance(cell.value, FormulaSpec):
                area = f"{a1(row, number)}:{a1(row, number + cell.value.width - 1)}"
                sheet[target.coordinate] = ArrayFormula(area, f"={cell.value.text}")
            else:
                _set_value(sheet, row, number, cell.value)
    if tab.has_header:
        sheet.row_dimensions[1].height = HEADER_HEIGHT
        sheet.freeze_panes = a1(2, tab.kept_columns + 1)
    else:
        sheet.sheet_view.showGridLines = False
    for row in range(first, first + tab.sized_rows):
        sheet.row_dimensions[row].height = tab.row_height
    _set_up_pages(sheet, tab)


def _set_up_pages(sheet: Worksheet, tab: TabSpec) -> None:
    """Set what is printed of a tab: landscape, one page wide or two, with its header and first columns on each page.

    Print areas name whole columns, of which spreadsheet programs print the rows in use, so that nobody who adds rows
    must change them. Requests have an id in blank rows too, so their area begins to its right, and the id is a repeated
    column. Tabs of the program grow by thousands of rows in a season; their area is a blank cell, which gives no page.
    """
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToWidth = 1 if sum(column.width for column in tab.columns) <= PAGE_WIDTH else 2
    sheet.page_setup.fitToHeight = 0
    sheet.page_margins = MARGINS
    sheet.oddFooter.center.text = "&A, &P / &N"  # type: ignore[union-attr]
    if tab.is_programs:
        sheet.print_area = BLANK_CELL
        return
    if tab.has_header:
        sheet.print_title_rows = "1:1"
    if repeated := tab.numbered_columns or tab.kept_columns:
        sheet.print_title_cols = f"A:{get_column_letter(repeated)}"
    if tab.numbered_columns:
        first, last = get_column_letter(tab.numbered_columns + 1), get_column_letter(len(tab.columns))
        sheet.print_area = f"{first}1:{last}{MOST_ROWS}"


def _write_column(
    sheet: Worksheet, number: int, column: ColumnSpec, styled: dict[Style, Any], *, has_header: bool
) -> None:
    letter = get_column_letter(number)
    dimension = sheet.column_dimensions[letter]
    dimension.width = column.width
    _apply_style(dimension, column.style, styled)
    if has_header and column.header:
        head = sheet.cell(1, number, column.header)
        _apply_style(head, column.heading, styled)
        if column.note:
            head.comment = _comment(column.note)
    for check in column.checks:
        sheet.add_data_validation(_validation(check, letter, column.header))
    for tint in column.tints:
        sheet.conditional_formatting.add(f"{letter}2:{letter}{LAST_TINTED_ROW}", _tint_rule(tint))


def _group_columns(sheet: Worksheet, tab: TabSpec) -> None:
    """Group columns, closed unless the tab is open; the column to the right of a closed group says so."""
    for group in tab.groups:
        for number in group:
            dimension = sheet.column_dimensions[get_column_letter(number)]
            dimension.outlineLevel, dimension.hidden = 1, not tab.is_open
        sheet.column_dimensions[get_column_letter(group.stop)].collapsed = not tab.is_open
        sheet.column_dimensions.max_outline = 1


def _set_value(sheet: Worksheet, row: int, column: int, value: Plain) -> None:
    """Write a value of its own type: a text that begins with an equals sign stays text."""
    cell = sheet.cell(row, column)
    cell.value = value
    if isinstance(value, str):
        cell.data_type = "s"


def _validation(check: CellCheck, letter: str, header: str) -> DataValidation:
    rule = DataValidation(
        allow_blank=True,
        sqref=f"{letter}{check.rows[0]}:{letter}{check.rows[1]}",
        errorStyle="warning",
        showErrorMessage=bool(check.says),
        errorTitle=header[:32] if check.says else None,
        error=check.says[:225] or None,
        showInputMessage=bool(check.hint),
        promptTitle=header[:32] if check.hint else None,
        prompt=check.hint[:255] or None,
    )
    if check.source is not None:
        rule.type = "list"
        source = check.source
        rule.formula1 = source.address if isinstance(source, AreaSpec) else f'"{",".join(source)}"'
    elif check.low is not None or check.high is not None:
        rule.type = "whole" if check.is_whole else "decimal"
        if check.high is None:
            rule.operator, rule.formula1 = "greaterThanOrEqual", _digits(check.low)
        elif check.low is None:
            rule.operator, rule.formula1 = "lessThanOrEqual", _digits(check.high)
        else:
            rule.operator, rule.formula1, rule.formula2 = "between", _digits(check.low), _digits(check.high)
    return rule


def _digits(number: float | None) -> str | None:
    return None if number is None else f"{int(number)}" if number == int(number) else repr(number)


def _tint_rule(tint: Tint) -> Rule:
    style = DifferentialStyle(
        font=Font(color=tint.ink, bold=True), fill=PatternFill(bgColor=tint.fill, fill_type="solid")
    )
    return Rule(type="cellIs", operator="equal", formula=[f'"{tint.word}"'], dxf=style)


def _comment(text: str) -> Comment:
    lines = sum(1 + len(line) // NOTE_LETTERS for line in text.split("\n"))
    return Comment(text, "sheets-algo", height=NOTE_LINE * (lines + 1), width=NOTE_WIDTH)


def _apply_style(target: Any, style: Style, styled: dict[Style, Any]) -> None:
    """Apply a style to a cell or a whole column; `styled` has the first of a tab with each style, to copy from."""
    if style in styled:
        target._style = copy(styled[style]._style)  # as openpyxl copies cells; searching its lists is slow
        return
    styled[style] = target
    target.font = _font(style)
    if style.fill:
        target.fill = _fill(style.fill)
        target.border = LINES
    target.alignment = _alignment(style)
    target.number_format = style.format


@cache
def _font(style: Style) -> Font:
    return Font(name="Calibri", size=style.size, bold=style.bold, italic=style.italic, color=style.ink or None)


@cache
def _fill(colour: str) -> PatternFill:
    return PatternFill(fgColor=colour, fill_type="solid")


@cache
def _alignment(style: Style) -> Alignment:
    return Alignment(
        horizontal=style.align or None, vertical="top" if style.is_at_top else "center", wrap_text=style.wraps or None
    )


def _finish(package: bytes, time: datetime) -> bytes:
    """Return the package with every time in it replaced, and spelled so that other libraries read it too."""
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    dated = BytesIO()
    with zipfile.ZipFile(BytesIO(package)) as old, zipfile.ZipFile(dated, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            content = old.read(entry)
            if entry.filename == "docProps/app.xml":
                # LibreOffice trusts row heights and results of a file whose application is Excel.
                content = re.sub(rb"(<Application>)[^<]*", rb"\1sheets-algo", content)
            if entry.filename == "docProps/core.xml":
                content = re.sub(rb'(W3CDTF">)[^<]*', rb"\g<1>" + stamp, content)
            # exceljs finds notes by the relative names that Excel gives them; xlsx-populate looks for a text in a
            # cell that states a type.
            if entry.filename.endswith((".rels", "].xml")):
                folder = posixpath.dirname(posixpath.dirname(entry.filename))
                content = _as_excel_names(content)
                content = re.sub(rb'(?<=Target=")/[^"]*', partial(_relative, folder), content)
            elif entry.filename == "xl/styles.xml":
                content = re.sub(rb"(?<=<font>).*?(?=</font>)", _in_order, content)
            elif entry.filename.startswith("xl/worksheets/"):
                content = re.sub(rb'(<c [^>]*?) t="\w+"( ?/>)', rb"\1\2", content)
            fixed = zipfile.ZipInfo(_as_excel_names(entry.filename.encode()).decode(), time.timetuple()[:6])
            fixed.external_attr = 0o600 << 16
            new.writestr(fixed, content, zipfile.ZIP_DEFLATED)
    return dated.getvalue()


def _in_order(properties: re.Match[bytes]) -> bytes:
    """Return the properties of a font in their order."""
    tags = {name: tag for tag, name in re.findall(rb"(<(\w+)[^>]*>)", properties[0])}
    return b"".join(tags[name] for name in sorted(tags, key=_OF_FONTS.index))


def _as_excel_names(text: bytes) -> bytes:
    text = re.sub(rb"xl/comments/comment(\d+\.xml)", rb"xl/comments\1", text)
    return re.sub(rb"xl/drawings/commentsDrawing(\d+\.vml)", rb"xl/drawings/vmlDrawing\1", text)


def _relative(folder: str, target: re.Match[bytes]) -> bytes:
    return posixpath.relpath(target[0].decode(), f"/{folder}").encode()


def _time_of(template: Template) -> datetime:
    return datetime.fromisoformat(template.season.time).astimezone(UTC) if template.season else EPOCH


def _put_in_place(temp: Path, path: Path) -> None:
    """Give the finished file its name, unless the name has been taken meanwhile."""
    try:
        os.link(temp, path)
    except FileExistsError as error:
        raise _exists_error(path) from error
    except OSError:  # a file system without hard links
        if path.exists():
            raise _exists_error(path) from None
        os.rename(temp, path)


def _exists_error(path: Path) -> WorkbookUnavailable:
    return WorkbookUnavailable(f"{path.name}: there is something of this name already, and it is never overwritten.")
