"""Cells as spreadsheets really hold them (issue: numbers as text, text as numbers, dates in year columns ...)."""

from datetime import date, datetime, time

import pytest

from engine.columns import Field, Kind, ValueList
from sheets_algo.database.cell_text import ReadError, as_text, is_blank
from sheets_algo.database.cells import read_value
from sheets_algo.database.typed_numbers import readings_of
from sheets_algo.workbook.values import LINKED, CellError, PerCent, Uncalculated

LISTS = {
    "Trade": ValueList("Trade", ("Embargoed", "Minor", "Lucrative (selling)"), aliases={"Little": "Minor"}),
    "Side": ValueList("Side", ("Attacker", "Defender")),
}
SIZE = Field(header="Size", kind=Kind.WHOLE, id="MIL-03", low=1, high=15_000_000)
YEAR = Field(header="Year", kind=Kind.WHOLE, id="WAR-02", low=-3500, high=2020, unit="year")
SHARE = Field(header="Urban", kind=Kind.NUMBER, id="NAT-24", low=0, high=1)
BUDGET = Field(header="Budget", kind=Kind.NUMBER, id="MIL-14", low=0, high=1e12)
TRADE = Field(header="Trade", kind=Kind.CHOICE, id="NAT-21", choices="Trade")
LEVEL = Field(header="Location", kind=Kind.CHOICE, id="SC-01", choices="Trade", numeric=True, low=0, high=5)
SKILL = Field(header="Attack", kind=Kind.NUMBER, id="LDR-04", low=0, high=10)
TRAINING = Field(header="Training", kind=Kind.CHOICE, id="MIL-15", choices="Trade", numeric=True, low=0, high=10)
RATE = Field(header="Tax %", kind=Kind.NUMBER, id="CI-TAX-01", low=0, high=100, unit="per cent")
NATIONS = Field(header="Nation", kind=Kind.REFERENCES, id="MIL-01", to="Nations")
POWER = Field(header="Power", kind=Kind.NUMBERS, id="UNIT-08", count=3, low=0, high=10, default=(0.5, 0.5, 0.5))
TRADES = Field(header="Trades", kind=Kind.CHOICES, id="NAT-21", choices="Trade", count=2)
READY = Field(header="Ready", kind=Kind.YES_NO, id="REQ-04")
CLOCK = Field(header="Declared at", kind=Kind.TIME, id="SC-11")
NAME = Field(header="Request", kind=Kind.TEXT, id="REQ-01")
SEED = Field(header="Seed", kind=Kind.WHOLE, id="REQ-03", low=0, high=2**64 - 1)
UNIT = Field(header="Infantry Type", kind=Kind.REFERENCE, id="MIL-05", to="Units", zero_means_none=True)


def test_cells_are_read_as_intended():
    for column, cell, meaning in [
        (SIZE, 7000, 7000),
        (SIZE, 7000.0, 7000),
        (SIZE, "7000", 7000),
        (SIZE, " 7,000 ", 7000),
        (SIZE, "7.000", 7000),
        (SIZE, "7 000", 7000),
        (SIZE, "7\u202f000", 7000),
        (SIZE, "1.234.567", 1234567),
        (SIZE, "1,234,567", 1234567),
        (SIZE, "1'234'567", 1234567),
        (SIZE, "7e3", 7000),
        (SHARE, "0,35", 0.35),
        (SHARE, "0.35", 0.35),
        (SHARE, "35 %", 0.35),
        (SHARE, "35%", 0.35),
        (SHARE, ",5", 0.5),
        (RATE, "12 %", 12),
        (RATE, "0,5%", 0.5),
        (RATE, "12.5", 12.5),
        (BUDGET, "1.234.567,5", 1234567.5),
        (BUDGET, "1,234,567.5", 1234567.5),
        (YEAR, "−480", -480),
        (YEAR, datetime(1914, 7, 28), 1914),
        (YEAR, date(2001, 1, 1), 2001),
        (TRADE, "  lucrative   (SELLING) ", "Lucrative (selling)"),
        (TRADE, "little", "Minor"),
        (LEVEL, "4", 4.0),
        (LEVEL, 4, 4.0),
        (LEVEL, 5.000000000001, 5.0),
        (LEVEL, "Minor", "Minor"),
        (NATIONS, "England; Normandy / Norway|Byzantium", ("England", "Normandy", "Norway", "Byzantium")),
        (NATIONS, "England ;; ", ("England",)),
        (TRADES, "little; EMBARGOED", ("Minor", "Embargoed")),
        (TRADES, "Minor, Embargoed", ("Minor", "Embargoed")),
        (POWER, "0.5; 1; 0.9", (0.5, 1.0, 0.9)),
        (POWER, "0.5,1,0.9", (0.5, 1.0, 0.9)),
        (POWER, "0,5; 1; 0,9", (0.5, 1.0, 0.9)),
        (NAME, 7.0, "7"),
        (NAME, "\u00a0W-0007\u200b ", "W-0007"),
        (NAME, True, "TRUE"),
        (UNIT, 0, "0"),
        (UNIT, "0", "0"),
        (CLOCK, time(21, 17), "21:17"),
        (CLOCK, "9:05", "09:05"),
        (CLOCK, "21:17:59", "21:17"),
        (CLOCK, 0.5, "12:00"),
        (CLOCK, datetime(2020, 1, 1, 21, 17), "21:17"),
    ]:
        assert read_value(column, cell, LISTS) == meaning


TICKS = ["✔\ufe0f", "☑\ufe0f", "✅", "☑\ufe0e", "VERDADERO", "VERO", "WAAR", "PRAWDA", "ИСТИНА", "DOĞRU", "Sì"]


def test_truthy_cells_are_ticked():
    for cell in (True, 1, 1.0, "TRUE", "x", "X", "yes", " Yes ", "1", "✓", "ja", *TICKS):
        assert read_value(READY, cell, LISTS) is True, cell


def test_falsy_cells_are_not_ticked():
    for cell in (False, 0, "FALSE", "no", "0", "n", "–", "☐\ufe0f", "FALSO", "ONWAAR", "FAŁSZ", "YANLIŞ"):
        assert read_value(READY, cell, LISTS) is False, cell


def test_an_unreadable_cell_names_the_allowed_values():
    for column, cell, says, allowed in [
        (SIZE, "many", '"many" is not a number', "from 1 to 15,000,000"),
        (SIZE, 0, "0 is out of range", "from 1 to 15,000,000"),
        (SIZE, 7.5, "7.5 is not a whole number", "whole number"),
        (SIZE, True, '"TRUE" is not a number', ""),
        (SIZE, "9" * 5000, "is not a number", ""),
        (SIZE, date(2020, 5, 1), "is a date (2020-05-01), not a number", "format the cell"),
        (SHARE, 35, "35 is out of range", "from 0 to 1"),
        (SKILL, "60 %", "60 % is in per cent, which this column is not", "Enter a number from 0 to 10"),
        (SKILL, PerCent(0.6), "60 % is in per cent, which this column is not", "Enter a number from 0 to 10"),
        (SIZE, "7000 %", "7000 % is in per cent", "from 1 to 15,000,000"),
        (BUDGET, "12%", "12% is in per cent", "Enter a number from 0"),
        (TRAINING, "60 %", '"60 %" is not allowed', "or a number from 0 to 10"),
        (TRAINING, PerCent(0.6), '"60 %" is not allowed', "or a number from 0 to 10"),
        (BUDGET, "1,234", '"1,234" could mean 1.234 or 1234', "Type 1.2340 or 1234"),
        (BUDGET, "nan", '"nan" is not a number', ""),
        (BUDGET, "1e999", "is not a number", ""),
        (YEAR, date(1902, 12, 1), "may stand for the year 1066", "Format the cell as a number"),
        (YEAR, 2021, "2021 is out of range", "year from -3500 to 2020"),
        (YEAR, 45000, "45000 is out of range; as a date it is 2023-03-15", "year from -3500 to 2020"),
        (YEAR, -304324, "-304324 is out of range; as a date it is 1066-10-14", ""),
        (YEAR, 10**12, "1000000000000 is out of range", ""),
        (SHARE, 46024, "46024 is out of range; as a date it is 2026-01-02", "from 0 to 1"),
        (TRADE, -304324, '"-304324" is not allowed; as a date it is 1066-10-14', "Use Embargoed"),
        (TRADE, "Minr", '"Minr" is not allowed', "Use Embargoed, Minor or Lucrative (selling)"),
        (LEVEL, 7, '"7" is not allowed', "or a number from 0 to 5"),
        (LEVEL, date(2020, 5, 1), "is a date (2020-05-01), not a number", "format the cell"),
        (TRADES, "Minor; Minr", '"Minr" is not allowed', "or Lucrative (selling), separated by semicolons; at most 2"),
        (TRADES, "Minor; Little", '"Minor" is there twice', "Keep one of them"),
        (TRADES, "Minor; Embargoed; Lucrative (selling)", "has 3 values", "Keep at most 2 of them"),
        (TRADES, ";", '";" holds no value', "Use Embargoed"),
        (POWER, "0.5; 1", "is not a list of 3 numbers", "e.g. 0.5; 0.5; 0.5"),
        (POWER, "1;; 2", '"1;; 2" is not a list of 3 numbers', "Enter 3 numbers, e.g. 0.5; 0.5; 0.5"),
        (POWER, "0.5; 1; 11", "11 is out of range", "Enter a number from 0 to 10"),
        (POWER, "0.5; much; 1", '"much" is not a number', "Enter a number from 0 to 10"),
        (POWER, "60 %; 1; 0.9", "60 % is in per cent, which this column is not", "Enter a number from 0 to 10"),
        (POWER, 5, '"5" is not a list of 3 numbers', ""),
        (READY, "maybe", '"maybe" is neither yes nor no', "checkbox"),
        (CLOCK, "25:00", '"25:00" is not a time of day', "23:59"),
        (SIZE, CellError("#REF!"), "shows the error #REF!", "Repair the formula"),
        (SIZE, "#DIV/0!", "shows the error #DIV/0!", "Repair the formula"),
        (NAME, "#N/A", "shows the error #N/A", "Repair the formula"),
        (NAME, LINKED, "a linked data type such as Geography", "convert the cell to text"),
        (SIZE, CellError("#FIELD!"), "shows the error #FIELD! of a linked data type", "Type the value"),
        (SIZE, "#BUSY!", "shows the error #BUSY! of a linked data type", "Type the value"),
        (NAME, "Loading...", "still being fetched", "Wait"),
        (SIZE, Uncalculated("=A1*2"), "is a formula that has not been calculated", "--recalc"),
    ]:
        with pytest.raises(ReadError) as caught:
            read_value(column, cell, LISTS)
        assert says in caught.value.says
        assert allowed in caught.value.allowed


@pytest.mark.parametrize("cell", ["❌", "✗", "☒", "👍", "?", "nope"])
def test_ambiguous_tick_marks_are_refused(cell):
    with pytest.raises(ReadError, match="neither yes nor no"):
        read_value(READY, cell, LISTS)


MEN_OF = Field(header="Size", kind=Kind.WHOLE, id="MIL-03", low=1, high=15_000_000, unit="people")
DOLLARS = Field(header="GDP", kind=Kind.NUMBER, id="NAT-23", low=0, high=1e14, unit="US dollars")
HEIGHT = Field(header="Range", kind=Kind.NUMBER, id="UNIT-10", low=0, high=1e5, unit="m")


def test_num_04_unambiguous_numbers_are_read():
    for column, cell, meaning in [
        (YEAR, "–50", -50),
        (YEAR, "\u201150", -50),
        (MEN_OF, "12k", 12_000),
        (MEN_OF, "1.2k", 1_200),
        (MEN_OF, "1,2K", 1_200),
        (MEN_OF, "12k men", 12_000),
        (MEN_OF, "12,000 men", 12_000),
        (MEN_OF, "１２,０００", 12_000),
        (MEN_OF, "12.000 Mann", 12_000),
        (MEN_OF, "12 thousand soldiers", 12_000),
        (MEN_OF, "1.2M", 1_200_000),
        (MEN_OF, "1,2 million", 1_200_000),
        (DOLLARS, "$90,000,000", 90_000_000),
        (DOLLARS, "US$ 90.000.000,50", 90_000_000.5),
        (DOLLARS, "90 USD", 90),
        (DOLLARS, "$1.5M", 1_500_000),
        (MEN_OF, 6999.9999999999991, 7_000),
        (MEN_OF, 2029999.9999999998, 2_030_000),
        (MEN_OF, 15_000_000.000000002, 15_000_000),
        (SHARE, 1.0000000000000002, 1),
    ]:
        assert read_value(column, cell, LISTS) == meaning


def test_num_04_ambiguous_numbers_are_refused():
    for column, cell, says, allowed in [
        (MEN_OF, "1,200k", "could mean 1200 or 1200000", "Type 1200 or 1200000"),
        (MEN_OF, "3,00", "could mean 3 or, with a zero missing, 3000", "Type 3 or 3000"),
        (MEN_OF, "+３,00", "could mean 3 or, with a zero missing, 3000", "Type 3 or 3000"),
        (DOLLARS, "９０,０００", "could mean 90 or 90000", "Type 90 or 90000"),
        (MEN_OF, "12.00 men", "could mean 12 or, with a zero missing, 12000", "Type 12 or 12000"),
        (MEN_OF, "1.234M", "could mean 1234000 or 1234000000", "Type 1234000 or 1234000000"),
        (DOLLARS, "$90,000", "could mean 90 or 90000", "Type 90 or 90000"),
        (MEN_OF, "c. 1200", "is not a number", "Type 1200"),
        (MEN_OF, "about 12,000 men", "is not a number", "Type 12000"),
        (YEAR, "ca. 1200", "is not a number", "Type 1200"),
        (YEAR, "50 v. Chr.", "is not a number", "Type -50"),
        (YEAR, "50 av. J.-C.", "is not a number", "Type -50"),
        (YEAR, "c. 50 BC", "is not a number", "Type -50"),
        (YEAR, "BC 250", "is not a number", "Type -250"),
        (YEAR, "B.C.E. 44", "is not a number", "Type -44"),
        (YEAR, "- 44", "is not a number", "Type -44"),
        (YEAR, "− 44", "is not a number", "Type -44"),
        (YEAR, "— 44", "is not a number", "Enter a year"),
        (MEN_OF, "- 44", "is not a number", "Enter a whole number"),
        (YEAR, "1066 n. Chr.", "is not a number", "Type 1066"),
        (YEAR, "50 AC", "is not a number", "Enter a year"),
        (YEAR, "1k", "is not a number", "Enter a year"),
        (YEAR, "—50", "is not a number", "Enter a year"),
        (MEN_OF, "1.2m", "is not a number", "Enter a whole number"),
        (MEN_OF, "500 M", "is not a number", "Enter a whole number"),
        (MEN_OF, "12 billion", "is not a number", "Enter a whole number"),
        (MEN_OF, "10–12k", "is not a number", "Enter a whole number"),
        (MEN_OF, "12,000 guns", "is not a number", "Enter a whole number"),
        (MEN_OF, "12%k", "is not a number", "Enter a whole number"),
        (MEN_OF, "$12", "is not a number", "Enter a whole number"),
        (DOLLARS, "€90,000,000", "is not a number", "Enter a number"),
        (DOLLARS, "50 % $", "is not a number", "Enter a number"),
        (HEIGHT, "5M", "is not a number", "Enter a number"),
        (HEIGHT, "12k", "is not a number", "Enter a number"),
        (SEED, "12k", "is not a number", "Enter a whole number"),
        (MEN_OF, 7000.0001, "7000.0001 is not a whole number", "Enter a whole number"),
        (MEN_OF, "6999.9999999999991", "is not a whole number", "Enter a whole number"),
        (SHARE, 1.0000001, "is out of range", "Enter a number"),
    ]:
        with pytest.raises(ReadError) as caught:
            read_value(column, cell, LISTS)
        assert says in caught.value.says
        assert allowed in caught.value.allowed


def test_the_nearest_value_is_named():
    with pytest.raises(ReadError) as caught:
        read_value(TRADE, "Minr", LISTS)
    assert caught.value.nearest == "Minor"


def test_a_similar_alias_suggests_its_value():
    with pytest.raises(ReadError) as caught:
        read_value(TRADE, "Littl", LISTS)
    assert caught.value.nearest == "Minor"


def test_invisible_characters_are_blank():
    cases = [None, "", "  ", "\u00a0", "\u200b", "\t\n"]
    assert [cell for cell in cases if not is_blank(cell)] == []


def test_visible_characters_are_not_blank():
    cases = [0, False, "0", "x", CellError("#N/A"), Uncalculated("=A1")]
    assert [cell for cell in cases if is_blank(cell)] == []


def test_messages_show_cells_as_displayed():
    cases = [
        (7.0, "7"),
        (7.5, "7.5"),
        (True, "TRUE"),
        (None, ""),
        (" a\u00a0 b ", "a b"),
        (date(1066, 10, 14), "1066-10-14"),
    ]
    assert [(cell, as_text(cell)) for cell, _ in cases] == cases


def test_a_text_without_a_number_is_refused():
    assert [readings_of(words) for words in ("", "abc", "1,23,4", "%", "--1", "1 2", "12:30")] == [[]] * 7


def test_signs_of_other_scripts_are_read():
    cases = [
        (YEAR, "-3,500", -3500),
        (YEAR, "−1.066", -1066),
        (YEAR, "٧٠٠", 700),
        (CLOCK, "٢١:٠٥", "21:05"),
        (NAME, "نیم\u200cفاصله\u200c", "نیم\u200cفاصله"),
        (NAME, "\u200e\u202aHarold\u202c\u00ad", "Harold"),
        (NAME, "\x00Harold\x01 \ud800", "Harold \ufffd"),
        (NAME, 0.1 + 0.2, "0.3"),
        (NAME, "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
    ]
    assert [(column, cell, read_value(column, cell, LISTS)) for column, cell, _ in cases] == cases


MEN = Field(header="Infantry", kind=Kind.WHOLE, id="FLR-06", low=0)


@pytest.mark.parametrize(
    ("column", "cell", "says"),
    [
        (SIZE, "1e999", '"1e999" is not a number'),
        (SIZE, "-1e999", '"-1e999" is not a number'),
        (MEN, 10**400, "is out of range"),
        (MEN, 1e300, "has more digits than a spreadsheet keeps"),
        (SEED, 12345678901234567890.0, "has more digits than a spreadsheet keeps, so it may not be what was typed"),
        (NATIONS, " ; / ", '"; /" holds no name'),
        (NAME, "x" * 2001, '..." is 2,001 characters long'),
        (NAME, "\U0001f451" * 1001, '..." is 2,002 characters long'),
        (SIZE, "x" * 9000, '..." is not a number'),
        (YEAR, date(897, 6, 5), "is formatted as a date, 0897-06-05"),
    ],
)
def test_numbers_too_large_for_their_column_are_refused(column, cell, says):
    with pytest.raises(ReadError) as caught:
        read_value(column, cell, LISTS)
    assert says in caught.value.says
    assert len(caught.value.says) < 200


def test_req_03_a_long_seed_must_be_text():
    assert read_value(SEED, "12345678901234567890", LISTS) == 12345678901234567890
    assert read_value(SEED, 999_999_999_999_999.0, LISTS) == 999_999_999_999_999
