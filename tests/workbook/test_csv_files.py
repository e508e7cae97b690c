"""CSV files: a spreadsheet that opens one calculates nothing of what players typed."""

from __future__ import annotations

import csv
import io

from sheets_algo.workbook.csv_files import csv_bytes, write_frame
from tests.helpers.rows import each

CALCULATED = "=+-@＝＋－＠"
NAMES = [
    *(f"{before}{sign}1+1" for sign in CALCULATED for before in ("", "\t", "\r", "\n", " ", "\u00a0", "\u3000 ", "\0")),
    '=HYPERLINK("http://127.0.0.1/","win")',
    "+1+cmd|' /C calc'!A0",
    "\tRome",
    "Rome;=1+1;x",
    "Rome\t=1+1\tx",
    "Rome\r=1+1",
    "Rome\n@SUM(1;1);x",
    'Rome";=1+1;"',
]


@each("separator", [",", ";", "\t"])
def test_no_cell_becomes_a_formula_with_any_separator(separator: str) -> None:
    table = csv_bytes(["=name", "seq"], [[name, 1] for name in NAMES]).decode()
    cells = [cell for row in csv.reader(io.StringIO(table), delimiter=separator) for cell in row]
    assert len(cells) > len(NAMES)
    assert not [cell for cell in cells if cell.strip("\0 \t\r\n\u00a0\u3000").startswith(tuple(CALCULATED))]
    assert not [cell for cell in cells if cell.startswith(("\t", "\r", "\n"))]


def test_exact_texts_are_unchanged() -> None:
    table = csv_bytes(["name"], [[name] for name in NAMES], is_exact=True).decode()
    assert [row[0] for row in csv.reader(io.StringIO(table, newline=""))] == ["name", *NAMES]


def test_numbers_and_other_texts_are_unchanged(tmp_path) -> None:
    import pandas

    cells = [-5, -0.25, "-5", "-5.5", "Rome - Carthage", "e-mail@rome", "* '''Won''': yes; no", "", None, True]
    row = csv_bytes(["a"] * len(cells), [cells]).decode().splitlines()[1]
    assert row == """-5,-0.25,"-5","-5.5","Rome - Carthage","e-mail@rome","* '''Won''': yes; no","","",True"""

    frame = pandas.DataFrame({"lost": [-5, None], "name": ["=1", None], "share": [-0.5, 1]}).convert_dtypes()
    write_frame(tmp_path / "a.csv", frame)
    assert (tmp_path / "a.csv").read_text() == '"lost","name","share"\n-5,"\'=1",-0.5\n"","",1.0\n'
    again = pandas.read_csv(tmp_path / "a.csv")
    assert again["lost"].tolist()[0] == -5
    assert again.isna().sum().tolist() == [1, 1, 0]
