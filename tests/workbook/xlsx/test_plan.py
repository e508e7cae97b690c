"""Faults between the plan and the patch: a copy that holds something else than was planned never replaces the file.

Each fault makes the editor do something else than the change set says, as a mistake in it would; the check gets the
change set as it was planned.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache, partial
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from sheets_algo.workbook.changes import AppendRow, ChangeSet, NewTab, Picture, SetCell
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.xlsx.edit import append, caches, cellxml, patch, pictures
from sheets_algo.workbook.xlsx.edit.cellxml import Writing
from tests.helpers.example_budget import BUDGET, LAW
from tests.helpers.rows import each
from tests.helpers.tabs import key
from tests.workbook.xlsx.apart import parts_of
from tests.workbook.xlsx.door import edit, refused
from tests.workbook.xlsx.inside import judged
from tests.workbook.xlsx.small import S, png, rows, sheet, table, workbook

LOG, T = key("Log"), key("T")
CHANGES = ChangeSet(
    tabs=(NewTab(LOG, ("What", "When")),),
    cells=(
        SetCell(S, 2, 2, 90),
        SetCell(S, 2, 3, "a text"),
        SetCell(S, 1, 2, "Soldiers"),
        SetCell(S, 3, 1, None),
        SetCell(S, 3, 4, True),
        SetCell(T, 5, 5, "alone"),
    ),
    rows=(AppendRow(S, ("France", 5)), AppendRow(S, ("Norway", 7.5)), AppendRow(LOG, ("war", 1066))),
    pictures=(Picture(S, png(), row=9), Picture(S, png("blue"), row=30), Picture(LOG, png())),
)
ROWS = rows({"A": "Nation", "B": "Men"}, {"A": "England", "B": "100", "C": "old"}, {"A": "Wales", "B": "8"})
ROWS = ROWS.replace('r="B3"', 'r="B3" s="3"') + '<row r="4" s="1" customFormat="1"/>'


@cache
def package() -> bytes:
    """A workbook with a table, a row and a column of a format, and a formula over them."""
    formula = '<row r="1"><c r="A1"><f>S!B2*2</f><v>200</v></c><c r="B1"><v>1</v></c></row>'
    columns = '<cols><col min="4" max="5" style="3"/></cols>'
    sheets = {"S": sheet(ROWS, head=columns), "T": sheet(formula, head=columns)}
    return workbook(sheets, tables={"S": table("List", "A1:B3", "Nation", "Men")})


VALUES = (91, "90", 90.5, "A text", "a text ", None, True, False, 1, "")
OTHERS = {"tab": S, "row": 30, "column": 7, "values": ("Franc", 5), "png": png("green"), "header": ("What",)}


def otherwise(changes: ChangeSet) -> Iterator[ChangeSet]:
    """Yield changes in which one item is left out, is there twice, changes places with the next, or is another."""
    for name in ("tabs", "cells", "rows", "pictures"):
        items = getattr(changes, name)
        others = [items[:at] + items[at + 1 :] for at in range(len(items))]
        if name in ("rows", "pictures"):
            others += [items[: at + 1] + items[at:] for at in range(len(items))]
            others += [(*items[:at], items[at + 1], items[at], *items[at + 2 :]) for at in range(len(items) - 1)]
        for at, item in enumerate(items):
            for field in fields(item):
                values = VALUES if field.name == "value" else [OTHERS[field.name]] if field.name in OTHERS else []
                others += [(*items[:at], replace(item, **{field.name: value}), *items[at + 1 :]) for value in values]
        yield from (replace(changes, **{name: other}) for other in others)
    yield replace(changes, tabs=(*changes.tabs, NewTab(key("More"), ("A",))))
    yield replace(changes, cells=(*changes.cells, SetCell(S, 20, 1, 1)))
    yield replace(changes, rows=(AppendRow(S, (*changes.rows[0].values, *changes.rows[1].values)), changes.rows[2]))


def test_a_planned_copy_passes_the_check() -> None:
    judge = judged(package(), CHANGES)

    judge.check(judge.package.data)


def test_a_copy_of_any_other_plan_fails_the_check() -> None:
    """Each is what the editor would write if it took the plan for another one."""
    passed, tried, planned = [], 0, parts_of(edit(package(), CHANGES).data)
    for other in otherwise(CHANGES):
        try:
            judge = judged(package(), other)
        except RefusedChange:  # nobody can plan that
            continue
        if parts_of(judge.package.data) == planned:
            continue
        tried += 1
        try:
            judge.check(judge.package.data, CHANGES)
        except RefusedChange as refusal:
            if "the edited copy failed its check" in str(refusal):
                continue
        passed.append(other)

    assert passed == []
    assert tried > 80


def styled(style: str | None) -> Callable[..., Writing]:
    return lambda value, _=None: Writing(value, style)


def later(found: Callable[..., int], *values: object) -> int:
    return found(*values) + 1


IN_THE_EDITOR: Mapping[str, tuple[Any, str, object]] = {
    "style of a new row": (append, "Writing", styled("1")),
    "no style from the row above": (append, "Writing", styled(None)),
    "style of a new cell": (patch, "Writing", styled("2")),
    "no style from column or row": (cellxml, "default_style", lambda *_: None),
    "row in a gap": (append, "_below_merged", partial(later, append._below_merged)),
    "row over the last one": (append, "_below_merged", lambda _tab, number, _filled: number - 1),
    "table does not grow": (append, "_grow_tables", lambda *_: None),
    "table keeps its header": (append, "rename_columns", lambda content, _: content),
    "number rounded": (cellxml, "number_text", lambda value: f"{value:.0f}"),
    "text shortened": (cellxml, "cell_xml", lambda text: text[:3].encode()),
    "text escaped twice": (cellxml, "cell_xml", lambda text: text.replace("a", "&amp;amp;").encode()),
    "outdated result": (patch, "drop_stale_results", lambda *_: None),
    "no calculation asked": (caches, "_calculate_on_load", lambda _: True),
}


@each("fault", IN_THE_EDITOR)
def test_an_error_of_the_editor_fails_the_check(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(*IN_THE_EDITOR[fault])
        assert "the edited copy failed its check" in refused(package(), CHANGES)


def test_a_picture_shown_on_another_tab_is_not_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    both = edit(package(), ChangeSet(pictures=(Picture(S, png()), Picture(T, png())))).data
    monkeypatch.setattr(pictures, "_remove_unused_media", lambda book, media: book.parts.remove(media))

    says = refused(both, ChangeSet(pictures=(Picture(T, png("blue")),)))
    assert re.search(r"drawing1\.xml\.rels leads to xl/media/sheets-algo-.*, which is removed", says)


CONTENT = st.sampled_from(
    (
        "",
        "<v>7</v>",
        "<f>A1</f><v>2</v>",
        "<f>SUM(A1:D9)</f>",
        "<v></v>",
        "<v/>",
        "<is><t>text</t></is>",
        "<is><t/></is>",
    )
)
ROW_ATTRIBUTES = st.sampled_from(
    ("", "", ' spans="1:4"', ' s="3" customFormat="1"', ' s="2"', ' hidden="1"', ' s="9" customFormat="true"')
)
STYLE = st.sampled_from(("", "", ' s="1"', ' s="2"', ' s="3"', ' s="77"'))
COLUMNS = st.sampled_from(
    (
        "",
        '<cols><col min="1" max="2" style="2"/><col min="3" max="9" style="1"/></cols>',
        '<cols><col min="2" max="3" width="9"/></cols>',
    )
)
TAILS = st.sampled_from(
    (
        "",
        '<mergeCells count="1"><mergeCell ref="B2:C4"/></mergeCells>',
        '<mergeCells count="2"><mergeCell ref="A3:A4"/><mergeCell ref="C5:D9"/></mergeCells><pageMargins left="1"/>',
        '<extLst><ext><mergeCell ref="A1:D99"/></ext></extLst>',
    )
)
HEADS = st.sampled_from(("", '<dimension ref="A1:B2"/>', '<dimension ref="A1"/><sheetPr/>'))
VALUE = st.sampled_from((None, "", 5, -0.25, True, False, "text", " = 1 ", "_x0041_", "a\r\nb", "\x07", 10**15, 1e-300))


@st.composite
def tabs(draw: st.DrawFn) -> str:
    """A tab in one of the spellings that programs use."""
    numbers = draw(st.lists(st.integers(1, 7), unique=True, max_size=6))
    if draw(st.booleans()):
        numbers.sort()
    lines = []
    for number in numbers:
        cells = []
        for letter in sorted(draw(st.sets(st.sampled_from("ABCD")))):
            content = draw(CONTENT)
            kind = ' t="inlineStr"' if "<is>" in content else ""
            tag = f'<c r="{letter}{number}"{draw(STYLE)}{kind}'
            cells.append(f"{tag}>{content}</c>" if content else f"{tag}/>")
        lines.append(
            f'<row r="{number}"{draw(ROW_ATTRIBUTES)}>{"".join(cells)}</row>'.replace("></row>", "/>", not cells)
        )
    between = draw(st.sampled_from(("", "\n", "<!-- war -->")))
    return sheet(between.join(["", *lines, ""]), head=draw(HEADS) + draw(COLUMNS), tail=draw(TAILS))


@st.composite
def changes_of_s(draw: st.DrawFn) -> ChangeSet:
    """Changes of a tab that people could plan."""
    cells = draw(st.dictionaries(st.tuples(st.integers(1, 9), st.integers(1, 5)), VALUE, max_size=4))
    appended = draw(st.lists(st.lists(VALUE, max_size=4), max_size=3))
    return ChangeSet(
        tabs=draw(st.sampled_from(((), (NewTab(LOG, ("What", "")),)))),
        cells=tuple(SetCell(S, *place, value) for place, value in cells.items()),
        rows=tuple(AppendRow(S, tuple(row)) for row in appended),
        pictures=draw(st.sampled_from(((), (Picture(S, png()),)))),
    )


@settings(LAW, max_examples=round(250 * BUDGET))
@given(tab=tabs(), changes=changes_of_s(), is_listed=st.booleans())
def test_the_check_agrees_with_the_editor_on_every_tab(tab: str, changes: ChangeSet, is_listed: bool) -> None:
    listed = {"S": table("List", "A1:B2", "Nation", "Men")} if is_listed else {}
    file = workbook({"S": tab, "T": sheet(rows({"A": "=S!A1|5"}))}, tables=listed)
    try:
        edit(file, changes)
    except RefusedChange as refusal:
        event("refused")
        if "failed its check" in str(refusal):
            raise
