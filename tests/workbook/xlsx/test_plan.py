"""Faults between the plan and the patch: a copy that holds something else than was planned never replaces the file.

Each fault makes the editor do something else than the change set says, as a mistake in it would; the check gets the
change set as it was planned.
"""

import io
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from sheets_algo.workbook.changes import AppendRow, ChangeSet, NewTab, Picture, SetCell
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.xlsx.edit import append, caches, cellxml, headings, patch, pictures
from sheets_algo.workbook.xlsx.edit.cellxml import Writing
from sheets_algo.workbook.xlsx.edit.patch import Patch, make_patch
from sheets_algo.workbook.xlsx.file.package import Package
from sheets_algo.workbook.xlsx.verify.verify import check
from tests.helpers.example_budget import LAW
from tests.helpers.tabs import key
from tests.workbook.xlsx.door import edit
from tests.workbook.xlsx.small import S, opened, rows, sheet, table, workbook
from tests.workbook.xlsx.test_newparts import png

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
def package() -> Package:
    """A workbook with a table, a row and a column of a format, and a formula over them."""
    formula = '<row r="1"><c r="A1"><f>S!B2*2</f><v>200</v></c><c r="B1"><v>1</v></c></row>'
    columns = '<cols><col min="4" max="5" style="3"/></cols>'
    sheets = {"S": sheet(ROWS, head=columns), "T": sheet(formula, head=columns)}
    return opened(workbook(sheets, tables={"S": table("List", "A1:B3", "Nation", "Men")}))


def cell(number: int, **other: object) -> Callable[[ChangeSet], ChangeSet]:
    """One cell is planned otherwise."""

    def changed(changes: ChangeSet) -> ChangeSet:
        cells = [*changes.cells]
        cells[number] = replace(cells[number], **other)  # type: ignore[arg-type]
        return replace(changes, cells=tuple(cells))

    return changed


def picture(number: int, **other: object) -> Callable[[ChangeSet], ChangeSet]:
    """One picture is planned otherwise."""

    def changed(changes: ChangeSet) -> ChangeSet:
        pictures = [*changes.pictures]
        pictures[number] = replace(pictures[number], **other)  # type: ignore[arg-type]
        return replace(changes, pictures=tuple(pictures))

    return changed


def in_rows(change: Callable[[tuple[AppendRow, ...]], tuple[AppendRow, ...]]) -> Callable[[ChangeSet], ChangeSet]:
    """Rows are planned otherwise."""
    return lambda changes: replace(changes, rows=change(changes.rows))


OTHERWISE: Mapping[str, Callable[[ChangeSet], ChangeSet]] = {
    "cell left out": lambda changes: replace(changes, cells=changes.cells[1:]),
    "only cell of a tab left out": lambda changes: replace(changes, cells=changes.cells[:-1]),
    "all cells left out": lambda changes: replace(changes, cells=()),
    "another number": cell(0, value=91),
    "number as text": cell(0, value="90"),
    "number of another type": cell(0, value=90.5),
    "another text": cell(1, value="a texts"),
    "text in capitals": cell(1, value="A text"),
    "space after a text": cell(1, value="a text "),
    "text lost": cell(1, value=None),
    "cell not emptied": lambda changes: replace(changes, cells=(*changes.cells[:3], *changes.cells[4:])),
    "cell of the row below": cell(0, row=3),
    "cell of the next column": cell(1, column=4),
    "cell of another tab": cell(5, tab=S),
    "tick removed": cell(4, value=False),
    "tick as number": cell(4, value=1),
    "header left as it was": lambda changes: replace(changes, cells=(*changes.cells[:2], *changes.cells[3:])),
    "cell too many": lambda changes: replace(changes, cells=(*changes.cells, SetCell(S, 20, 1, 1))),
    "row left out": in_rows(lambda rows: rows[1:]),
    "row twice": in_rows(lambda rows: (rows[0], *rows)),
    "rows exchanged": in_rows(lambda rows: (rows[1], rows[0], rows[2])),
    "rows joined": in_rows(lambda rows: (AppendRow(S, (*rows[0].values, *rows[1].values)), rows[2])),
    "row on another tab": in_rows(lambda rows: (rows[0], replace(rows[1], tab=T), rows[2])),
    "row of another text": in_rows(lambda rows: (replace(rows[0], values=("Franc", 5)), *rows[1:])),
    "row without its number": in_rows(lambda rows: (replace(rows[0], values=("France",)), *rows[1:])),
    "row of a new tab left out": in_rows(lambda rows: rows[:2]),
    "tab left out": lambda changes: replace(changes, tabs=(), rows=changes.rows[:2], pictures=changes.pictures[:2]),
    "tab of another name": lambda changes: replace(
        changes,
        tabs=(NewTab(key("Logs"), ("What", "When")),),
        rows=(*changes.rows[:2], AppendRow(key("Logs"), ("war", 1066))),
        pictures=(*changes.pictures[:2], replace(changes.pictures[2], tab=key("Logs"))),
    ),
    "tab of another header": lambda changes: replace(changes, tabs=(NewTab(LOG, ("What", "Where")),)),
    "tab without a header": lambda changes: replace(changes, tabs=(NewTab(LOG, ("What",)),)),
    "tab too many": lambda changes: replace(changes, tabs=(*changes.tabs, NewTab(key("More"), ("A",)))),
    "pictures left out": lambda changes: replace(changes, pictures=()),
    "picture left out": lambda changes: replace(changes, pictures=changes.pictures[1:]),
    "picture twice": lambda changes: replace(changes, pictures=(changes.pictures[0], *changes.pictures)),
    "another picture": picture(0, png=png("green")),
    "picture elsewhere": picture(0, row=10),
    "picture on another tab": picture(2, tab=T),
}


@pytest.fixture
def copied() -> Callable[[ChangeSet], tuple[bytes, Patch]]:
    """The copy of the workbook that the editor makes of a change set."""

    def made_of(changes: ChangeSet) -> tuple[bytes, Patch]:
        made, file = make_patch(package(), changes), io.BytesIO()
        package().write(file, made.changed, made.removed, made.added)
        return file.getvalue(), made

    return made_of


Copied = Callable[[ChangeSet], tuple[bytes, Patch]]


def test_a_planned_copy_passes_the_check(copied: Copied) -> None:
    data, made = copied(CHANGES)

    check(package(), data, CHANGES, made)


@pytest.mark.parametrize("fault", OTHERWISE)
def test_a_copy_of_another_plan_fails_the_check(fault: str, copied: Copied) -> None:
    data, made = copied(OTHERWISE[fault](CHANGES))

    with pytest.raises(RefusedChange, match="the edited copy failed its check"):
        check(package(), data, CHANGES, made)


def styled(style: str | None) -> Callable[..., Writing]:
    return lambda value, _=None: Writing(value, style)


def later(found: Callable[..., int], *values: object) -> int:
    return found(*values) + 1


IN_THE_EDITOR: Mapping[str, tuple[object, str, object]] = {
    "style of a new row": (append, "Writing", styled("1")),
    "no style from the row above": (append, "Writing", styled(None)),
    "style of a new cell": (patch, "Writing", styled("2")),
    "no style from column or row": (cellxml, "default_style", lambda *_: None),
    "row in a gap": (append, "_below_merged", partial(later, append._below_merged)),
    "row over the last one": (append, "_below_merged", lambda _tab, number, _filled: number - 1),
    "table does not grow": (append, "_grow_tables", lambda *_: None),
    "table keeps its header": (headings, "rename_columns", lambda content, _: content),
    "number rounded": (cellxml, "number_text", lambda value: f"{value:.0f}"),
    "text shortened": (cellxml, "cell_xml", lambda text: text[:3].encode()),
    "text escaped twice": (cellxml, "cell_xml", lambda text: text.replace("a", "&amp;amp;").encode()),
    "outdated result": (patch, "drop_stale_results", lambda *_: None),
    "no calculation asked": (caches, "_calculate_on_load", lambda _: True),
}


@pytest.mark.parametrize("fault", IN_THE_EDITOR)
def test_an_error_of_the_editor_fails_the_check(fault: str, copied: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name, replacement = IN_THE_EDITOR[fault]
    monkeypatch.setattr(module, name, replacement)
    data, made = copied(CHANGES)
    monkeypatch.undo()

    with pytest.raises(RefusedChange, match="the edited copy failed its check"):
        check(package(), data, CHANGES, made)


def test_a_picture_shown_on_another_tab_is_not_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = edit(package().data, ChangeSet(pictures=(Picture(S, png()), Picture(T, png())))).data
    before, changes, file = opened(shown), ChangeSet(pictures=(Picture(T, png("blue")),)), io.BytesIO()
    monkeypatch.setattr(pictures, "_remove_unused_media", lambda book, media: book.parts.remove(media))
    made = make_patch(before, changes)
    before.write(file, made.changed, made.removed, made.added)

    with pytest.raises(RefusedChange, match=r"drawing1\.xml\.rels leads to xl/media/sheets-algo-.*, which is removed"):
        check(before, file.getvalue(), changes, made)


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
            cells.append(f'<c r="{letter}{number}"{draw(STYLE)}{kind}>{content}</c>'.replace("></c>", "/>"))
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


@settings(LAW)
@given(tab=tabs(), changes=changes_of_s(), is_listed=st.booleans())
def test_the_check_agrees_with_the_editor_on_every_tab(tab: str, changes: ChangeSet, is_listed: bool) -> None:
    listed = {"S": table("List", "A1:B2", "Nation", "Men")} if is_listed else {}
    before, file = opened(workbook({"S": tab, "T": sheet(rows({"A": "=S!A1|5"}))}, tables=listed)), io.BytesIO()
    try:
        made = make_patch(before, changes)
    except RefusedChange:
        event("refused")
        return
    before.write(file, made.changed, made.removed, made.added)

    check(before, file.getvalue(), changes, made)
