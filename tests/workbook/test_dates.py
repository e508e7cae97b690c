"""A date in a column of years: read as its year or refused in words, alike in Google and in XLSX files (DB-09)."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from engine.columns import Field, columns
from scripts.support.shared_sheets import sheets
from sheets_algo.database.cell_text import ReadError
from sheets_algo.database.cells import read_value
from sheets_algo.forms.autoalgo.columns import WarRequest
from sheets_algo.workbook.changes import ChangeSet, SetCell
from sheets_algo.workbook.errors import StaleWorkbook
from sheets_algo.workbook.google.read.live_cells import live_cells
from sheets_algo.workbook.values import Value
from sheets_algo.workbook.xlsx.file.dates import from_iso, from_serial
from tests.helpers.tabs import key, keys
from tests.workbook.google.season import Season, commit

YEAR: Field = dict(columns(WarRequest))["year"]


def google(serial: float) -> Value:
    """A date as Google holds it, as a look reads it."""
    value = {"numberValue": serial}
    cell = {
        "userEnteredValue": value,
        "effectiveValue": value,
        "effectiveFormat": {"numberFormat": {"type": "DATE"}},
    }
    ((_, live),) = live_cells([{"rowData": [{"values": [cell]}]}])
    return live.value


def excel(serial: float) -> Value:
    return from_serial(serial, "date", uses_1904=False)


def mac(serial: float) -> Value:
    return from_serial(serial, "date", uses_1904=True)


def said(value: Value) -> str:
    try:
        return str(read_value(YEAR, value, {}))
    except ReadError as error:
        return error.says


MEANT = "is formatted as a date, {}, which may stand for the year {}"


def test_a_date_is_read_as_its_year_or_refused_in_a_sentence() -> None:
    for value, says in [
        (google(2), MEANT.format("1900-01-01", 2)),
        (google(1066), MEANT.format("1902-12-01", 1066)),
        (google(0), MEANT.format("1899-12-30", 0)),
        (google(-1824), MEANT.format("1895-01-01", -1824)),
        (google(-3500), MEANT.format("1890-05-31", -3500)),
        (google(2020), MEANT.format("1905-07-12", 2020)),
        (google(2100), MEANT.format("1905-09-30", 2100)),
        (google(2101), "1905"),
        (google(5323), "1914"),
        (google(-3501), "is formatted as a date, 1890-05-30"),
        (google(18264), "18264 is out of range; as a date it is 1950-01-01"),
        (google(-304324), "-304324 is out of range; as a date it is 1066-10-14"),
        (excel(1), MEANT.format("1900-01-01", 1)),
        (excel(50), MEANT.format("1900-02-19", 50)),
        (excel(59), MEANT.format("1900-02-28", 59)),
        (excel(60), MEANT.format("1900-02-28", 60)),
        (excel(61), MEANT.format("1900-03-01", 61)),
        (excel(1066), MEANT.format("1902-12-01", 1066)),
        (excel(2020), MEANT.format("1905-07-12", 2020)),
        (excel(2100), MEANT.format("1905-09-30", 2100)),
        (excel(2101), "1905"),
        (excel(18264), "1950"),
        (excel(-1824), MEANT.format("1895-01-01", -1824)),
        (from_serial(50, "moment", uses_1904=False), MEANT.format("1900-02-19", 50)),
        (mac(0), MEANT.format("1904-01-01", 0)),
        (mac(50), MEANT.format("1904-02-20", 50)),
        (mac(1066), MEANT.format("1906-12-02", 1066)),
        (mac(2020), MEANT.format("1909-07-13", 2020)),
        (mac(2101), "1909"),
        (mac(16802), "1950"),
        (from_serial(1066, "moment", uses_1904=True), MEANT.format("1906-12-02", 1066)),
        (from_iso("1066-10-14"), "is formatted as a date, 1066-10-14"),
        (from_iso("1950-01-01"), "1950"),
        (datetime(1950, 1, 1, 12), "1950"),
        (date(2101, 1, 1), "2101 is out of range"),
    ]:
        assert said(value) == says


def test_a_date_that_google_returns_as_a_year_is_detected_before_any_write() -> None:
    season = Season.begun({"War Requests": [["Request", "Year", "Status"], ["W-0001"], ["W-0002", 1066]]})
    sheet = season.sheet_id("War Requests")

    def typed(kind: str) -> None:
        data = {"userEnteredValue": {"numberValue": 2}, "userEnteredFormat": {"numberFormat": {"type": kind}}}
        start = {"sheetId": sheet, "rowIndex": 1, "columnIndex": 1}
        fields = "userEnteredValue,userEnteredFormat.numberFormat"
        season.person({"updateCells": {"start": start, "rows": [{"values": [data]}], "fields": fields}})

    def year() -> Value:
        return workbook.read(keys("War Requests")).sheets[key("war requests")].rows[2][1]

    typed("DATE")
    workbook = season.workbook()
    assert year() == 2
    ruled = ChangeSet(cells=(SetCell(key("War Requests"), 2, 3, "Done"),))
    with pytest.raises(StaleWorkbook):
        commit(workbook, ruled)
    assert season.tab("War Requests")[1] == ["W-0001", 2]
    assert year() == date(1900, 1, 1)
    commit(workbook, ruled)  # a Status that says what is wrong is written
    assert season.tab("War Requests")[1] == ["W-0001", 2, "Done"]

    unread = season.workbook()
    numbers = unread.read(keys("War Requests"))
    dates = unread.with_details(numbers, {key("war requests"): [2]})
    assert (numbers.sheets[key("war requests")].rows[2][1], dates.sheets[key("war requests")].rows[2][1]) == (
        2,
        date(1900, 1, 1),
    )
    assert dates.sheets[key("war requests")].rows[3][1] == 1066

    typed("NUMBER")
    before = sheets().count("read")
    assert year() == 2
    assert year() == 2
    assert sheets().count("read") - before == 3  # the cell is looked at once more, and then forgotten
