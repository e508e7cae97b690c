"""Setting cells and appending rows inside the package: the planned bytes and no others, or a refusal that says why."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.changes import AppendRow, ChangeSet, Picture, SetCell
from sheets_algo.workbook.errors import RefusedChange
from sheets_algo.workbook.values import Plain
from tests.helpers.rows import each
from tests.helpers.tabs import key
from tests.workbook.xlsx.apart import Opened, opened
from tests.workbook.xlsx.door import edit, part, patched, refused, uncalculated, values
from tests.workbook.xlsx.inside import limit
from tests.workbook.xlsx.small import MAIN, PACKAGE, RELATIONS, S, rows, sheet, table, workbook


def book(content: str | bytes) -> Opened:
    return opened(workbook({"S": content}))


def put(package: Opened, *cells: tuple[int, int, Plain]) -> str:
    """The tab's part after setting some cells."""
    _, after = patched(package, ChangeSet(cells=tuple(SetCell(S, *cell) for cell in cells)))
    return part(after)


def append(package: Opened, *lines: tuple[Plain, ...]) -> Opened:
    """The package after appending some rows."""
    return patched(package, ChangeSet(rows=tuple(AppendRow(S, line) for line in lines)))[1]


@each(
    ("old", "value", "new"),
    [
        ('<c r="A1" s="3" t="s"><v>0</v></c>', 5, '<c r="A1" s="3"><v>5</v></c>'),
        ('<c r="A1"/>', True, '<c r="A1" t="b"><v>1</v></c>'),
        ("<c s='2' r='A1' ><v>1</v></c>", False, "<c s='2' r='A1' t=\"b\"><v>0</v></c>"),
        ('<c r="A1" s="1" t="e" vm="3"><v>#N/A</v></c>', None, '<c r="A1" s="1"/>'),
        ('<c r="A1" t="str"><v>x</v></c >', None, '<c r="A1"/>'),
        ("<c><v>1</v></c>", 2, '<c r="A1"><v>2</v></c>'),
        (
            '<c r="A1"><v>1</v></c>',
            "a <b> & c",
            '<c r="A1" t="inlineStr"><is><t>a &lt;b&gt; &amp; c</t></is></c>',
        ),
        ('<c r="A1" foo="a>b"><v>1</v></c>', 0.1, '<c r="A1" foo="a>b"><v>0.1</v></c>'),
        ('<c r="A1"><v>1</v></c>', -2.5e-300, '<c r="A1"><v>-2.5e-300</v></c>'),
        ('<c r="A1"><v>1</v></c>', 2**53, '<c r="A1"><v>9007199254740992</v></c>'),
        ('<c r="A1"><v>1</v></c>', "", '<c r="A1"/>'),
    ],
)
def test_an_overwritten_cell_keeps_its_style_and_nothing_else_changes(old: str, value: Plain, new: str) -> None:
    before = sheet(f'<row r="1" ht="30">{old}<c r="B1"><v>7</v></c></row><!-- <row r="1"> --><row r="2"/>')

    assert put(book(before), (1, 1, value)) == before.replace(old, new)


def test_new_cells_and_rows_are_in_order() -> None:
    cases = [
        ("", (1, 1), '<row r="1"><c r="A1"><v>9</v></c></row>'),
        ('<row r="3"/>', (2, 2), '<row r="2"><c r="B2"><v>9</v></c></row><row r="3"/>'),
        ('<row r="3"/>', (4, 2), '<row r="3"/><row r="4"><c r="B4"><v>9</v></c></row>'),
        ('<row r="3" spans="1:2" ht="9"/>', (3, 2), '<row r="3" ht="9"><c r="B3"><v>9</v></c></row>'),
        (
            '<row r="1" spans="1:4"><c r="A1"/> <c r="D1"/></row>',
            (1, 2),
            '<row r="1"><c r="A1"/> <c r="B1"><v>9</v></c><c r="D1"/></row>',
        ),
        ('<row r="1"><c r="A1"/></row>', (1, 3), '<row r="1"><c r="A1"/><c r="C1"><v>9</v></c></row>'),
        ("<row><c/></row><row><c/></row>", (2, 2), '<row><c/></row><row><c/><c r="B2"><v>9</v></c></row>'),
        ("<row/><row r='9'/>", (2, 1), '<row/><row r="2"><c r="A2"><v>9</v></c></row><row r=\'9\'/>'),
        ('<row r="9"/><row r="4"/>', (5, 1), '<row r="5"><c r="A5"><v>9</v></c></row><row r="9"/><row r="4"/>'),
        (
            '<row r="1" s="3" customFormat="1"/>',
            (1, 1),
            '<row r="1" s="3" customFormat="1"><c r="A1" s="3"><v>9</v></c></row>',
        ),
    ]
    assert [
        (before, cell, after, put(book(sheet(before)), (*cell, 9)), sheet(after))
        for before, cell, after in cases
        if put(book(sheet(before)), (*cell, 9)) != sheet(after)
    ] == []


def test_the_dimension_grows_but_is_not_invented() -> None:
    assert '<dimension ref="B2:D9"/>' in put(book(sheet("", head='<dimension ref="B2:C4"/>')), (9, 4, 1))
    assert "<dimension ref='A1:C4'/>" in put(book(sheet("", head="<dimension ref='A1:C4'/>")), (9, 9, None))
    assert "dimension" not in put(book(sheet("")), (9, 4, 1))


PREFIXED = (
    f'<?xml version="1.0"?><x:worksheet xmlns:x="{MAIN}"><x:sheetData>'
    '<x:row r="1"><x:c r="A1" t="str"><x:v>a</x:v></x:c><x:c r="B1"><x:f>A1</x:f><x:v>1</x:v></x:c></x:row>'
    "</x:sheetData></x:worksheet>"
)


def test_prefixes_are_copied_from_the_file() -> None:
    _, after = patched(book(PREFIXED), ChangeSet(cells=(SetCell(S, 1, 1, "b"),), rows=(AppendRow(S, (1, True)),)))

    assert part(after) == PREFIXED.replace(
        '<x:c r="A1" t="str"><x:v>a</x:v></x:c>',
        '<x:c r="A1" t="inlineStr"><x:is><x:t>b</x:t></x:is></x:c>',
    ).replace("<x:v>1</x:v>", "").replace(
        "</x:row></x:sheetData>",
        '</x:row><x:row r="2"><x:c r="A2"><x:v>1</x:v></x:c><x:c r="B2" t="b"><x:v>1</x:v></x:c></x:row></x:sheetData>',
    )


@each("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "iso-8859-1"])
def test_other_encodings_are_read_without_loss(encoding: str) -> None:
    stated = encoding.removesuffix("-sig").removesuffix("-le")
    content = sheet(rows({"A": "Zürich"})).replace('version="1.0"', f'version="1.0" encoding="{stated}"')

    _, after = patched(book(content.encode(encoding)), ChangeSet(cells=(SetCell(S, 2, 1, "中文"),)))

    assert values(after) == {"A1": "Zürich", "A2": "中文"}


def test_text_that_resembles_a_tag_is_not_one() -> None:
    junk = '<!-- <row r="2"><c r="A2"/></row></sheetData> --><?pi <row r="2"> ?>'
    content = sheet(f'{junk}<row r="1">{junk}<c r="A1" t="str"><v><![CDATA[<row r="2">]]></v></c></row>{junk}')

    after = append(book(content), ("x",))

    assert values(after) == {"A1": '<row r="2">', "A2": "x"}
    assert part(after).count(junk) == 3


def test_an_appended_row_has_the_format_of_the_row_above() -> None:
    """Except below a header, and where a number would show as a date."""
    styled = (
        '<row r="2"><c r="A2" s="3"><v>1</v></c><c r="B2" s="2"><v>44000</v></c><c r="C2" s="2"><v>44000</v></c></row>'
    )
    header = '<row r="1"><c r="A1" s="1" t="str"><v>h</v></c></row>'

    below_data = part(append(book(sheet(header + styled)), (1, 2, "text"), (3,)))
    below_header = part(append(book(sheet(header)), ("x",)))

    assert '<row r="3"><c r="A3" s="3"><v>1</v></c><c r="B3"><v>2</v></c><c r="C3" s="2" t="inlineStr">' in below_data
    assert '<row r="4"><c r="A4" s="3"><v>3</v></c></row>' in below_data
    assert '<row r="2"><c r="A2" t="inlineStr">' in below_header


@each(
    ("ref", "line", "totals"),
    [("A1:B4", (1, 2), False), ("A1:B2", (None, None, 3), False), ("A1:B2", (1, 2), True)],
    ids=["room inside", "beside it", "totals below"],
)
def test_a_table_that_cannot_grow_stays(ref: str, line: tuple[Plain, ...], totals: bool) -> None:
    held = table("T", ref, "a", "b", totals=totals)
    package = opened(workbook({"S": sheet(rows({"A": "a", "B": "b"}, {"A": "1", "B": "2"}))}, tables={"S": held}))

    patch, after = patched(package, ChangeSet(rows=(AppendRow(S, line),)))

    assert after.part("xl/tables/table1.xml").decode() == held
    assert [remark for remark in patch.remarks if "totals of the table T" in remark] == list(patch.remarks)
    assert bool(patch.remarks) == totals


@each("changes", [ChangeSet(rows=(AppendRow(S, (1,)),)), ChangeSet(cells=(SetCell(S, 2, 2, 1),))])
def test_a_row_in_an_empty_table_ends_its_blank_row(changes: ChangeSet) -> None:
    """Excel shows one there until something is typed, and marks the table so."""
    held = table("T", "A1:B2", "a", "b")
    marked = held.replace("<table ", '<table insertRow="1" ')
    package = opened(workbook({"S": sheet(rows({"A": "a", "B": "b"}))}, tables={"S": marked}))

    _, after = patched(package, changes)
    _, beside = patched(package, ChangeSet(cells=(SetCell(S, 2, 3, 1),)))

    assert after.part("xl/tables/table1.xml").decode() == held
    assert beside.part("xl/tables/table1.xml").decode() == marked


def test_cells_of_a_pivot_table_are_refused() -> None:
    """Excel lets nobody edit them, and replaces what stands there."""
    package = opened((Path(__file__).parent / "samples" / "smartart-pivot-richtext.xlsx").read_bytes())
    tab = key("Sheet1")

    assert "Sheet1!B39: the cell is inside the pivot table B38:D43, which Excel fills" in refused(
        package.data, ChangeSet(cells=(SetCell(tab, 39, 2, 5),))
    )
    assert values(edit(package.data, ChangeSet(cells=(SetCell(tab, 39, 5, 5),))).data, "Sheet1")["E39"] == 5


TABLED = table("T", "A1:B3", "a", "b")
REFUSED: list[tuple[str, str, Plain, str, tuple[int, int]]] = [
    ("merged", rows({"A": "x"}), 1, "inside the merged cells A1:B2", (2, 2)),
    ("formula", rows({"A": "1", "B": "=A1|1"}), 1, "the cell holds a formula", (1, 2)),
    ("emptied formula", rows({"A": "1", "B": "=A1|1"}), None, "the cell holds a formula", (1, 2)),
    ("shared", '<row r="1"><c r="A1"><f t="shared" si="0"/></c></row>', 1, "holds a formula (shared)", (1, 1)),
    (
        "spill",
        '<row r="1"><c r="A1"><f t="array" ref="A1:A9">B1:B9</f></c></row>',
        1,
        "a part of the result of the formula in A1",
        (9, 1),
    ),
    (
        "data table",
        '<row r="1"><c r="A1"><f t="dataTable" ref="A1:B2" r1="D1"/></c></row>',
        1,
        "a part of the result of the formula in A1",
        (2, 2),
    ),
    ("row 0", "", 1, "row 0, column 1 lies outside the sheet", (0, 1)),
    ("too far right", "", 1, "row 1, column 16385 lies outside the sheet", (1, 16385)),
    ("not a number", "", float("nan"), "nan is not a number that a cell can hold", (1, 1)),
    ("infinite", "", float("-inf"), "-inf is not a number that a cell can hold", (1, 1)),
    ("inexact", "", 2**53 + 1, "9,007,199,254,740,993 has more digits than a cell keeps", (1, 1)),
    ("too long", "", "x" * 32_768, "the text has 32,768 characters; a cell holds 32,767", (1, 1)),
    ("header number", rows({"A": "a", "B": "b"}), 5, "has to be a text", (1, 1)),
    ("header double", rows({"A": "a", "B": "b"}), "B", 'has a column "B" already', (1, 1)),
    (
        "header in use",
        rows({"A": "a", "B": "b"}, {"D": "=SUM(T[a])|1"}),
        "c",
        "calls this column of the table T",
        (1, 1),
    ),
]


@each(("kind", "content", "value", "reason", "cell"), REFUSED)
def test_a_blocked_cell_is_refused(kind: str, content: str, value: Plain, reason: str, cell: tuple[int, int]) -> None:
    tail = '<mergeCells count="1"><mergeCell ref="A1:B2"/></mergeCells>' if kind == "merged" else ""
    tables = {"S": TABLED} if kind.startswith("header") else {}
    package = opened(workbook({"S": sheet(content, tail=tail)}, tables=tables))
    fine = SetCell(S, 40, 1, "fine")

    with pytest.raises(RefusedChange, match=re.escape(reason)) as refusal:
        edit(package.data, ChangeSet(cells=(fine, SetCell(S, *cell, value))))

    assert "nothing was written" in str(refusal.value)
    assert str(refusal.value).startswith("S: row" if "outside" in reason else f"S!{a1(*cell)}: ")


def test_a_label_among_the_totals_of_a_table_is_refused() -> None:
    """It stands in the table's part too."""
    held = table("T", "A1:B3", "a", "b", totals=True).replace('name="a"', 'name="a" totalsRowLabel="Total"')
    content = sheet(rows({"A": "a", "B": "b"}, {"A": "1", "B": "2"}, {"A": "Total", "B": "x"}))
    package = opened(workbook({"S": content}, tables={"S": held}))

    with pytest.raises(RefusedChange, match="S!A3: the cell is a label in the totals of the table T"):
        edit(package.data, ChangeSet(cells=(SetCell(S, 3, 1, "Sum"),)))
    _, after = patched(package, ChangeSet(cells=(SetCell(S, 3, 2, "y"),)))

    assert values(after)["B3"] == "y"


@each("spelled", [' ref="B2:C3"', " ref='B2:C3'", '\nref="B2:C3"', ' x="" ref="B2:C3"'])
@each("others", [0, 30])
def test_merged_cells_are_found_in_any_spelling_even_if_there_are_many(spelled: str, others: int) -> None:
    tail = f'<mergeCells><mergeCell ref="E1:F9"/><mergeCell{spelled}/></mergeCells>'
    package = opened(workbook({"S": sheet(rows({"A": "x"}), tail=tail)}))
    cells = tuple(SetCell(S, row, 1, row) for row in range(5, 5 + others))

    for inside in ((2, 3), (3, 2), (3, 3), (9, 6)):
        with pytest.raises(RefusedChange, match="inside the merged cells"):
            edit(package.data, ChangeSet(cells=(*cells, SetCell(S, *inside, 5))))
    for outside in ((1, 2), (2, 1), (4, 2), (2, 4), (2, 2)):
        edit(package.data, ChangeSet(cells=(*cells, SetCell(S, *outside, 5))))


def test_the_first_of_merged_cells_may_be_written() -> None:
    content = sheet(rows({"A": "x"}), tail='<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>')

    assert '<c r="A1"><v>1</v></c>' in put(book(content), (1, 1, 1))


@each("tail", ['<sheetProtection sheet="0"/>', '<sheetProtection objects="1"/>', "<!-- sheetProtection -->"])
def test_a_tab_whose_cells_are_not_protected_is_written(tail: str) -> None:
    assert '<c r="A1"><v>1</v></c>' in put(book(sheet("", tail=tail)), (1, 1, 1))


def test_a_protected_tab_is_written_only_when_forced() -> None:
    package = book(sheet(rows({"A": "x"}), tail="<sheetProtection sheet='1'/>"))
    cell, row, png = SetCell(S, 1, 1, "y"), AppendRow(S, ("z",)), Picture(S, b"")

    for changes in (ChangeSet(cells=(cell,)), ChangeSet(rows=(row,))):
        with pytest.raises(RefusedChange, match=r"S(!A1)?: the tab is protected; nothing was written: unprotect it"):
            edit(package.data, changes)
    without = edit(package.data, ChangeSet(pictures=(png,)))
    patch, after = patched(package, ChangeSet(cells=(cell,), rows=(row,), forced=True))

    assert values(after) == {"A1": "y", "A2": "z"}
    assert patch.remarks == ("S: the tab is protected and was written to all the same, as asked.",)
    assert without.changed == {}
    assert without.remarks == ("S: the tab is protected, so its picture stays as it is: unprotect it.",)


@each(
    ("changes", "reason"),
    [
        (ChangeSet(cells=(SetCell(key("Nowhere"), 1, 1, 1),)), "Nowhere: the workbook has no such tab"),
        (ChangeSet(rows=(AppendRow(key("Nowhere"), (1,)),)), "Nowhere: the workbook has no such tab"),
        (ChangeSet(cells=(SetCell(S, 1, 1, 1), SetCell(key("s "), 1, 1, 2))), "S!A1: two values are planned"),
        (ChangeSet(rows=(AppendRow(S, (1,) * 16_385),)), "column 16385 lies outside the sheet"),
        (ChangeSet(rows=(AppendRow(S, (float("nan"),)),)), "S!A2: nan is not a number"),
    ],
)
def test_an_impossible_change_is_refused(changes: ChangeSet, reason: str) -> None:
    with pytest.raises(RefusedChange, match=re.escape(reason)):
        edit(book(sheet(rows({"A": "x"}))).data, changes)


def test_broken_styles_are_reported() -> None:
    package = opened(workbook({"S": sheet("")}, more={"xl/styles.xml": "<styleSheet>"}))

    refusal = refused(package.data, ChangeSet(cells=(SetCell(S, 1, 1, 5),)))
    assert "its part xl/styles.xml cannot be read: it is not well-formed" in refusal


def test_too_many_unordered_rows_are_refused_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    package = book(sheet("".join(f'<row r="{row}"><c r="A{row}"><v>1</v></c></row>' for row in (3, 2, 1))))
    changes = ChangeSet(cells=(SetCell(S, 2, 1, 5),))
    edit(package.data, changes)
    limit(monkeypatch, "rows that are not in order", 2)

    with pytest.raises(RefusedChange, match="its 3 rows are not in their order, and 2 is the limit for that; save"):
        edit(package.data, changes)


def test_too_many_names_are_refused_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    names = "".join(f'<definedName name="n{n}">S!$A$1</definedName>' for n in range(3))
    package = opened(workbook({"S": sheet(rows({"A": "=n1|5", "B": "1"}))}, names=names))
    changes = ChangeSet(cells=(SetCell(S, 1, 2, 5),))
    edit(package.data, changes)
    limit(monkeypatch, "names that a workbook defines", 2)

    with pytest.raises(RefusedChange, match="it defines more than 2 names, the limit; nothing was written"):
        edit(package.data, changes)


def test_a_full_tab_is_refused() -> None:
    package = book(sheet('<row r="1048576"><c r="A1048576"><v>1</v></c></row>'))

    with pytest.raises(RefusedChange, match="the tab is full"):
        edit(package.data, ChangeSet(rows=(AppendRow(S, (1,)),)))


@each(
    ("content", "reason"),
    [
        ('<row r="1"/><row r="1"/>', "row numbers is there twice"),
        ('<row r="1"><c r="B7"/></row>', 'row 1 has a cell with the address "B7"'),
        ('<row r="1"><c r="B1"/><c r="B1"><v>1</v></c></row>', "its cell B1 is there twice"),
        ('<row r="1"><c r="B1"/><c r="A1"/><c/></row>', "its cell B1 is there twice"),
        ('<row r="0"/>', "it has a row 0"),
        ('<row r="x"/>', 'it has a row "x"'),
    ],
)
def test_a_contradictory_sheet_is_refused(content: str, reason: str) -> None:
    with pytest.raises(RefusedChange, match=reason):
        edit(book(sheet(content)).data, ChangeSet(cells=(SetCell(S, 1, 1, 1),)))


@each(
    ("content", "prefixes"),
    [
        (sheet(f'<q:row xmlns:q="{MAIN}" r="3"><q:c r="A3"><q:v>7</q:v></q:c></q:row>'), r"\(none\) and q"),
        (sheet("", tail=f'<q:mergeCells xmlns:q="{MAIN}"><q:mergeCell ref="A3:B9"/></q:mergeCells>'), "none"),
        (
            f'<x:worksheet xmlns="{MAIN}" xmlns:x="{MAIN}"><x:sheetData><row r="3"/></x:sheetData></x:worksheet>',
            "and x",
        ),
    ],
)
def test_two_prefixes_for_one_namespace_are_refused(content: str, prefixes: str) -> None:
    """Rows are found by their tags; one under another prefix would get a second row of its number beside it."""
    with pytest.raises(RefusedChange, match=f"S: the tab cannot be edited: it spells one namespace .*{prefixes}"):
        edit(book(content).data, ChangeSet(cells=(SetCell(S, 3, 1, 1),)))


def test_a_prefix_that_is_only_declared_or_used_in_extensions_does_no_harm() -> None:
    tail = f'<extLst><ext xmlns:q="{MAIN}"><q:mergeCell ref="A1:B9"/></ext></extLst>'
    content = sheet(rows({"A": "1"}), tail=tail).replace("<worksheet ", f'<worksheet xmlns:x="{MAIN}" ')

    _, after = patched(book(content), ChangeSet(cells=(SetCell(S, 3, 1, 5),)))

    assert values(after) == {"A1": 1, "A3": 5}
    assert tail in part(after)


def test_rows_and_cells_in_extensions_are_not_those_of_the_sheet() -> None:
    inner = '<extLst><ext><row r="3"><c r="A3"><f>A1</f><v>99</v></c><extLst><c r="B1"/></extLst></row></ext></extLst>'
    content = sheet(
        f'<row r="1"><c r="A1"><v>1</v>{inner}</c>{inner}</row>',
        tail=f'{inner}<extLst><mergeCell ref="A1:C9"/></extLst>',
    )
    changes = ChangeSet(cells=(SetCell(S, 1, 2, 2), SetCell(S, 3, 1, 3)), rows=(AppendRow(S, (4,)),))

    _, after = patched(book(content), changes)

    assert values(after) == {"A1": 1, "B1": 2, "A3": 3, "A4": 4}
    assert part(after).count(inner) == 3


def sealed(**parts: str) -> Opened:
    """A workbook with a part that the package itself leads to."""
    links = "".join(
        f'<Relationship Id="s{number}" Type="{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(
            [(f"{RELATIONS}/officeDocument", "xl/workbook.xml"), (parts["kind"], parts["target"])]
        )
    )
    lists = f'<Relationships xmlns="{PACKAGE}">{links}</Relationships>'
    more = {"_rels/.rels": lists, parts["target"]: parts["content"]}
    return opened(workbook({"S": sheet(rows({"A": "x"}))}, more=more))


def final(value: str) -> Opened:
    content = (
        '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://v">'
        f'<property fmtid="{{D5}}" pid="2" name="_MarkAsFinal">\n<vt:bool>{value}</vt:bool></property></Properties>'
    )
    return sealed(kind=f"{RELATIONS}/custom-properties", target="docProps/custom.xml", content=content)


SIGNED = sealed(
    kind="http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin",
    target="_xmlsignatures/origin.sigs",
    content="",
)


@each(
    ("package", "reason"), [(SIGNED, "signed, and a change"), (final("true"), "marked as final"), (final("1"), "final")]
)
def test_a_signed_or_final_workbook_is_changed_only_when_forced(package: Opened, reason: str) -> None:
    changes = ChangeSet(cells=(SetCell(S, 1, 1, 5),))

    with pytest.raises(RefusedChange, match=rf"^small.xlsx: the workbook is .*{reason}.*, or pass --force; nothing"):
        edit(package.data, changes)
    patch, after = patched(package, replace(changes, forced=True))

    assert values(after) == {"A1": 5}
    (remark,) = patch.remarks
    assert reason in remark
    assert remark.endswith("it was changed all the same, as asked.")


def test_a_workbook_with_a_withdrawn_final_mark_is_changed() -> None:
    assert edit(final("false").data, ChangeSet(cells=(SetCell(S, 1, 1, 5),))).remarks == ()


@each(
    "other",
    [
        sheet('<row r="1"><c r="A1"><f>1</f></row>'),
        sheet("<f/>" + "<!-- " * 300_000),
        f'<x:worksheet xmlns="{MAIN}"><x:sheetData><x:f/></x:sheetData></x:worksheet>',
        f'<worksheet xmlns="{MAIN}"><f /></worksheet>',
        '<?xml version="1.0" encoding="klingon"?>' + sheet("").partition("?>")[2],
    ],
    ids=["tags cross", "comments without end", "prefix undeclared", "no rows", "encoding unknown"],
)
def test_a_broken_tab_with_formulas_elsewhere_is_named_and_nothing_is_written(other: str) -> None:
    """Which formulas depend on the change cannot be known then."""
    package = opened(workbook({"S": sheet(rows({"A": "1"})), "Broken": other}))

    with pytest.raises(RefusedChange, match=r"^Broken: the tab cannot be edited: .*; nothing was written"):
        edit(package.data, ChangeSet(cells=(SetCell(S, 1, 1, 1),)))


def test_a_broken_tab_without_formulas_elsewhere_stays_unchanged() -> None:
    package = opened(workbook({"S": sheet(rows({"A": "1"})), "Broken": sheet('<row r="1"><c r="A1"></row>')}))

    _, after = patched(package, ChangeSet(cells=(SetCell(S, 1, 1, 2),)))

    assert values(after) == {"A1": 2}


@each("prefix", ["", "x:"])
@each("cut", range(5))
def test_formulas_are_noticed_across_boundaries_of_pieces(prefix: str, cut: int) -> None:
    """A part is inflated in pieces of 256 KiB, one of which may end within the tag of its only formula."""
    start, end = f'<{prefix}worksheet xmlns{":x" * bool(prefix)}="{MAIN}"><{prefix}sheetData><{prefix}row r="1"><', "c"
    cell = f'{prefix}{end} r="A1"><{prefix}f>S!A1</{prefix}f><{prefix}v>5</{prefix}v></{prefix}c></{prefix}row>'
    spaces = " " * ((1 << 18) - cut - len(start) - cell.index(f"<{prefix}f>"))
    other = f"{start}{cell.replace('><', f'>{spaces}<', 1)}</{prefix}sheetData></{prefix}worksheet>"
    package = opened(workbook({"S": sheet(rows({"A": "1"})), "T": other}))
    assert 0 <= (1 << 18) - package.part("xl/worksheets/sheet2.xml").index(f"<{prefix}f>".encode()) <= 4

    assert uncalculated(patched(package, ChangeSet(cells=(SetCell(S, 1, 1, 2),)))[1]) == {"T!A1"}


def test_tab_names_are_compared_loosely() -> None:
    package = opened(workbook({"war  LOG": sheet(""), "War": sheet("")}))

    _, after = patched(package, ChangeSet(cells=(SetCell(key(" War Log "), 1, 1, 1),)))

    assert (values(after, "war  LOG"), values(after, "War")) == ({"A1": 1}, {})


def test_remarks_name_the_cell() -> None:
    patch = edit(book(sheet("")).data, ChangeSet(cells=(SetCell(S, 2, 3, "a\x00b\ud800\r\n"),)))

    assert patch.remarks == ("S!C2: 2 characters that no cell can hold were replaced by a visible sign.",)
