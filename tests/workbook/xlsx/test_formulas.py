"""Which formulas a change makes stale: exactly those that read it, directly or through others."""

import html
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.changes import AppendRow, ChangeSet, SetCell
from sheets_algo.workbook.values import Uncalculated
from sheets_algo.workbook.xlsx import XlsxWorkbook
from tests.helpers.example_budget import BUDGET, LAW
from tests.helpers.rows import each
from tests.helpers.tabs import key
from tests.workbook.xlsx.apart import opened
from tests.workbook.xlsx.door import edit, part, patched, uncalculated, values
from tests.workbook.xlsx.inside import limit
from tests.workbook.xlsx.small import S, rows, sheet, table, workbook

# Formulas in Z9 of the tab S, which also has the tabs T and O'Hara; C3 of S changes.
READS_C3 = [
    "C3",
    "$C$3",
    "c3+1",
    "SUM(A1:D4)",
    "SUM(D4:A1)",
    "SUM(C:C)",
    "SUM($B:$D)",
    "SUM(3:3)",
    "SUM($2:4)",
    "S!C3",
    "s!$C$3",
    "'S'!C3",
    "SUM(S:T!C3)",
    "SUM('S:O''Hara'!B2:C4)",
    'IF(A1="C3",1,C3)',
    'IF("say ""no"" "=A1,C3)',
    "LOG10(C3)",
    "A1:INDEX(B1:B5,2)",
    'INDIRECT("A1")',
    "OFFSET(A1,2,2)",
    'CELL("address",A1)',
    "one+1",
    "ONE",
    "S!local",
    "around",
    "twice",
    "unknown_name",
    "Missing!A1",
    "_xlfn.ANCHORARRAY(C3)",
    "Zoo1+D0",
    "SUM(A1:C0)",
    "call(1)",
    "(C3,D4)",
    "A1:E9 B3:C5",
    "C3%",
    "-C3^2",
    "{1,2}+C3",
    "T!A1+C3",
    "[1]Book!A1+C3",
    'SUMIF(A1:A3,"x",C1)',
    'AVERAGEIF($A$1:$B$3,IF({1,2}>A1,"(","x"),$B$1)',
    "SUM(List)",
    "SUM(List[])",
    "SUM(List[Two])",
    "SUM(list[[#All],[two]])",
    "SUM(List[[#Data],[One]:[Two]])",
]
READS_OTHERS = [
    "C2",
    "C4",
    "D3",
    'SUMIF(A1:A3,"x",B1)+AVERAGEIF(D1:D9,1)',
    "SUM(A1:B9)",
    "SUM(D:F)",
    "SUM(4:9)",
    "T!C3",
    "'O''Hara'!C3",
    "SUM('T:O''Hara'!C3)",
    '"C3"',
    '"say ""C3"" twice"',
    "C3(1)",
    "AC3",
    "C33",
    "CC3",
    "other",
    "Zoo2",
    "[1]S!C3",
    "'[1]S'!C3",
    "[1]!C3name",
    "1E3+2.5E-3",
    "TRUE+FALSE",
    "NOW()+TODAY()+RAND()",
    "#REF!+1",
    "T!#REF!",
    "_xlfn.LET(_xlpm.x,1,_xlpm.x+1)",
    'IFERROR(__xludf.DUMMYFUNCTION("FILTER(C3:C4)"),5.0)',
    "List[[#Headers],[Two]]",
    "SUM(List[One])",
    "SUM(List[#Headers])",
]
NAMES = (
    '<definedName name="one">S!$C$3</definedName>'
    '<definedName name="local" localSheetId="0">S!$C$3</definedName>'
    '<definedName name="local">T!$A$1</definedName>'
    '<definedName name="around">SUM(S!$B$2:$D$4)</definedName>'
    '<definedName name="twice">one+one</definedName>'
    '<definedName name="other">S!$C$4+T!$C$3</definedName>'
    '<definedName name="Zoo1">S!$C$3</definedName><definedName name="D0">1</definedName>'
    '<definedName name="Zoo2">S!$C$4</definedName>'
    '<definedName name="call">_xlfn.LAMBDA(_xlpm.x,_xlpm.x+S!$C$3)</definedName>'
)


def formula_book(formula: str) -> bytes:
    escaped = html.escape(formula, quote=False)
    first = (
        rows({}, {"B": "One", "C": "Two"}, {"B": "1", "C": "5"})
        + f'<row r="9"><c r="Z9"><f>{escaped}</f><v>7</v></c></row>'
    )
    sheets = {"S": sheet(first), "T": sheet(rows({"A": "1"})), "O'Hara": sheet(rows({"A": "1"}))}
    return workbook(sheets, names=NAMES, tables={"S": table("List", "B2:C3", "One", "Two")})


def test_formulas_that_read_a_changed_cell_are_stale() -> None:
    lines = ({"B": f'=INDIRECT("A{n}")|1', "C": f'=IF(A{n}="x{n}",1,2)|1'} for n in range(1, 101))
    package = opened(workbook({"S": sheet(rows(*lines))}))

    _, after = patched(package, ChangeSet(cells=(SetCell(S, 7, 1, 5),)))

    assert uncalculated(after) == {f"S!B{n}" for n in range(1, 101)} | {"S!C7"}


def test_a_formula_that_reads_the_cell_loses_its_result() -> None:
    for formula in READS_C3:
        patch, after = patched(opened(formula_book(formula)), ChangeSet(cells=(SetCell(S, 3, 3, 6),)))

        assert uncalculated(after) == {"S!Z9"}
        assert 'fullCalcOnLoad="1"' in after.part("xl/workbook.xml").decode()
        assert set(patch.changed) == {"xl/worksheets/sheet1.xml", "xl/workbook.xml"}


def test_a_formula_that_reads_other_cells_keeps_it() -> None:
    for formula in READS_OTHERS:
        patch, after = patched(opened(formula_book(formula)), ChangeSet(cells=(SetCell(S, 3, 3, 6),)))

        assert uncalculated(after) == set()
        assert set(patch.changed) == {"xl/worksheets/sheet1.xml"}


def test_results_go_along_chains_and_across_tabs_and_no_further() -> None:
    first = sheet(rows({"A": "1", "B": "=A1*10|10", "C": "=B1+T!A1|12", "D": "=T!B1|3"}))
    second = sheet(rows({"A": "=S!B1/5|2", "B": "3"}))
    package = opened(workbook({"S": first, "T": second}))

    patch, after = patched(package, ChangeSet(cells=(SetCell(S, 1, 1, 5),)))

    assert uncalculated(after) == {"S!B1", "S!C1", "T!A1"}
    assert part(after) == part(package).replace("<v>1</v>", "<v>5</v>").replace("<v>10</v>", "").replace(
        "<v>12</v>", ""
    )
    assert part(after, "T") == part(package, "T").replace("<v>2</v>", "")
    assert set(patch.changed) == {"xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml", "xl/workbook.xml"}


def test_a_possibly_outdated_result_is_kept_on_tabs_that_the_program_never_reads() -> None:
    """LibreOffice and previews calculate nothing anew, so a dropped result would show as nothing there."""
    own = sheet(rows({"A": "1", "B": '=INDIRECT("A1")|1', "C": "=Notes!A1|1", "D": "=E1|1"}))
    notes = sheet(rows({"A": '=INDIRECT("Nations!A1")|1', "B": "=A1+1|2", "C": "=Nations!A1|1", "D": "=E1|1"}))
    package = opened(workbook({"Nations": own, "Notes": notes}))
    changes = ChangeSet(cells=(SetCell(key("Nations"), 1, 1, 2),))

    patch, after = patched(package, changes)

    assert uncalculated(after) == {"Nations!B1", "Nations!C1", "Notes!C1"}
    assert values(after, "Notes") == values(package, "Notes") | {"C1": Uncalculated("=Nations!A1")}
    assert 'fullCalcOnLoad="1"' in after.part("xl/workbook.xml").decode()
    assert patch.remarks == (
        "The results of formulas that may read any cell, as with INDIRECT or OFFSET, stay until Excel opens the file "
        "and calculates them: 2 in Notes.",
    )
    assert patched(after, changes)[0].remarks == ()


def test_kept_results_do_not_hide_a_tab_that_must_be_read() -> None:
    """Results as large as the sheet make everything outdated; their cells are not walked through one by one."""
    huge = sheet('<row r="1"><c r="B1"><f t="array" ref="B1:XFD1048576">T!A1</f><v>1</v></c></row>')
    package = opened(workbook({"S": huge, "Other": huge, "T": sheet(rows({"A": "1"}))}))

    patch, _ = patched(package, ChangeSet(cells=(SetCell(key("T"), 1, 1, 2),)), "S")

    assert b"<v>1</v>" not in patch.changed["xl/worksheets/sheet1.xml"]
    assert "xl/worksheets/sheet2.xml" not in patch.changed


def test_a_circular_reference_ends() -> None:
    package = opened(workbook({"S": sheet(rows({"A": "1", "B": "=C1+A1|1", "C": "=B1|1", "D": "=D1|1"}))}))

    _, after = patched(package, ChangeSet(cells=(SetCell(S, 1, 1, 2),)))

    assert uncalculated(after) == {"S!B1", "S!C1"}


def test_shared_formulas_move_with_their_cells() -> None:
    cells = '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f t="shared" ref="B1:B4" si="0">A1*$A$4</f><v>4</v></c></row>'
    for row in (2, 3):
        cells += f'<row r="{row}"><c r="A{row}"><v>{row}</v></c><c r="B{row}"><f t="shared" si="0"/><v>4</v></c></row>'
    package = opened(workbook({"S": sheet(cells)}))

    _, one = patched(package, ChangeSet(cells=(SetCell(S, 2, 1, 9),)))
    _, every = patched(package, ChangeSet(cells=(SetCell(S, 4, 1, 9),)))

    assert uncalculated(one) == {"S!B2"}
    assert uncalculated(every) == {"S!B1", "S!B2", "S!B3"}


@each("spelled", ['name="one"', "name='one'", 'name="one"\n', 'comment="a>b" name="one"'])
def test_a_name_is_found_in_any_spelling(spelled: str) -> None:
    names = f"<definedName name='none'>S!B9</definedName><definedName {spelled}>S!C3</definedName>"
    package = opened(workbook({"S": sheet(rows({"A": "=one|1"}))}, names=names))

    assert uncalculated(patched(package, ChangeSet(cells=(SetCell(S, 3, 3, 5),)))[1]) == {"S!A1"}
    assert uncalculated(patched(package, ChangeSet(cells=(SetCell(S, 7, 4, 5),)))[1]) == set()


def test_names_with_relative_references_are_seen_from_their_cell() -> None:
    """Such a name is stated as seen from A1: `left` in C3 means B3."""
    package = opened(
        workbook(
            {"S": sheet(rows({"A": "1", "B": "=before|1"}, {"A": "2", "B": "=before|2"}))},
            names='<definedName name="before">S!XFD1</definedName>',
        )
    )

    _, after = patched(package, ChangeSet(cells=(SetCell(S, 2, 1, 5),)))

    assert uncalculated(after) == {"S!B2"}


def test_this_row_of_a_table_is_resolved() -> None:
    cells = rows({"A": "a", "B": "b"}, {"A": "1", "B": "=List[[#This Row],[a]]*2|2"}, {"A": "2", "B": "=List[@a]*2|4"})
    package = opened(workbook({"S": sheet(cells)}, tables={"S": table("List", "A1:B3", "a", "b")}))

    _, after = patched(package, ChangeSet(cells=(SetCell(S, 3, 1, 5),)))

    assert uncalculated(after) == {"S!B3"}


def test_a_row_appended_to_a_table_is_read_by_its_column() -> None:
    cells = rows({"A": "a", "C": "=SUM(List[a])|3", "D": "=SUM(A2:A3)|3"}, {"A": "1"}, {"A": "2"})
    package = opened(workbook({"S": sheet(cells)}, tables={"S": table("List", "A1:A3", "a")}))

    _, after = patched(package, ChangeSet(rows=(AppendRow(S, (9,)),)))

    assert uncalculated(after) == {"S!C1"}


def test_array_results_are_read_in_their_cells() -> None:
    cells = (
        '<row r="1"><c r="A1"><v>1</v></c><c r="B1" cm="1"><f t="array" ref="B1:B3">A1:A3*2</f><v>2</v></c></row>'
        '<row r="2"><c r="A2"><v>2</v></c><c r="B2"><v>4</v></c><c r="C2"><f>B2+1</f><v>5</v></c></row>'
        '<row r="3"><c r="C3"><f>A9</f><v>5</v></c></row>'
    )
    package = opened(workbook({"S": sheet(cells)}))

    _, after = patched(package, ChangeSet(cells=(SetCell(S, 3, 1, 7),)))

    assert {"S!B1", "S!C2"} <= uncalculated(after)
    assert '<c r="B1" cm="1"><f t="array" ref="B1:B3">A1:A3*2</f></c>' in part(after)
    assert '<c r="C3"><f>A9</f><v>5</v></c>' in part(after)


def test_a_data_table_depends_on_its_inputs_and_edges() -> None:
    """Without the result of its first cell, what the table shows in the others is no result either."""
    cells = (
        '<row r="1"><c r="A1"><v>3</v></c><c r="D1"><v>9</v></c></row>'
        '<row r="3"><c r="B3"><f>A1*2</f><v>6</v></c><c r="C3"><v>1</v></c></row>'
        '<row r="4"><c r="B4"><v>2</v></c>'
        '<c r="C4"><f t="dataTable" ref="C4:C5" dt2D="1" r1="A1" r2="A2"/><v>2</v></c></row>'
        '<row r="5"><c r="C5"><v>4</v></c></row>'
    )
    package = opened(workbook({"S": sheet(cells)}))

    _, by_input = patched(package, ChangeSet(cells=(SetCell(S, 1, 1, 4),)))
    _, by_edge = patched(package, ChangeSet(cells=(SetCell(S, 4, 2, 4),)))
    _, by_none = patched(package, ChangeSet(cells=(SetCell(S, 1, 4, 4),)))

    assert uncalculated(by_input) == {"S!B3", "S!C4", "S!C5"}
    assert uncalculated(by_edge) == {"S!C4", "S!C5"}
    assert uncalculated(by_none) == set()


@each(
    ("cell", "left"),
    [
        ('<c r="B1" s="1" t="str"><f>A1</f><v>x</v></c>', '<c r="B1" s="1"><f>A1</f></c>'),
        ('<c r="B1" t="e" vm="1" cm="2"><f>A1</f><v>#N/A</v></c>', '<c r="B1" cm="2"><f>A1</f></c>'),
        ("<c r='B1' t='b'><f ca='1'>A1</f><v>1</v></c>", "<c r='B1'><f ca='1'>A1</f></c>"),
        ('<c r="B1"><f>A1</f><v/></c>', '<c r="B1"><f>A1</f></c>'),
        ('<c r="B1"><f><![CDATA[A1]]></f><v>1</v></c>', '<c r="B1"><f><![CDATA[A1]]></f></c>'),
        ('<c r="B1"><f>A&#49;</f><!-- r --><v>1</v></c>', '<c r="B1"><f>A&#49;</f><!-- r --></c>'),
    ],
)
def test_only_the_result_is_removed(cell: str, left: str) -> None:
    package = opened(workbook({"S": sheet(f'<row r="1"><c r="A1"><v>1</v></c>{cell}</row>')}))

    _, after = patched(package, ChangeSet(cells=(SetCell(S, 1, 1, 2),)))

    assert part(after) == part(package).replace("<v>1</v>", "<v>2</v>", 1).replace(cell, left)


@each(
    ("tail", "calculated"),
    [
        ("", '</sheets><calcPr fullCalcOnLoad="1"/></workbook>'),
        ('<calcPr calcId="1"/><extLst/>', '<calcPr calcId="1" fullCalcOnLoad="1"/><extLst/>'),
        ("<calcPr fullCalcOnLoad='0'/>", "<calcPr fullCalcOnLoad='1'/>"),
        ("<oleSize ref='A1'/>", "</sheets><calcPr fullCalcOnLoad=\"1\"/><oleSize ref='A1'/>"),
    ],
)
def test_a_recalculation_is_requested_once(tail: str, calculated: str) -> None:
    package = opened(workbook({"S": sheet(rows({"A": "1", "B": "=A1|1"}))}, workbook_tail=tail))

    _, after = patched(package, ChangeSet(cells=(SetCell(S, 1, 1, 2),)))

    assert calculated in after.part("xl/workbook.xml").decode()


def test_endless_names_are_not_followed() -> None:
    """A doubling of names, a circle of names, and a name longer than any formula."""
    doubled = "".join(f'<definedName name="double_{n}">double_{n + 1}+double_{n + 1}</definedName>' for n in range(90))
    circle = '<definedName name="circle_1">circle_2+T!$A$9</definedName>'
    circle += '<definedName name="circle_2">circle_1</definedName>'
    chain = "".join(f'<definedName name="chain_{n}">chain_{n + 1}</definedName>' for n in range(5_000))
    long = f'<definedName name="long">{"T!$A$9+" * 5_000}1</definedName>'
    end = '<definedName name="double_90">T!$A$9</definedName>'
    first = sheet(rows({"A": "=double_0|1", "B": "=circle_1|1", "C": "=chain_0|1", "D": "=long|1"}))
    package = opened(workbook({"S": first, "T": sheet("")}, names=doubled + end + circle + chain + long))

    _, elsewhere = patched(package, ChangeSet(cells=(SetCell(key("T"), 1, 1, 1),)), "S")
    _, there = patched(package, ChangeSet(cells=(SetCell(key("T"), 9, 1, 1),)), "S")

    assert uncalculated(elsewhere) == {"S!C1", "S!D1"}
    assert uncalculated(there) == {"S!A1", "S!B1", "S!C1", "S!D1"}


def test_formulas_with_huge_dependencies_are_all_stale() -> None:
    """200 formulas that each lead to 90 names of 100 references would be followed to 1.8 million areas."""
    long = "+".join(f"T!$C${row}" for row in range(1, 101))
    names = "".join(f'<definedName name="n_{n}">n_{n + 1}+{long}</definedName>' for n in range(90))
    names += '<definedName name="n_90">1</definedName>'
    lines = [{"B": "=n_0|1", "C": "=T!$D$1|1"} for _ in range(200)]
    package = opened(workbook({"S": sheet(rows(*lines)), "T": sheet("")}, names=names))

    _, after = patched(package, ChangeSet(cells=(SetCell(key("T"), 9, 9, 1),)), "S")

    assert len(uncalculated(after)) == 400


def test_very_many_ranges_count_as_wide_as_the_tab(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """More results are dropped then than must be, never fewer."""
    cells = rows(
        {"A": "1", "B": "=A1|1", "C": "=SUM(A1:B1)|2", "E": "=C1|2"}, {"A": "1", "B": "=A2|1", "D": "=SUM(F1:G9)|0"}
    )
    package = opened(workbook({"S": sheet(cells)}))
    changes = ChangeSet(cells=(SetCell(S, 1, 1, 2),))

    exact = uncalculated(patched(package, changes)[1])
    limit(monkeypatch, "blocks of areas", -1)
    wide = uncalculated(patched(package, changes)[1])

    assert exact == {"S!B1", "S!C1", "S!E1"}
    assert wide == {"S!B1", "S!C1", "S!E1", "S!D2", "S!B2"}


def test_a_shared_formula_of_very_many_references_is_not_followed_by_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    def stale(cells: int, text: str) -> int:
        lines = ['<row r="1"><c r="A1"><f>T!A1</f><v>1</v></c></row>']
        for row in range(2, cells + 2):
            first = f' ref="A2:A{cells + 1}">{text}</f>' if row == 2 else "/>"
            lines.append(f'<row r="{row}"><c r="A{row}"><f t="shared" si="0"{first}<v>1</v></c></row>')
        package = opened(workbook({"S": sheet("".join(lines)), "T": sheet("")}))
        return len(uncalculated(patched(package, ChangeSet(cells=(SetCell(key("T"), 9, 9, 1),)), "S")[1]))

    limit(monkeypatch, "areas that formulas read", 100)
    many = "+".join(f"T!C{number}" for number in range(1, 51))

    assert stale(2, many) == 0
    assert stale(40, many) == 41, "40 times 50 are more than 100 and 10 for each formula"
    assert stale(40, f"INDIRECT(B1)+{many}") == 40, "no limit is reached"


def test_four_thousand_running_sums_and_an_equal_chain_are_followed() -> None:
    lines = [
        {"A": str(row), "B": f"=SUM(A$1:A{row})|1", "C": f"=C{row - 1}+1|1" if row > 1 else "1"}
        for row in range(1, 4_001)
    ]
    package = opened(workbook({"S": sheet(rows(*lines))}))

    _, after = patched(package, ChangeSet(cells=(SetCell(S, 3_001, 1, 2), SetCell(S, 1, 3, 2))))

    stale = uncalculated(after)
    assert len([address for address in stale if address.startswith("S!B")]) == 1_000
    assert len([address for address in stale if address.startswith("S!C")]) == 3_999


PLACES = st.tuples(st.integers(1, 50) | st.integers(1, 1 << 20), st.integers(1, 30) | st.integers(1, 1 << 14))


@settings(LAW, max_examples=round(100 * BUDGET))
@given(ends=st.lists(st.tuples(PLACES, PLACES), min_size=1, max_size=12), place=PLACES)
def test_a_sum_is_outdated_exactly_if_its_area_holds_the_cell(
    ends: list[tuple[tuple[int, int], tuple[int, int]]], place: tuple[int, int]
) -> None:
    """Each sum is read by another formula, which is looked for in an index of areas."""
    lines = [{"A": f"=SUM(T!{a1(*one)}:{a1(*other)})|1", "B": f"=A{n}|1"} for n, (one, other) in enumerate(ends, 1)]
    package = opened(workbook({"S": sheet(rows(*lines)), "T": sheet("")}))

    after = patched(package, ChangeSet(cells=(SetCell(key("T"), *place, 5),)))[1]

    outdated = [
        number
        for number, (one, other) in enumerate(ends, 1)
        if all(min(pair) <= at <= max(pair) for at, pair in zip(place, zip(one, other, strict=True), strict=True))
    ]
    assert uncalculated(after) == {f"S!{letter}{number}" for number in outdated for letter in "AB"}


@given(st.text(alphabet="AZ1$:!'[]#@(),\"{}&. \\x_", max_size=30))
@settings(LAW)
def test_any_text_of_a_formula_ends_in_a_commit(formula: str) -> None:
    changes = ChangeSet(cells=(SetCell(S, 9, 1, 5),))

    assert values(edit(workbook({"S": sheet(rows({"B": f"={html.escape(formula)}|1"}))}), changes).data)["A9"] == 5


@each(
    ("column", "cell_text", "is_found"),
    [
        (2, '<c r="B3"><f>A1*2</f><v>2</v></c>', True),
        (3, '<c r="B3"><f>A1*2</f><v>2</v></c>', False),
        (3, '<c r="B3"><f t="array" ref="B3:C4">A1:B2</f><v>1</v></c><c r="C3"><v>1</v></c>', True),
        (2, '<c r="B3"><v>2</v></c>', False),
        (2, '<c r="B3" t="b"><f>TRUE()</f><v>1</v></c>', False),
        (2, '<c r="B3"><f>3500*1000</f><v>3500000</v></c>', False),
        (2, '<c r="B3"><f>INDIRECT("A1")</f><v>2</v></c>', True),
    ],
)
def test_formulas_are_searched_in_the_columns_that_are_read(
    column: int, cell_text: str, is_found: bool, tmp_path: Path
) -> None:
    path = tmp_path / "war.xlsx"
    path.write_bytes(workbook({"S": sheet(f'<row r="3">{cell_text}</row>'), "T": sheet(rows({"B": "=A1|1"}))}))
    book = XlsxWorkbook(path)

    assert book.has_formulas(book.read([S]), {S: [column]}) is is_found
