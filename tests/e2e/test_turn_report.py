"""Reports of a turn: each player reads what the player may know, and nothing else."""

from __future__ import annotations

import hashlib
from pathlib import Path

import openpyxl
import pytest

from scripts.support.bad_input_cases import edit
from scripts.support.moderator import BOOK, Moderator, Rows, season, shown, write

FORMATS = ("text", "markdown", "html")

SECRETS_OF_GAUL = {
    "treasury": "7771",
    "treasury after its turn": "778612",
    "tax rate": "37 %",
    "happiness": "61.5",
    "a city": "Gergovia",
    "its people": "987,654",
    "a unit": "Second Spears",
    "a leader's loyalty": "43",
    "the chance of a bribe": "51.5 %",
    "who slandered": "Slander: Rome",
    "who spied": "Gather state secrets",
    "who was bribed": "Bribe leaders: Rome",
    "what Lucius Piso offers": "Defection",
}
SECRETS_OF_ROME = {
    "tax rate": "23 %",
    "a city": "Capua",
    "a unit": "Legio II",
    "loyalty": "loyalty 55",
    "who watched": "Watch hero",
    "the failed bribe": "Bribe leaders: Gaul",
}


def game() -> Rows:
    """Two realms in turn 12 that send agents to each other, every die of which is laid; a third looks on."""
    rows = season("realm")
    orders = [
        ("Gaul", "Slander", {"Target realm": "Rome", "Agents": 6, "Fixed rolls": "RL-ESP-7=2; RL-ESP-B=100"}),
        ("Gaul", "Gather state secrets", {"Target realm": "Rome", "Agents": 6, "Fixed rolls": TREASURY_FOUND}),
        (
            "Gaul",
            "Bribe leaders",
            {"Target realm": "Rome", "Agents": 1, "Fixed rolls": "RL-ESP-B=100; RL-ESP-3=1; RL-ESP-3=3"},
        ),
        ("Rome", "Watch hero", {"Target realm": "Gaul", "Target": "Camulogenus", "Agents": 2, "Fixed rolls": UNSEEN}),
        ("Rome", "Bribe leaders", {"Target realm": "Gaul", "Agents": 1, "Fixed rolls": "RL-ESP-B=1"}),
        ("Rome", "Process turn", {"Fixed rolls": QUIET + "RL-LOY-02 Lucius Piso=99; RL-LOY-03=88; RL-LOY-03f=1"}),
        ("Gaul", "Process turn", {"Fixed rolls": QUIET + "RL-LOY-02 Camulogenus=1"}),
        ("Germania", "Process turn", {"Fixed rolls": QUIET}),
    ]
    rows["Turn Requests"] = [
        {"Request": f"T-{number}", "Turn": 12, "Realm": who, "Order": what, "Ready": True, **more}
        for number, (who, what, more) in enumerate(orders, start=1)
    ]
    rome, gaul, _ = rows["Realms"]
    rome |= {"Treasury": 555321, "Tax rate": 23, "Agents": 20}
    gaul |= {"Treasury": 777123, "Tax rate": 37, "Happiness": 61.5, "Agents": 20}
    rows["Realm Cities"][3]["Population"] = 987654
    next(row for row in rows["Realm Leaders"] if row["Leader"] == "Camulogenus")["Loyalty"] = 43
    rows["Rating Requests"][0]["Ready"] = False
    return rows


QUIET = "RL-REC-01=100; RL-MER-01=100; RL-RND-01=1; RL-REB-01=100; RL-REB-01=100; RL-REB-01=100; "
UNSEEN = "RL-ESP-B=100; RL-ESP-8=100"
TREASURY_FOUND = (
    "RL-ESP-B=100; RL-ESP-9 treasury=1; RL-ESP-9=1; RL-ESP-9 happiness=100; RL-ESP-9 tax rate=100;"
    "RL-ESP-9 population=100; RL-ESP-9 leaders=100; RL-ESP-9 legions=100"
)


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


def seen(text: str, secrets: dict[str, str]) -> list[str]:
    """The names of the secrets that a text gives away."""
    return [name for name, words in secrets.items() if words in text]


@pytest.fixture(scope="module")
def everything(ruled: Moderator) -> str:
    """All that the moderator can read: the reports of both realms, and receipts, log and database."""
    book = openpyxl.load_workbook(ruled.book, data_only=True)
    cells = (str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row)
    return "\n".join((*cells, reads(ruled, "--for", "Rome"), reads(ruled, "--for", "Gaul")))


@pytest.mark.parametrize("secrets", [SECRETS_OF_GAUL, SECRETS_OF_ROME], ids=["of Gaul", "of Rome"])
def test_a_leak_would_be_seen(everything: str, secrets: dict[str, str]) -> None:
    """Every secret stands somewhere in the words in which the tests below look for it."""
    assert seen(everything, secrets) == list(secrets)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    ("reader", "secrets"),
    [
        (("--for", "Rome"), SECRETS_OF_GAUL),
        (("--for", "Gaul"), SECRETS_OF_ROME),
        (("--for", "Germania"), SECRETS_OF_GAUL | SECRETS_OF_ROME),
        ((), SECRETS_OF_GAUL | SECRETS_OF_ROME),
    ],
    ids=["Rome", "Gaul", "Germania", "everybody"],
)
def test_rl_op_50_a_report_has_no_secret_of_others(
    ruled: Moderator, reader: tuple[str, ...], secrets: dict[str, str], format: str
) -> None:
    report = reads(ruled, *reader, "--turn", "12", "--format", format)

    assert seen(report, secrets) == []
    assert "T-" not in report  # ids count the orders of others


def test_rl_op_50_a_report_has_what_its_player_may_know(ruled: Moderator) -> None:
    rome, gaul, all_of_them = (reads(ruled, *words) for words in (("--for", "Rome"), ("--for", "gaul"), ()))

    assert rome.splitlines()[0] == "Rome, turn 12"
    for line in (
        "Watch hero: Camulogenus (Gaul), agents: 2\n  Outcome: fails, not detected",
        "Slander cost 2 happiness: culprit unknown.",
        "  Legio II: Legion, experience 4, health 6 of 6, in Alesia",
    ):
        assert line in rome
    for line in (
        "Found: treasury: 555,321 gold",
        "Offers to you\n  Lucius Piso: Defection of Rome (Accept offer)",
        "Camulogenus refused bribes of Rome.",
    ):
        assert line in gaul
    assert all_of_them.splitlines() == [
        "Everybody, turn 12", "Realms", "  Rome: Livia, Roman", "  Gaul: Aimé, Gallic", "  Germania: Gerda, German"
    ]  # fmt: skip


def test_a_report_goes_into_a_file_in_the_format_of_its_ending(ruled: Moderator) -> None:
    for name, start in (("all.md", "## Everybody"), ("all.html", "<!DOCTYPE html>"), ("all.txt", "Everybody, turn")):
        assert reads(ruled, "--out", name) == f"report   {name}\n"
        assert (ruled.folder / name).read_text(encoding="utf-8").startswith(start)

    refused = ruled.types("report", BOOK, "--out", BOOK)

    assert (refused.code, "does not end in .txt or .md or .html" in refused.err) == (2, True)


def test_a_name_of_markup_stays_a_name(moderator: Moderator) -> None:
    rows = game()
    rows["Realms"][0]["Player"] = "<script>alert(1)</script>\nTreasury: 5"
    write(moderator.book, rows)
    moderator.types("run", BOOK)

    page = reads(moderator, "--format", "html")

    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; Treasury: 5, Roman" in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--for", "Rom"), '"Rom" does not play. Did you mean "Rome"?'),
        (("--for", "Xyzzy"), '"Xyzzy" does not play. Use Rome, Gaul or Germania'),
        (("--for", "Rome", "--turn", "14"), "Turn 14 of Rome has not begun. Use at most 13, the current one."),
    ],
)
def test_a_report_that_cannot_be_made_says_why(ruled: Moderator, words: tuple[str, ...], message: str) -> None:
    said = ruled.types("report", BOOK, *words)

    assert (said.code, said.out, said.err.strip()) == (1, "", f"sheets-algo: {message}")


def test_a_turn_that_is_not_over_says_so_and_an_order_undone_is_not_told(moderator: Moderator) -> None:
    rows = game()
    rows["Turn Requests"] = rows["Turn Requests"][:4]
    write(moderator.book, rows)
    moderator.types("run", BOOK)

    before = reads(moderator, "--for", "Rome", "--turn", "12")
    assert before.startswith("Rome, turn 12 (not over yet)\n")
    assert "Slander cost" in before
    assert "Watch hero" in before

    moderator.types("undo", BOOK, "T-4")

    assert "Watch hero" not in reads(moderator, "--for", "Rome", "--turn", "12")
    assert reads(moderator, "--for", "Rome") == "Rome, turn 11\n  Nothing happened.\n"


def test_a_ruling_that_is_not_that_of_its_receipt_is_not_told(moderator: Moderator) -> None:
    write(moderator.book, game())
    moderator.types("run", BOOK)
    book = openpyxl.load_workbook(moderator.book)
    sheet = book["Receipts"]
    column = [cell.value for cell in sheet[1]].index("Receipt") + 1
    row = next(cells[0].row for cells in sheet.iter_rows() if "T-1" in [cell.value for cell in cells])
    sheet.cell(row, column).value = sheet.cell(row, column).value.replace("happiness", "treasury")
    book.save(moderator.book)

    said = moderator.types("report", BOOK, "--for", "Rome")

    assert said.code == 1
    assert "(T-1) cannot be reported: the receipt says: " in said.err


def test_a_game_without_secrets_has_no_reports(moderator: Moderator) -> None:
    write(moderator.book, season("1066"))

    said = moderator.types("report", BOOK)

    assert (said.code, said.err.strip()) == (
        1, "sheets-algo: The players of autoalgo have no secrets: show them the receipts."
    )  # fmt: skip


def test_no_column_of_the_workbook_shows_who_reads_what(ruled: Moderator) -> None:
    """A report writes nothing into the workbook."""
    before = ruled.files()[BOOK]
    reads(ruled, "--for", "Rome")

    assert ruled.files()[BOOK] == before
    assert {row["Status"] for row in shown(ruled.book, "Turn Requests")} == {"Done"}


def page(moderator: Moderator, player: str, turn: int) -> str:
    return (moderator.folder / "reports" / "season" / player / f"turn-{turn}.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("player", "secrets"),
    [("Rome", SECRETS_OF_GAUL), ("Gaul", SECRETS_OF_ROME), ("Germania", SECRETS_OF_GAUL | SECRETS_OF_ROME)],
)
def test_rl_op_50_after_a_turn_each_player_has_a_page_without_secrets_of_others(
    ruled: Moderator, player: str, secrets: dict[str, str]
) -> None:
    files = sorted(file for file in (ruled.folder / "reports").rglob("*") if file.is_file())

    assert [str(file.relative_to(ruled.folder)) for file in files] == [
        f"reports/season/{name}/turn-12.html" for name in ("Gaul", "Germania", "Rome")
    ]
    written = page(ruled, player, 12)
    assert written.startswith("<!DOCTYPE html>")
    assert f"<h1>{player}, turn 12</h1>" in written
    assert seen(written, secrets) == []
    assert "T-" not in written
    assert "href" not in written


def test_rl_op_50_the_page_of_a_turn_links_to_the_last_one_and_follows_an_undone_end(moderator: Moderator) -> None:
    """A page is written once its turn is over, and again if that is undone and done anew."""
    write(moderator.book, game())
    moderator.types("run", BOOK)
    first = page(moderator, "Germania", 12)
    edit(moderator.book, "Turn Requests", "Realm", 10, "Germania")
    edit(moderator.book, "Turn Requests", "Order", 10, "Process turn")
    edit(moderator.book, "Turn Requests", "Fixed rolls", 10, QUIET)
    edit(moderator.book, "Turn Requests", "Ready", 10, True)

    said = moderator.types("run", BOOK)

    assert "reports/season/Germania/turn-13.html" in said.out
    assert '<a href="turn-12.html">Turn 12</a>' in page(moderator, "Germania", 13)
    assert not (moderator.folder / "reports" / "season" / "Rome" / "turn-13.html").exists()
    assert page(moderator, "Germania", 12) == first
    second = page(moderator, "Germania", 13)
    (moderator.folder / "reports" / "season" / "Germania" / "turn-13.html").write_text("of before", encoding="utf-8")
    assert moderator.types("run", BOOK).code == 0
    assert page(moderator, "Germania", 13) == "of before"
    request = shown(moderator.book, "Turn Requests")[8]["Request"]
    assert moderator.types("undo", BOOK, str(request)).code == 0
    edit(moderator.book, "Turn Requests", "Request", 10, "T-99")
    assert moderator.types("run", BOOK).code == 0
    assert page(moderator, "Germania", 13) == second


def test_rl_op_50_a_game_without_secrets_has_no_pages(moderator: Moderator) -> None:
    write(moderator.book, season("ciais"))

    assert moderator.types("run", BOOK).code in (0, 1)

    assert not (moderator.folder / "reports").exists()


def test_rl_op_50_the_name_of_a_realm_leads_into_no_other_folder(moderator: Moderator) -> None:
    rows = game()
    for row in (row for tab in rows.values() for row in tab):
        row |= {header: "../../Rome" for header, value in row.items() if value == "Germania"}
    write(moderator.book, rows)
    said = moderator.types("run", BOOK)

    folder = f"_.._Rome {hashlib.sha256(b'../../Rome').hexdigest()[:8]}"
    assert f"reports/season/{folder}/turn-12.html" in said.out
    assert not list(moderator.folder.glob("*.html"))
