"""Orders that players send, with the installed command: an Excel file, and lost answers of Google."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import openpyxl
import pytest

from scripts.support.moderator import shown, write
from scripts.support.order_schedules import FORM, HEADS, PLAYERS, ROUNDS, TURNS
from scripts.support.workbooks import SECRET, example, grids
from sheets_algo.runtime.session import season_secret
from sheets_algo.workbook.values import FIRST_DAY

SENT = datetime(2026, 3, 1, 18, 30)
ANNA, BOLA = ("anna@games.example", "", "Set tax", "", 12, "please"), ("BOLA@games.example", "Anna", "Set tax", "", 13)
FORMULA = '=IMPORTRANGE("https://docs.example/1","A1")'


def season(deadline: datetime) -> dict[str, Any]:
    rows = example("rounds")
    for player in rows[PLAYERS]:
        player |= {"Contact": f"{player['Player']}@games.example", "Taxed in round": None}
    rows[ROUNDS] = [{"Request": f"R-{number}", "Ready": False} for number in (1, 2, 3)]
    rows[TURNS] = [{"Turn": 3, "Deadline": f"{deadline:%Y-%m-%dT%H:%M:%SZ}", "Orders From": FORM}]
    return rows


def test_trn_12_an_excel_file_with_responses_ends_its_round_once(moderator):
    """Times are dates of the file, and a formula that nobody has calculated is copied as text."""

    def with_form(book: openpyxl.Workbook) -> None:
        sheet = book.create_sheet(FORM)
        sheet.append(HEADS)
        for number, response in enumerate((ANNA, BOLA, ("chen@games.example", "", FORMULA))):
            sheet.append([SENT + timedelta(seconds=number), *response])

    write(moderator.book, season(datetime.now(UTC) - timedelta(seconds=5)), finish=with_form)
    checked = moderator.types("check", moderator.book)
    assert "'Form Responses 1'!C3 (Player): warning: \"Anna\" is not who sent it" in checked.out

    for _ in range(2):
        moderator.types("run", moderator.book)

    rows = shown(moderator.book, ROUNDS)
    assert [(row["Request"], row["Player"], row["Tax %"], row["Status"]) for row in rows] == [
        ("R-1", "Anna", 12, "Done"),
        ("R-2", "Bola", 13, "Done"),
        ("R-3", "Chen", None, "Lapsed"),
        ("R-0004", None, None, "Done"),
    ]
    book = openpyxl.load_workbook(moderator.book)
    heads = [cell.value for cell in book[ROUNDS][1]]
    cell = book[ROUNDS].cell(4, heads.index("Order") + 1)
    assert (cell.value, cell.data_type) == (FORMULA, "s")
    assert moderator.types("verify", moderator.book).out.splitlines()[-1] == "3 of 3 receipts equal."


@pytest.mark.parametrize("at", [1, 2, 3])
@pytest.mark.parametrize("fault", [{"when": "after"}, {"when": "late", "after_requests": 50}])
def test_trn_12_a_write_without_an_answer_loses_and_doubles_no_order(online, at, fault):
    """The seal, the rulings or what follows: its answer is lost, or it is carried out after another run's."""
    tabs = grids(season(datetime.now(UTC) - timedelta(seconds=5)))
    day = (SENT - datetime(*FIRST_DAY.timetuple()[:3])) / timedelta(days=1)
    id = online.server.make("Season", tabs | {FORM: [HEADS, [day, *ANNA], [day, *BOLA]]})
    season_secret.keep(online.moderator.folder / "state" / id, SECRET)
    online.server.fault("reset", match="write", at=at, **fault)

    for _ in range(3):
        online.types("run", id)
    online.server.control("late", {})
    online.types("run", id)

    assert online.rulings(id) == ["R-1", "R-2", "R-3"]
    assert online.column(id, "Player", ROUNDS) == ["Anna", "Bola", ""]
    assert online.column(id, "Status", ROUNDS) == ["Done", "Done", "Done"]
    assert online.column(id, "Kind", "Receipts").count("Orders") == 1
    assert online.types("verify", id).out.splitlines()[-1] == "3 of 3 receipts equal."
