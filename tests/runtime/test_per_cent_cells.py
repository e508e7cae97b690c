"""Seasons with cells formatted as per cent: read, ruled, written, undone, alike in a file and in Google (NUM-03)."""

from collections.abc import Callable, Sequence
from pathlib import Path

import openpyxl
import pytest

from engine.ruleset import no_op
from scripts.support.shared_sheets import sheets
from scripts.support.workbooks import NOW, Rows, example, grids, library, undo
from sheets_algo.runtime.run.run_pass import run_until_done
from sheets_algo.runtime.session import session as sessions
from sheets_algo.runtime.session.session import Session, opened
from sheets_algo.workbook.addresses import a1
from sheets_algo.workbook.errors import StaleWorkbook
from sheets_algo.workbook.store import Workbook
from sheets_algo.workbook.values import PerCent
from sheets_algo.workbook.xlsx import XlsxWorkbook
from tests.helpers.tabs import key
from tests.workbook.google.season import Season, Spent

Backend = Callable[[Path, Rows], Workbook]
Grid = Sequence[Sequence[object]]
ORDERS, PLAYERS, TAX = "Round Requests", "Round Players", "Tax %"


def rows() -> Rows:
    """Anna, whose tax is 10 %, sets it to 17.5 %; Bola's is 20 %, and nobody has typed Chen's."""
    rows = example("rounds")
    rows[ORDERS] = [{"Request": "R-1", "Player": "Anna", "Order": "Set tax", TAX: 0.175, "Ready": True}]
    for player, tax in {"Anna": 0.1, "Bola": 0.2, "Chen": None}.items():
        next(row for row in rows[PLAYERS] if row["Player"] == player)[TAX] = tax
    return rows


def places(grid: Grid) -> list[tuple[int, int]]:
    """The cells of the column in per cent that hold a share."""
    place = grid[0].index(TAX)
    return [(number, place + 1) for number, cells in enumerate(grid, start=1) if cells[place] in (0.1, 0.175, 0.2)]


def in_a_file(folder: Path, rows: Rows) -> Workbook:
    book = openpyxl.Workbook()
    book.remove(book.active)
    table = grids(rows)
    for tab, grid in table.items():
        sheet = book.create_sheet(tab)
        for cells in grid:
            sheet.append(cells)
    for tab in (ORDERS, PLAYERS):
        for place in places(table[tab]):
            book[tab].cell(*place).number_format = "0.0%"
    book.save(folder / "season.xlsx")
    return XlsxWorkbook(folder / "season.xlsx")


def in_google(_: Path, rows: Rows) -> Workbook:
    return google_season(rows).workbook()


def google_season(rows: Rows) -> Season:
    """A person types 17.5% and gets 0.175 in the format of per cent."""
    table = grids(rows)
    season = Season.begun(table)
    for tab in (ORDERS, PLAYERS):
        grid = table[tab]
        for row, column in places(grid):
            sheets().type(season.id, f"'{tab}'!{a1(row, column)}", [[f"{grid[row - 1][column - 1] * 100:g}%"]])
    return season


def taxes(session: Session) -> dict[str, object]:
    """The players' tax as their cells hold it."""
    sheet = opened(session).snapshot.sheet(key(PLAYERS))
    assert sheet is not None
    place = list(sheet.rows[1]).index(TAX)
    return {str(cells[0]): cells[place] for number, cells in sheet.rows.items() if number > 1}


@pytest.mark.parametrize("backend", [in_a_file, in_google])
def test_num_03_a_share_is_ruled_as_shown_and_written_as_a_share(backend: Backend, tmp_path: Path):
    session = Session(workbook=backend(tmp_path, rows()), folder=tmp_path, library=library())

    done = run_until_done(session, dry=False, forced=False, progress=no_op)

    assert (len([*done.plan.rulings]), done.plan.problems) == (1, ())
    ruled = opened(session)
    [form] = [form for form in ruled.forms if form.key == "rounds"]
    receipt = ruled.receipts.rulings[-1]
    frozen = {player.name: player.tax for player in form.deserialize(receipt.inputs).players}
    assert (frozen["Anna"], frozen["Bola"]) == (10, 20)
    assert [(change.before, change.after) for change in receipt.changes if change.field == TAX] == [(10, 17.5)]
    now = taxes(session)
    assert (now["Anna"], type(now["Anna"]), now["Bola"]) == (0.175, PerCent, 0.2)

    again = run_until_done(session, dry=False, forced=False, progress=no_op)
    assert (again.is_written, again.plan.problems) == (False, ())
    seen = opened(session)
    _, changes = undo(seen.snapshot, seen.forms, "R-1", NOW)
    session.workbook.commit(seen.snapshot, changes)
    assert taxes(session)["Anna"] == 0.1


@pytest.mark.parametrize("backend", [in_a_file, in_google])
@pytest.mark.parametrize(("player", "held"), [("Anna", 0.005), ("Chen", "0.5 %")])
def test_num_03_less_than_1_per_cent_is_read_back_as_written(
    player: str, held: object, backend: Backend, tmp_path: Path
):
    """Anna's cell is formatted as per cent, nobody has typed Chen's; the round ends after the order."""
    small = rows()
    small[ORDERS] = [
        {"Request": "R-1", "Player": player, "Order": "Set tax", TAX: "0.5 %", "Ready": True},
        {"Request": "C-2", "Player": player, "Order": "End round", TAX: None, "Ready": True},
    ]
    session = Session(workbook=backend(tmp_path, small), folder=tmp_path, library=library())

    done = run_until_done(session, dry=False, forced=False, progress=no_op)

    assert [ruling.receipt.request for ruling in done.plan.rulings] == ["R-1", "C-2"]
    assert taxes(session)[player] == held
    again = run_until_done(session, dry=False, forced=False, progress=no_op)
    assert (again.is_written, again.plan.problems) == (False, ())


def test_a_second_reading_covers_per_cent_and_blank_cells_of_ready_rows():
    reads = {}
    for name, (tax, ready) in {"neither": (None, False), "per cent": (0.2, False), "ready": (None, True)}.items():
        made = rows()
        for row in made[ORDERS]:
            row["Ready"] = ready
        table = grids(made)
        for tab in (ORDERS, PLAYERS):
            place = table[tab][0].index(TAX)
            table[tab][1:] = [[*cells[:place], tax, *cells[place + 1 :]] for cells in table[tab][1:]]
        session = Session(workbook=Season.begun(table).workbook(), folder=Path(), library=library())
        opened(session)
        spent = Spent()
        opened(session)
        reads[name] = spent.reads
    assert reads == {"neither": 1, "per cent": 2, "ready": 2}


@pytest.mark.parametrize("times", [1, sessions.READS])
def test_a_number_that_changes_between_two_readings_is_read_again(times: int):
    """The values come first, then the formats of the cells in per cent: both have to be of the same numbers."""
    season = google_season(rows())
    session = Session(workbook=season.workbook(), folder=Path(), library=library())
    opened(session)
    cell = f"'{PLAYERS}'!{a1(*places(grids(rows())[PLAYERS])[0])}"
    for attempt in range(times):
        sheets().type(season.id, cell, [[f"{40 + attempt}%"]], before_request=2 * attempt + 2, match="read")

    if times == sessions.READS:
        with pytest.raises(StaleWorkbook, match="somebody edited it while it was read"):
            opened(session)
    else:
        assert taxes(session)["Anna"] == 0.4
