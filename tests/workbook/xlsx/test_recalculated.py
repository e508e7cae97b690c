"""LibreOffice as the judge: after an edit it shows the same whether it trusts the results left or calculates all."""

import csv
from pathlib import Path

import openpyxl
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.formula import ArrayFormula

from sheets_algo.workbook.changes import AppendRow, ChangeSet, SetCell
from tests.helpers.tabs import key
from tests.workbook.xlsx.door import edit, uncalculated
from tests.workbook.xlsx.small import office_versions

ALL_TABS_AS_CSV = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1"
FORMULAS = [
    "=A1*10",
    "=D1+1",
    "=SUM(A:A)",
    "=SUM($A$1:A3)",
    "=Other!A1+A2",
    "='O''Hara'!B2",
    "=SUM(Other:'O''Hara'!A1)",
    "=total*2",
    "=OFFSET(A1,1,0)",
    '=INDIRECT("A"&3)',
    "=A2:INDEX(A1:A5,4)",
    '=SUMIF(B1:B5,"x",A1)',
    "=VLOOKUP(3,A1:B5,1,FALSE)",
    '=IF(A4>3,"big","small")',
    '="A1"&LOG10(100)',
    "=SUM(G1:G3)",
    "=H2",
]
EDITS = [
    ChangeSet(cells=(SetCell(key("Data"), 1, 1, 50),)),
    ChangeSet(cells=(SetCell(key("Data"), 3, 1, 7.5), SetCell(key("Data"), 3, 2, "x"))),
    ChangeSet(cells=(SetCell(key("Other"), 1, 1, -4),)),
    ChangeSet(cells=(SetCell(key("O'Hara"), 2, 2, "changed"),)),
    ChangeSet(cells=(SetCell(key("Data"), 4, 1, None),)),
    ChangeSet(rows=(AppendRow(key("Other"), (100, 200)),)),
    ChangeSet(rows=(AppendRow(key("Data"), (1000,)),)),
]


def calculated_book(folder: Path) -> Path:
    """A workbook of many kinds of formulas with the results that LibreOffice gives them."""
    book = openpyxl.Workbook()
    data, other, third = book.worksheets[0], book.create_sheet("Other"), book.create_sheet("O'Hara")
    data.title = "Data"
    for number in range(1, 6):
        data.append([number, "x" if number % 2 else "y"])
        other.append([number * 2, f"=A{number}+Data!D{number}"])
        third.append([number * 3, number * 4])
    for number, formula in enumerate(FORMULAS, start=1):
        data.cell(number, 4, formula)
    data["G1"] = ArrayFormula("G1:G3", "=A1:A3*2")
    data["H1"] = ArrayFormula("H1:H3", "=Other!A1:A3+1")
    book.defined_names["total"] = DefinedName("total", attr_text="SUM(Data!$A$1:$A$5)")
    blank = folder / "blank.xlsx"
    book.save(blank)
    return office_versions([blank], "xlsx:Calc MS Excel 2007 XML", folder / "calculated")[0]


def calculates(folder: Path, when: int) -> None:
    """Tell LibreOffice's profile in a folder whether to calculate on loading: 0 always, 1 never."""
    user = folder / "profile" / "user"
    user.mkdir(parents=True)
    (user / "registrymodifications.xcu").write_text(
        '<?xml version="1.0"?><oor:items xmlns:oor="http://openoffice.org/2001/registry">'
        '<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse">'
        f"<value>{when}</value></prop></item></oor:items>"
    )


def test_no_outdated_result_is_left(tmp_path: Path) -> None:
    """All edits in one test, since LibreOffice takes a second for each start and little for a file."""
    data = calculated_book(tmp_path).read_bytes()
    copies = []
    for number, changes in enumerate(EDITS):
        copies.append(tmp_path / f"copy{number}.xlsx")
        copies[-1].write_bytes(edit(data, changes, "Data", "Other", "O'Hara").data)
    shown = []
    for mode, when in (("never", 1), ("always", 0)):
        calculates(tmp_path / mode, when)
        office_versions(copies, ALL_TABS_AS_CSV, tmp_path / mode)
        shown.append(
            {tab.name: list(csv.reader(tab.read_text().splitlines())) for tab in tmp_path.glob(f"{mode}/*.csv")}
        )

    never, always = shown
    assert len(never) == 3 * len(EDITS)
    assert never == always
    for copy in copies:
        assert uncalculated(copy.read_bytes()), "every one of these edits makes something stale"
