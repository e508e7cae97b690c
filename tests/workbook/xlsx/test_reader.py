"""Cells as the file holds them: every type and style, odd places and broken cells, and openpyxl as second opinion."""

from __future__ import annotations

import io
import re
import warnings
from datetime import date, datetime, time
from html import escape
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.utils.datetime import to_excel

from sheets_algo.workbook.changes import ChangeSet, NewTab, SetCell
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.snapshot import Sheet
from sheets_algo.workbook.values import LINKED, BlankFormula, CellError, PerCent, Uncalculated, Value
from sheets_algo.workbook.xlsx import XlsxWorkbook
from tests.helpers.example_budget import LAW
from tests.helpers.rows import each
from tests.helpers.tabs import key, keys
from tests.workbook.xlsx.apart import opened
from tests.workbook.xlsx.door import filed, refused, sheet_of, values
from tests.workbook.xlsx.hostile import MAIN, RELATIONS, SHEET, WORKBOOK, book, packed, parts

FILES = sorted((Path(__file__).parent / "samples").glob("*.xls?"))
STYLES = (
    '<numFmts><numFmt numFmtId="164" formatCode="[$-409]d mmm yyyy;@"/><numFmt numFmtId="165" formatCode="[h]:mm"/>'
    '<numFmt numFmtId="166" formatCode="0.0 &quot;days&quot;"/></numFmts>'
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>'
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="20"/><xf numFmtId="164"/>'
    '<xf numFmtId="165"/><xf numFmtId="166"/></cellXfs>'
)


def read(rows: str, behind: str = "", is_head: bool = False, workbook: str = "") -> Sheet:
    data = book(rows=rows, behind=behind, strings=["zero", "one"], styles=STYLES, workbook=workbook)
    return sheet_of(data, is_head=is_head)


def one(cell: str, workbook: str = "") -> Value:
    """The value of a single cell, None if it is blank."""
    sheet = read(f'<row r="1">{cell}</row>', workbook=workbook)
    return sheet.rows[1][0] if sheet.rows else None


def test_values_are_read_by_type() -> None:
    for cell, value in [
        ('<c r="A1"><v>1066</v></c>', 1066),
        ('<c r="A1" t="n"><v> -3500 </v></c>', -3500),
        ('<c r="A1"><v>1066.0</v></c>', 1066.0),
        ('<c r="A1"><v>6.02E23</v></c>', 6.02e23),
        ('<c r="A1"><v>12345678901234567890</v></c>', 12345678901234567890),
        ('<c r="A1" t="s"><v>1</v></c>', "one"),
        ('<c r="A1" t="b"><v>1</v></c>', True),
        ('<c r="A1" t="b"><v>0</v></c>', False),
        ('<c r="A1" t="str"><v> =x_x000A_y </v></c>', " =x\ny "),
        ('<c r="A1" t="inlineStr"><is><t>007</t></is></c>', "007"),
        ('<c r="A1" t="inlineStr"><is><t/></is></c>', ""),
        ('<c r="A1" t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r><rPh><t>z</t></rPh></is></c>', "ab"),
        ('<c r="A1" t="inlineStr"><is>\n<t>a&#10;<!-- c --><![CDATA[<b>]]></t>\n</is>\n</c>', "a\n<b>"),
        ('<c r="A1" t="e"><v>#REF!</v></c>', CellError("#REF!")),
        ('<c r="A1" t="e" vm="1"><v>#VALUE!</v></c>', LINKED),
        ('<c r="A1" t="e" vm="1"><f>_xlfn.IMAGE(1)</f><v>#VALUE!</v></c>', CellError("#VALUE!")),
        ('<c r="A1" t="d"><v>1066-10-14</v></c>', date(1066, 10, 14)),
        ('<c r="A1" t="d"><v>1066-10-14T09:00:00Z</v></c>', datetime(1066, 10, 14, 9)),
        ('<c r="A1" t="d"><v>T09:30</v></c>', time(9, 30)),
        ('<c r="A1"/>', None),
        ('<c r="A1" s="1"/>', None),
        ('<c r="A1"><v/></c>', None),
        ('<c r="A1" t="s"><v></v></c>', None),
        ('<c r="A1" t="b"><v></v></c>', None),
    ]:
        found = one(cell)

        assert (type(found), found) == (type(value), value)


def test_a_bad_cell_spoils_only_itself() -> None:
    for cell, code in [
        ('<c r="A1"><v>seven</v></c>', "not a number: seven"),
        ('<c r="A1"><v>1_000</v></c>', "not a number: 1_000"),
        ('<c r="A1"><v>NaN</v></c>', "not a number: NaN"),
        (f'<c r="A1"><v>{"9" * 5_000}</v></c>', f"not a number: {'9' * 40}…"),
        ('<c r="A1" t="s"><v>99</v></c>', "no shared string 99"),
        ('<c r="A1" t="s"><v>-1</v></c>', "no shared string -1"),
        ('<c r="A1" t="s"><v>x</v></c>', "no shared string x"),
        ('<c r="A1" s="99"><v>1</v></c>', "no cell style 99"),
        ('<c r="A1" s="1"><v>99999999999</v></c>', "not a date: 99999999999"),
        ('<c r="A1" t="d"><v>1066-13-32</v></c>', "not a date: 1066-13-32"),
        ('<c r="A1" t="b"><v>perhaps</v></c>', "neither true nor false: perhaps"),
        ('<c r="A1" t="zz"><v>1</v></c>', "no cell type zz"),
        ('<c r="ZZZZ99999999"><v>1</v></c>', "bad address ZZZZ99999999"),
        ('<c r="A0"><v>1</v></c>', "bad address A0"),
        ('<c r=""><v>1</v></c>', "bad address"),
    ]:
        sheet = read(f'<row r="1">{cell}<c r="B1"><v>2</v></c></row><row r="2"><c r="A2"><v>3</v></c></row>')

        (error, *others) = sheet.rows[1]
        assert isinstance(error, CellError)
        assert error.code.startswith(code)
        assert (others, sheet.rows[2]) == ([2], (3,))


def test_a_formula_is_its_stored_value_or_uncalculated() -> None:
    cases = [
        ('<c r="A1"><f>B1*10</f><v>50</v></c>', 50),
        ('<c r="A1" t="str"><f>B1&amp;"x"</f><v>5x</v></c>', "5x"),
        ('<c r="A1" t="e"><f>B1/0</f><v>#DIV/0!</v></c>', CellError("#DIV/0!")),
        ('<c r="A1"><f>B1*10</f></c>', Uncalculated("=B1*10")),
        ('<c r="A1"><f>B1*10</f><v/></c>', Uncalculated("=B1*10")),
        ('<c r="A1" t="str"><f>B1&amp;"x"</f></c>', Uncalculated('=B1&"x"')),
        ('<c r="A1" t="str"><f>""</f><v></v></c>', BlankFormula('=""')),
        ('<c r="A1" t="str"><f>B1</f><v/></c>', BlankFormula("=B1")),
        ('<c r="A1" t="str"><f>B1</f><v xml:space="preserve"> </v></c>', BlankFormula("=B1")),
        ('<c r="A1"><f></f></c>', Uncalculated("=")),
    ]
    assert [(cell, one(cell)) for cell, _ in cases] == cases


def test_cells_of_an_array_formula_without_a_value_are_uncalculated() -> None:
    sheet = read(
        '<row r="1"><c r="A1"><f t="array" ref="A1:B2">C1:D2*2</f></c>'
        '<c r="B1"><v>5</v></c><c r="C1"><v>6</v></c></row>'
        '<row r="2"><c r="A2"><v>7</v></c></row><row r="3"><c r="A3"><v>8</v></c></row>'
    )

    stale = Uncalculated("=C1:D2*2")
    assert dict(sheet.rows) == {1: (stale, stale, 6), 2: (stale,), 3: (8,)}


def test_cells_of_an_array_formula_with_a_value_count() -> None:
    sheet = read('<row r="1"><c r="A1"><f t="array" ref="A1:B1">C1*2</f><v>4</v></c><c r="B1"><v>5</v></c></row>')

    assert sheet.rows[1] == (4, 5)


BLANK_CITIES = '<c r="A{0}"><v>{0}</v></c><c r="C{0}"><v>9</v></c>'


@each(
    ("formula", "marked"),
    [
        ('<f t="array" ref="B1:B3">Other!B1:B3</f>', [2, 3]),
        ('<f t="array" ref="B1">Other!B1</f>', []),
        ('<f>IFERROR(__xludf.DUMMYFUNCTION("IMPORTRANGE(""x"",""B1:B9"")"),"")</f>', [2, 3, 5]),
        ('<f>IFERROR(VLOOKUP(A1,Other!A:B,2,0),"")</f>', []),
    ],
)
@each("value", ["", "Castle"])
def test_blank_cells_that_a_formula_above_may_fill_contain_it(formula: str, marked: list[int], value: str) -> None:
    """An array names its cells; an import, as long as it shows nothing, all down to the next content."""
    above = f'<c r="B1" t="str">{formula}<v>{value}</v></c>'
    rows = [f'<row r="{row}">{BLANK_CITIES.format(row)}</row>' for row in (2, 3, 5)]
    sheet = read(f'<row r="1"><c r="A1"><v>1</v></c>{above}<c r="C1"><v>9</v></c></row>' + "".join(rows) + TYPED)

    is_named = "array" in formula
    found = [row for row, cells in sheet.rows.items() if isinstance(cells[1], BlankFormula)]
    assert found == ([] if value else [1]) + (marked if is_named or not value else [])


TYPED = '<row r="6"><c r="B6" t="inlineStr"><is><t>Wall</t></is></c></row><row r="7"><c r="C7"><v>9</v></c></row>'


def test_a_shared_formula_without_a_value_names_the_formula() -> None:
    sheet = read(
        '<row r="1"><c r="A1"><f t="shared" ref="A1:A2" si="0">B1*2</f><v>4</v></c></row>'
        '<row r="2"><c r="A2"><f t="shared" si="0"/></c></row>'
    )

    assert (sheet.rows[1], sheet.rows[2]) == ((4,), (Uncalculated("=B1*2"),))


@each(
    ("cell", "value"),
    [
        ('<c r="A1" s="1"><v>45000</v></c>', date(2023, 3, 15)),
        ('<c r="A1" s="1"><v>45000.5</v></c>', datetime(2023, 3, 15, 12)),
        ('<c r="A1" s="2"><v>45000.25</v></c>', datetime(2023, 3, 15, 6)),
        ('<c r="A1" s="3"><v>0.75</v></c>', time(18)),
        ('<c r="A1" s="4"><v>61</v></c>', date(1900, 3, 1)),
        ('<c r="A1" s="4"><v>59</v></c>', date(1900, 2, 28)),
        ('<c r="A1" s="4"><v>1</v></c>', date(1900, 1, 1)),
        ('<c r="A1" s="1"><v>-304324</v></c>', date(1066, 10, 14)),
        ('<c r="A1" s="1"><v>2.9999999999</v></c>', date(1900, 1, 3)),
        ('<c r="A1" s="5"><v>1.5</v></c>', 1.5),
        ('<c r="A1" s="6"><v>3</v></c>', 3),
        ('<c r="A1" s="1" t="s"><v>1</v></c>', "one"),
    ],
)
def test_a_number_formatted_as_a_date_is_read_as_one(cell: str, value: Value) -> None:
    found = one(cell)

    assert found == value
    assert isinstance(found, type(value))


def test_foreign_styles_count_like_their_equivalents() -> None:
    plain, space = '<xf numFmtId="0"/>', "http://schemas.openxmlformats.org/markup-compatibility/2006"
    either = f'<x:Choice Requires="hs">{plain}</x:Choice><x:Fallback>{plain}</x:Fallback>'
    styles = STYLES.replace(plain, f'<x:AlternateContent xmlns:x="{space}">{either}</x:AlternateContent>')
    data = book(rows='<row r="1"><c r="A1" s="1"><v>44197</v></c></row>', styles=styles)

    assert sheet_of(data).rows[1][0] == date(2021, 1, 1)


def test_dates_of_the_1904_system_are_read() -> None:
    workbook = '<workbookPr date1904="1"/>'

    assert one('<c r="A1" s="1"><v>0</v></c>', workbook) == date(1904, 1, 1)
    assert one('<c r="A1" s="1"><v>43538</v></c>', workbook) == date(2023, 3, 15)


def test_kinds_of_number_formats_are_recognised() -> None:
    for code, kind in [
        ("General", float),
        ("#,##0.00_);[Red](#,##0.00)", float),
        ('0" days"', float),
        ("0.00E+00", float),
        (r"0\d", float),
        ("[h]:mm:ss", float),
        ("yyyy-mm-dd", datetime),
        ("mmm", datetime),
        ("[$-F800]dddd, mmmm dd, yyyy", datetime),
        ("m/d/yy h:mm AM/PM", datetime),
        ("mm:ss.0", datetime),
        ('h"h"', datetime),
        ("0;yyyy", float),
        ("0.00%", PerCent),
        ("0 %;[Red]-0 %", PerCent),
        ('0.0"%"', float),
        (r"0\%", float),
    ]:
        code = f'<numFmts><numFmt numFmtId="164" formatCode="{escape(code)}"/></numFmts>'
        styles = f'{code}<cellXfs><xf numFmtId="164"/></cellXfs>'
        (value,) = sheet_of(book(rows="<row><c><v>45000.5</v></c></row>", styles=styles)).rows[1]
        assert type(value) is kind


@settings(LAW)
@given(st.datetimes(datetime(1901, 1, 1), datetime(9999, 12, 30)))
def test_serial_dates_agree_with_openpyxl(moment: datetime) -> None:
    moment = moment.replace(microsecond=0)

    assert one(f'<c r="A1" s="2"><v>{to_excel(moment)}</v></c>') == moment  # type: ignore[no-untyped-call]


def test_positions_continue_where_addresses_are_missing() -> None:
    sheet = read("<row><c><v>1</v></c><c/><c><v>3</v></c></row><row/><row><c r='C3'><v>5</v></c><c><v>6</v></c></row>")

    assert sheet.rows == {1: (1, None, 3), 3: (None, None, 5, 6)}


def test_unordered_and_split_cells_and_rows_are_read() -> None:
    sheet = read(
        '<row r="5"><c r="C5"><v>3</v></c><c r="A5"><v>1</v></c></row>'
        '<row r="2"><c r="B2"><v>22</v></c><c r="A7"><v>7</v></c></row>'
        '<row r="5"><c r="B5"><v>2</v></c><c r="E5"><v>5</v></c></row><row r="2"><c><v>21</v></c></row>'
    )

    assert list(sheet.rows.items()) == [(2, (21, 22)), (5, (1, 2, 3, None, 5)), (7, (7,))]


def test_bad_row_numbers_leave_addressed_cells_in_place() -> None:
    sheet = read(
        '<row r="0"><c r="A4"><v>4</v></c><c><v>9</v></c></row><row r="99999999"><c r="B99999999"><v>8</v></c></row>'
        '<row r="x"><c r="A5"><v>5</v></c></row>'
    )

    assert (sheet.rows[4], sheet.rows[5]) == ((4,), (5,))
    errors = [value for row in sheet.rows.values() for value in row if isinstance(value, CellError)]
    assert errors == [CellError("bad address row 0"), CellError("bad address B99999999")]


def test_an_error_without_a_place_hides_no_cell() -> None:
    sheet = read('<row r="1"><c r="A0"><v>9</v></c><c r="A1"><v>1</v></c></row>')

    assert sheet.rows == {1: (1,)}


def test_a_far_cell_costs_no_blank_rows() -> None:
    sheet = read('<row r="1048576"><c r="B1048576"><v>2</v></c><c r="XFD1048576"><v>1</v></c></row>')

    (row,) = sheet.rows.values()
    assert (sheet.last_row, len(row), row[-1], row[1], row[0], row[:3]) == (
        1_048_576,
        16_384,
        1,
        2,
        None,
        [None, 2, None],
    )
    assert [value for value in row if value is not None] == [2, 1]
    with pytest.raises(IndexError):
        row[16_384]


def test_merged_ranges_are_read_as_ranges() -> None:
    merges = "".join(f'<mergeCell ref="{ref}"/>' for ref in ("A1:XFD1048576", "$B$3:C2", "D4", "nonsense", "A1:B2:C3"))

    sheet = read('<row r="1"><c><v>1</v></c></row>', f"<mergeCells>{merges}</mergeCells>")

    assert sheet.merged == ((1, 1, 1_048_576, 16_384), (2, 2, 3, 3), (4, 4, 4, 4))


def test_the_first_rows_can_be_read_alone() -> None:
    rows = "".join(f'<row r="{row}"><c r="A{row}"><v>{row}</v></c></row>' for row in range(1, 30))

    assert list(read(rows, is_head=True).rows) == list(range(1, 11))
    # What stands behind is not even parsed.
    assert list(read(rows, behind="</unbalanced>", is_head=True).rows) == list(range(1, 11))


def listed(tab: str, relationship: str = "") -> bytes:
    """A workbook with one more tab."""
    content, relations = parts(), "xl/_rels/workbook.xml.rels"
    content[WORKBOOK] = content[WORKBOOK].replace(b"</sheets>", f"{tab}</sheets>".encode())
    content[relations] = content[relations].replace(b"</Relationships>", f"{relationship}</Relationships>".encode())
    return packed(content)


def test_a_tab_without_cells_is_refused_by_name() -> None:
    chart = f'<Relationship Id="rId9" Type="{RELATIONS}/chartsheet" Target="styles.xml"/>'
    data = listed('<sheet name="Chart" sheetId="2" r:id="rId9"/>', chart)

    with filed(data) as workbook:
        assert "Chart" not in workbook.read([]).others


@each(
    "where",
    [
        "",
        'Target="worksheets/gone.xml"',
        'Target="worksheets/sheet1.xml" TargetMode="External"',
        'Target="../../../etc/sheet.xml"',
    ],
)
def test_a_tab_without_its_part_is_refused_only_when_needed(where: str, tmp_path: Path) -> None:
    relationship = f'<Relationship Id="rId8" Type="{RELATIONS}/worksheet" {where}/>' if where else ""
    file = tmp_path / "wars.xlsx"
    file.write_bytes(listed('<sheet name="Gone" sheetId="3" r:id="rId8"/>', relationship))
    book = XlsxWorkbook(file)

    assert book.read(keys("Tab")).others == ()
    for tabs, headers_only in (keys("gone"), []), ([], keys("Gone")):
        with pytest.raises(
            WorkbookUnavailable, match=r"^wars\.xlsx: it is damaged: its tab Gone has no part in the file; "
        ):
            book.read(tabs, headers_only)


@each("attributes", ['state="veryHidden" r:id=""', 'r:id=""', ""])
def test_a_tab_without_a_part_ends_no_run_and_stays_in_the_list(attributes: str, tmp_path: Path) -> None:
    """Excel lists modules of macros with the tabs; other programs list such a tab visibly."""
    file, tab = tmp_path / "wars.xlsx", f'<sheet name="Module1" sheetId="4" {attributes}/>'
    file.write_bytes(listed(tab))
    book = XlsxWorkbook(file)

    book.commit(
        book.read(keys("Tab")),
        ChangeSet(tabs=(NewTab(key("Log"), ("What",)),), cells=(SetCell(key("Tab"), 1, 1, "war"),)),
    )

    after = opened(file)
    assert [entry.name for entry in after.sheets] == ["Tab", "Module1", "Log"]
    assert [entry.is_worksheet for entry in after.sheets] == [True, False, True]
    assert tab.encode() in after.part(WORKBOOK)
    assert values(after, "Tab")["A1"] == "war"


@each(
    ("content", "says"),
    [
        (b"<html/>", "it holds a html of no namespace, not a worksheet of Office"),
        (b"<worksheet xmlns='urn:x'/>", "it holds a worksheet of urn:x, not a worksheet of Office"),
        (b"", "it is not well-formed XML (no element found"),
        (b"<?xml version='1.0' encoding='cp037'?><a/>", "its encoding cp037 is not known; UTF-8 and UTF-16 are"),
    ],
)
def test_a_part_that_is_no_worksheet_is_refused_by_name(content: bytes, says: str) -> None:
    with pytest.raises(WorkbookUnavailable, match=re.escape(f"small.xlsx: its tab Tab cannot be read: {says}")):
        sheet_of(packed({**parts(), SHEET: content}))


@each("encoding", ["utf-16", "utf-16-be", "iso-8859-1"])
def test_other_encodings_are_read(encoding: str) -> None:
    cell = '<c t="inlineStr"><is><t>Éire</t></is></c>'
    text = (
        f'<?xml version="1.0" encoding="{encoding.removesuffix("-be")}"?>'
        f'<worksheet xmlns="{MAIN}"><sheetData><row>{cell}</row></sheetData><sheetProtection sheet="1"/></worksheet>'
    )
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    data = packed({**parts(), SHEET: (mark + text).encode(encoding)})

    assert sheet_of(data).rows == {1: ("Éire",)}
    assert "the tab is protected" in refused(data, ChangeSet(cells=(SetCell(key("Tab"), 1, 1, 5),)))


def filled(sheet: Sheet) -> dict[tuple[int, int], Value]:
    cells = ((number, column, value) for number, row in sheet.rows.items() for column, value in enumerate(row, 1))
    return {(row, column): value for row, column, value in cells if value is not None}


def as_openpyxl(value: Value) -> object:
    """It tells errors as texts and dates as moments."""
    if isinstance(value, CellError):
        return value.code
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime.combine(value, time())
    return value


@each("file", FILES)
def test_samples_are_read_as_openpyxl_reads_them(file: Path) -> None:
    package = opened(file)
    with warnings.catch_warnings(action="ignore"):  # it tells what it does not understand
        theirs = openpyxl.load_workbook(file, data_only=True)
    count = 0
    for entry in package.sheets if file.name != "strict-ooxml.xlsx" else ():
        sheet, tab = sheet_of(package, entry.name), theirs[entry.name]

        ours = {place: as_openpyxl(value) for place, value in filled(sheet).items()}
        assert ours == {
            (cell.row, cell.column): cell.value for row in tab.iter_rows() for cell in row if cell.value is not None
        }
        assert set(sheet.merged) == {(at.min_row, at.min_col, at.max_row, at.max_col) for at in tab.merged_cells.ranges}
        count += len(ours)
    theirs.close()
    empty = ("charts-old-and-new.xlsx", "comment-and-button.xlsx", "macro-button.xlsm", "strict-ooxml.xlsx")
    assert (count > 0) == (file.name not in empty)


def test_a_strict_sample_is_read_by_hand() -> None:
    package = opened(FILES[0].parent / "strict-ooxml.xlsx")

    first, second = (sheet_of(package, entry.name) for entry in package.sheets)

    assert first.rows[1] == ("test", None, 1)
    assert first.last_row == 6
    assert len(filled(second)) == 11


plain_values = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(-1e9, 1e9).map(lambda number: round(number, 3))  # openpyxl writes 16 digits
    | st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(lambda text: text[0] not in "=#")
)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(plain_values, max_size=6), max_size=6))
def test_content_written_by_openpyxl_is_read_back(rows: list[list[Value]]) -> None:
    theirs = openpyxl.Workbook()
    tab = theirs.active
    assert tab is not None
    for number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            tab.cell(number, column).value = value  # type: ignore[assignment]
    file = io.BytesIO()
    theirs.save(file)

    sheet = sheet_of(file.getvalue())

    wanted = {(r, c): value for r, row in enumerate(rows, 1) for c, value in enumerate(row, 1) if value is not None}
    assert filled(sheet) == wanted
