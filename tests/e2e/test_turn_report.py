"""Reports of a turn: each player reads what the player may know, and nothing else; in a game of houses with secrets."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from scripts.support.bad_input_cases import edit
from scripts.support.moderator import BOOK, Moderator, Rows, season, shown, write

ORDERS = "Plot Requests"
HOUSES = ("York", "Lancaster", "Tudor")
GOLD = {"York": 713_131, "Lancaster": 452_452, "Tudor": 136_136}
"""What each house has at first, which stands nowhere by chance."""
SECRETS = {
    "York": ("713131", "713161", "713261", "Thieves bring 30 from Lancaster"),
    "Lancaster": ("452452", "452422", "452522", "Thieves in York are caught"),
    "Tudor": ("136136", "136236"),
}
"""What nobody but the player of a house may read."""
FORMATS = ("text", "markdown", "html")


def game() -> Rows:
    """Return two houses in turn 12 that rob each other, every die of which is laid; a third looks on."""
    rows = season("plots")
    rows.pop("Rank Requests")
    for house in rows["Houses"]:
        house["Gold"] = GOLD[house["House"]]
    orders: tuple[dict[str, Any], ...] = (
        {"House": "York", "Order": "Steal", "Target": "Lancaster", "Die": 1},
        {"House": "Lancaster", "Order": "Steal", "Target": "York", "Die": 20},
        *({"House": house, "Order": "End turn"} for house in HOUSES),
    )
    rows[ORDERS] = [
        {"Request": f"P-{number}", "Turn": 12, "Ready": True} | order for number, order in enumerate(orders, 1)
    ]
    return rows


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Moderator:
    """A game of which turn 12 is over; tests only read it."""
    moderator = Moderator(tmp_path_factory.mktemp("secrets"), home, config=None)
    write(moderator.book, game())
    said = moderator.types("run", BOOK)
    assert said.code == 0, said.out + said.err
    return moderator


def reads(moderator: Moderator, *words: str) -> str:
    said = moderator.types("report", BOOK, *words)
    assert said.code == 0, said.err
    return said.out


def page(moderator: Moderator, player: str, turn: int) -> str:
    return (moderator.folder / "reports" / "season" / player / f"turn-{turn}.html").read_text(encoding="utf-8")


def of_others(reader: str) -> Iterator[str]:
    """Yield the secrets of all houses but one."""
    return (text for house, texts in SECRETS.items() if house != reader for text in texts)


def test_the_test_detects_a_leak(ruled: Moderator) -> None:
    """Every secret stands somewhere in the words in which the tests below look for it."""
    book = openpyxl.load_workbook(ruled.book, data_only=True)
    cells = [str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row]
    everything = "\n".join((*cells, *(reads(ruled, "--for", house) for house in HOUSES)))

    assert [text for texts in SECRETS.values() for text in texts if text not in everything] == []


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("reader", ["", *HOUSES])
def test_a_report_contains_no_secret_of_others(ruled: Moderator, reader: str, format: str) -> None:
    chosen = ("--for", reader) if reader else ()

    report = reads(ruled, *chosen, "--turn", "12", "--format", format)

    assert [text for text in of_others(reader) if text in report] == []
    assert "P-" not in report  # ids count the orders of others


def test_a_report_contains_all_that_its_player_may_know(ruled: Moderator) -> None:
    york, lancaster, all_of_them = (reads(ruled, *words) for words in (("--for", "York"), ("--for", "lancaster"), ()))

    assert york.splitlines() == [
        "York, turn 12", "Thieves", "  Thieves bring 30 from Lancaster", "  Thieves of Lancaster were caught",
        "Treasury", "  Gold: 713161 → 713261", "Houses", "  York: Ann", "  Lancaster: Bob", "  Tudor: Cy",
    ]  # fmt: skip
    assert "  Thieves in York are caught" in lancaster
    assert "Thieves of York" not in lancaster
    assert all_of_them.splitlines()[0] == "Everybody, turn 12"
    assert "Thieves" not in all_of_them


def test_a_report_goes_into_a_file_in_the_format_of_its_ending(ruled: Moderator) -> None:
    for name, start in (("all.md", "## Everybody"), ("all.html", "<!DOCTYPE html>"), ("all.txt", "Everybody, turn")):
        assert reads(ruled, "--out", name) == f"report   {name}\n"
        assert (ruled.folder / name).read_text(encoding="utf-8").startswith(start)

    refused = ruled.types("report", BOOK, "--out", BOOK)

    assert (refused.code, "does not end in .txt or .md or .html" in refused.err) == (2, True)


def test_a_name_of_markup_stays_a_name(moderator: Moderator) -> None:
    rows = game()
    rows["Houses"][0]["Player"] = "<script>alert(1)</script>\nGold: 5"
    write(moderator.book, rows)
    moderator.types("run", BOOK)

    text = reads(moderator, "--format", "html")

    assert "<script" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; Gold: 5" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--for", "Yorck"), '"Yorck" does not play. Did you mean "York"?'),
        (("--for", "Xyzzy"), '"Xyzzy" does not play. Use York, Lancaster or Tudor'),
        (("--for", "York", "--turn", "14"), "Turn 14 of York has not begun. Use at most 13, the current one."),
    ],
)
def test_an_impossible_report_gives_the_reason(ruled: Moderator, words: tuple[str, ...], message: str) -> None:
    said = ruled.types("report", BOOK, *words)

    assert (said.code, said.out, said.err.strip()) == (1, "", f"sheets-algo: {message}")


def test_an_unfinished_turn_is_reported_and_undone_orders_are_omitted(moderator: Moderator) -> None:
    rows = game()
    rows[ORDERS] = rows[ORDERS][:2]
    write(moderator.book, rows)
    moderator.types("run", BOOK)

    before = reads(moderator, "--for", "York", "--turn", "12")
    assert before.startswith("York, turn 12 (not over yet)\n")
    assert "Thieves of Lancaster were caught" in before

    moderator.types("undo", BOOK, "P-2")

    after = reads(moderator, "--for", "York", "--turn", "12")
    assert "Thieves bring 30 from Lancaster" in after
    assert "Thieves of Lancaster" not in after
    assert reads(moderator, "--for", "York") == "York, turn 11\n  Nothing happened.\n"


def test_a_ruling_that_differs_from_its_receipt_is_omitted(moderator: Moderator) -> None:
    write(moderator.book, game())
    moderator.types("run", BOOK)
    book = openpyxl.load_workbook(moderator.book)
    sheet = book["Receipts"]
    column = [cell.value for cell in sheet[1]].index("Receipt") + 1
    row = next(cells[0].row for cells in sheet.iter_rows() if "P-1" in [cell.value for cell in cells])
    sheet.cell(row, column).value = sheet.cell(row, column).value.replace("robs", "fails to rob")
    book.save(moderator.book)

    said = moderator.types("report", BOOK, "--for", "York")

    assert said.code == 1
    assert "(P-1) cannot be reported: the receipt says: " in said.err


def test_a_game_without_secrets_has_no_reports(moderator: Moderator) -> None:
    write(moderator.book, season("1066"))

    said = moderator.types("report", BOOK)

    assert (said.code, said.err.strip()) == (
        1, "sheets-algo: The players of autoalgo have no secrets: show them the receipts."
    )  # fmt: skip


def test_no_column_of_the_workbook_reveals_the_readers(ruled: Moderator) -> None:
    """A report writes nothing into the workbook."""
    before = ruled.files()[BOOK]
    reads(ruled, "--for", "York")

    assert ruled.files()[BOOK] == before
    assert {row["Status"] for row in shown(ruled.book, ORDERS)} == {"Done"}


def test_after_a_turn_each_player_has_a_page_without_secrets_of_others(ruled: Moderator) -> None:
    files = sorted(file for file in (ruled.folder / "reports").rglob("*") if file.is_file())

    assert [str(file.relative_to(ruled.folder)) for file in files] == [
        f"reports/season/{name}/turn-12.html" for name in sorted(HOUSES)
    ]
    for house in HOUSES:
        written = page(ruled, house, 12)
        assert written.startswith("<!DOCTYPE html>")
        assert f"<h1>{house}, turn 12</h1>" in written
        assert [text for text in of_others(house) if text in written] == []
        assert "P-" not in written
        assert "href" not in written


def test_the_page_of_a_turn_links_to_the_last_one_and_follows_an_undone_end(moderator: Moderator) -> None:
    """A page is written once its turn is over, and again if that is undone and done anew."""
    write(moderator.book, game())
    moderator.types("run", BOOK)
    first = page(moderator, "Tudor", 12)
    edit(moderator.book, ORDERS, "House", 7, "Tudor")
    edit(moderator.book, ORDERS, "Order", 7, "End turn")
    edit(moderator.book, ORDERS, "Ready", 7, True)

    said = moderator.types("run", BOOK)

    assert "reports/season/Tudor/turn-13.html" in said.out
    assert '<a href="turn-12.html">Turn 12</a>' in page(moderator, "Tudor", 13)
    assert not (moderator.folder / "reports" / "season" / "York" / "turn-13.html").exists()
    assert page(moderator, "Tudor", 12) == first
    second = page(moderator, "Tudor", 13)
    (moderator.folder / "reports" / "season" / "Tudor" / "turn-13.html").write_text("of before", encoding="utf-8")
    assert moderator.types("run", BOOK).code == 0
    assert page(moderator, "Tudor", 13) == "of before"
    request = shown(moderator.book, ORDERS)[5]["Request"]
    assert moderator.types("undo", BOOK, str(request)).code == 0
    edit(moderator.book, ORDERS, "Request", 7, "P-99")
    assert moderator.types("run", BOOK).code == 0
    assert page(moderator, "Tudor", 13) == second


def test_a_game_without_secrets_has_no_pages(moderator: Moderator) -> None:
    write(moderator.book, season("rounds"))

    assert moderator.types("run", BOOK).code in (0, 1)

    assert not (moderator.folder / "reports").exists()


def test_the_name_of_a_house_leads_to_no_other_folder(moderator: Moderator) -> None:
    rows = game()
    for row in (row for tab in rows.values() for row in tab):
        row |= {header: "../../Rome" for header, value in row.items() if value == "Tudor"}
    write(moderator.book, rows)
    said = moderator.types("run", BOOK)

    folder = f"_.._Rome {hashlib.sha256(b'../../Rome').hexdigest()[:8]}"
    assert f"reports/season/{folder}/turn-12.html" in said.out
    assert not list(moderator.folder.glob("*.html"))
