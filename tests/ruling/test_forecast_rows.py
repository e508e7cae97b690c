"""Action = Forecast: one row of the Forecasts tab for a request and its inputs, and never a second one."""

import logging
import re
import threading
from pathlib import Path

import pytest

from engine.ruleset import no_op
from scripts.support.moderator import only
from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import column, example, forms, grids, library, workbook
from scripts.support.workbooks import run as plan_and_commit
from sheets_algo.commands.schema import describe_tabs
from sheets_algo.forecasts.queue import ForecastQueue
from sheets_algo.ruling.forecast.forecast_rows import AT, ForecastRow, typed_over
from sheets_algo.runtime.locate import WorkbookRef
from sheets_algo.runtime.run import run_pass
from sheets_algo.runtime.run.pass_context import WatchState
from sheets_algo.runtime.run.pass_result import join_results
from sheets_algo.runtime.session.session import Session
from sheets_algo.runtime.watch.watcher import Watcher
from sheets_algo.steps.odds.step import FORECASTING
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import key, keys

REQUEST = "War Requests"


def place(folder: Path, rows) -> Session:
    return Session(workbook=MemoryWorkbook(grids(rows)), folder=folder, library=library())


def run(at: Session, battles: int = 12):
    """As the command does, with fewer battles."""
    memory = WatchState(known=None, forecasts=ForecastQueue(battles=battles))
    done = run_pass.run_pass(at, state=memory)
    while done.is_partial:
        done = join_results(done, run_pass.run_pass(at, state=memory))
    return done


def shows(at: Session, header: str, tab: str = REQUEST):
    return column(at.workbook, tab, header)  # type: ignore[arg-type]


def types(at: Session, header: str, value) -> None:
    """Somebody types into the first request."""
    book = at.workbook
    assert isinstance(book, MemoryWorkbook)
    book.type_in(
        REQUEST, 2, list(book.read(keys(REQUEST)).sheets[key("war requests")].rows[1]).index(header) + 1, value
    )


def test_fc_04_a_forecast_is_one_row_and_one_line(tmp_path):
    at = place(tmp_path, war_rows(Action="Forecast"))

    passed = run(at)

    assert (passed.plan.rulings, passed.plan.owes.requested_forecasts) == ((), ())
    (said,), (wins,) = shows(at, "Message"), shows(at, "Attacker Wins", "Forecasts")
    odds = f"Forecast: attacker wins {wins:.0f} %, defender wins {100 - wins:.0f} %"
    assert re.match(rf"{odds} [█▒░]{{20}} \(± \d+ points, ", said)
    assert shows(at, "Status") == [None]
    assert shows(at, "Request", "Forecasts") == ["W-1"]
    assert shows(at, "Kind", "Receipts") == ["Season"]


def test_fc_30_a_preview_shows_its_odds_without_a_row_of_them(tmp_path):
    at = place(tmp_path, war_rows(Action="Preview"))
    run(at)
    (previewed,) = shows(at, "Message")
    assert previewed.startswith("Preview, nothing is ruled: ")
    assert key("forecasts") not in at.workbook.read(keys("Forecasts")).sheets
    types(at, "Action", "Forecast")
    run(at)
    (forecast,) = shows(at, "Message")
    assert forecast.startswith("Forecast: ")
    assert forecast.splitlines()[0] in previewed


def test_fc_04_equal_inputs_are_forecast_once(tmp_path):
    at = place(tmp_path, war_rows(Action="Forecast"))
    run(at)

    assert not run(at).is_written
    types(at, "War", "Quarrel, renamed")  # the name is an input: it stands on the receipt
    run(at)
    types(at, "War", "Quarrel")
    run(at)

    assert shows(at, "War", "Forecasts") == ["Quarrel", "Quarrel, renamed"]
    assert shows(at, "Message")[0].startswith("Forecast: attacker wins ")
    assert len(set(shows(at, "Inputs Fingerprint", "Forecasts"))) == 2


def test_fc_04_every_computer_computes_the_same_row(tmp_path):
    made = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        at = place(tmp_path / folder, war_rows(Action="Forecast"))
        run(at)
        made.append(list(at.workbook.read(keys("Forecasts")).sheets[key("forecasts")].rows[2])[:-1])

    assert made[0] == made[1]


def test_every_column_of_a_forecast_is_filled_and_documented(tmp_path):
    """A row of the channel's battle.

    FC-10, FC-11, FC-12, FC-13, FC-14, FC-15, FC-16, FC-17, FC-18, FC-19, FC-20, FC-21, FC-22, FC-23, FC-24, FC-25,
    FC-26, FC-27, FC-29.
    """
    at = place(tmp_path, only(example("1066"), "W-0003"))
    types_forecast(at, "W-0003")

    run_pass.run_until_done(at, dry=False, forced=False, progress=no_op)

    heads, cells = (list(row) for row in at.workbook.read(keys("Forecasts")).sheets[key("forecasts")].rows.values())
    row = dict(zip(heads, cells, strict=True))
    described = next(tab for tab in describe_tabs(forms()) if tab["tab"] == ForecastRow.tab.name)
    assert heads == [entry["column"] for entry in described["columns"]]
    assert row["Undecided"] == 0
    assert row["Error"] < 4.9
    assert (row["War"], row["Ruleset"], row["Battles"]) == ("Channel interception", "autoalgo", 400)
    assert row["Course"].startswith("Most likely Normandy wins")
    assert row["Attacker Losses"].count(";") == row["Duration"].count(";") == AT.count(",") + 1
    assert all(cell not in (None, "") for head, cell in row.items() if head != "Undecided")
    assert (len(row["Inputs Fingerprint"]), len(row["Rules Fingerprint"]), row["Time"][-1]) == (64, 64, "Z")


def test_rcp_34_overwritten_odds_are_reported_until_their_row_is_deleted(tmp_path):
    at = place(tmp_path, only(example("1066"), "W-0003"))
    types_forecast(at, "W-0003")
    run(at)
    book = at.workbook
    assert isinstance(book, MemoryWorkbook)
    assert told(book) == []

    book.type_in("Forecasts", 2, list(book.rows("Forecasts")[0]).index("Attacker Wins") + 1, 99)
    assert told(book) == [
        "Forecasts!A2 (Request): the odds of W-0003 are not as they were written. Delete the row: odds that are asked"
        " for are written anew. [RCP-34]"
    ]

    for number in range(1, 20):
        book.type_in("Forecasts", 2, number, None)
    run(at)
    assert told(book) == []


def told(book: MemoryWorkbook) -> list[str]:
    return [str(problem) for problem in typed_over(book.read(keys("Forecasts")))]


def types_forecast(at: Session, request: str) -> None:
    book = at.workbook
    assert isinstance(book, MemoryWorkbook)
    rows = book.read(keys(REQUEST)).sheets[key("war requests")].rows
    line = next(number for number, cells in rows.items() if request in cells)
    book.type_in(REQUEST, line, list(rows[1]).index("Action") + 1, "Forecast")


def test_fc_05_rulings_precede_forecasts_which_read_their_results(tmp_path):
    """The same war twice, to be ruled and to be forecast: the forecast is of the nations as the ruling left them."""
    rows = war_rows(Action="Forecast")
    first = dict(rows[REQUEST][0], Request="W-2", War="First", Action="Rule")
    rows[REQUEST].append(first)
    at = place(tmp_path, rows)

    passed = run(at)

    assert [ruling.receipt.request for ruling in passed.plan.rulings] == ["W-2"]
    assert shows(at, "Status") == [None, "Done"]
    assert len(shows(at, "Request", "Forecasts")) == 1
    alone = place(tmp_path, war_rows(Action="Forecast"))
    run(alone)
    fingerprint = shows(at, "Inputs Fingerprint", "Forecasts")
    assert shows(at, "Stability", "Nations") != [None, None]
    assert fingerprint != shows(alone, "Inputs Fingerprint", "Forecasts")


def test_fc_05_a_forecast_is_requested_for_the_nations_after_the_ruling():
    rows = war_rows(Action="Forecast")
    rows[REQUEST].append(dict(rows[REQUEST][0], Request="W-2", War="Ruled below it", Action="Rule"))
    book = workbook(rows)

    ruling, later = (plan_and_commit(book) for _ in range(2))

    assert (len(ruling.rulings), len(later.rulings)) == (1, 0)
    assert [forecast.key for forecast in ruling.owes.requested_forecasts] == [later.owes.requested_forecasts[0].key]


def watcher_of(at: Session) -> Watcher:
    watcher = Watcher(WorkbookRef("key", at), 15.0, threading.Event(), chance=lambda: 0.5)
    watcher.state.forecasts.battles = 12
    return watcher


def test_fc_05_a_watcher_works_on_forecasts_between_polls(tmp_path):
    at = place(tmp_path, war_rows(Action="Forecast"))
    watcher = watcher_of(at)

    watcher.look()
    assert (shows(at, "Status"), shows(at, "Message")[0].splitlines()[0]) == (["Waiting"], FORECASTING)
    watcher.look()
    assert at.workbook.read(keys("Forecasts")).sheet(key("Forecasts")) is None
    watcher.rest(60.0)
    watcher.look()

    assert shows(at, "Status") == [None]
    assert shows(at, "Request", "Forecasts") == ["W-1"]


def test_a_written_forecast_is_reported_once(tmp_path, caplog):
    at = place(tmp_path, war_rows(Action="Forecast"))
    watcher = watcher_of(at)

    with caplog.at_level(logging.INFO, logger="sheets_algo"):
        for _ in range(4):
            watcher.look()
            watcher.wait = lambda seconds: None
            watcher.rest(60.0)

    (message,) = shows(at, "Message")
    assert [record.event for record in caplog.records] == ["watching", "forecast"]
    assert caplog.messages[1] == f"W-1 (Quarrel): {message.splitlines()[0]}."
    (error,) = shows(at, "Error", "Forecasts")
    assert caplog.records[1].facts == {"key": "key", "request": "W-1", "war": "Quarrel", "battles": 12, "error": error}


def test_forecasts_that_cannot_be_written_yet_are_kept_without_being_repeated(tmp_path):
    """They are ready, the workbook is not: the pause is a pause."""
    at = place(tmp_path, war_rows(Action="Forecast"))
    watcher = watcher_of(at)
    ticks = iter(range(1000))
    waits: list[float] = []
    watcher.look()
    watcher.look()
    watcher.rest(60.0)
    watcher.clock, watcher.wait = (lambda: next(ticks)), waits.append

    watcher.rest(60.0)

    assert next(ticks) < 5
    assert len(waits) == 1
    assert waits[0] > 50


def test_a_stopped_watcher_drops_its_forecasts(tmp_path):
    at = place(tmp_path, war_rows(Action="Forecast"))
    watcher = watcher_of(at)
    watcher.look()
    watcher.look()
    watcher.stop.set()

    watcher.rest(3600.0)
    watcher.look()

    assert at.workbook.read(keys("Forecasts")).sheet(key("Forecasts")) is None


def test_a_dry_run_reports_its_changes_without_writing(tmp_path):
    at = place(tmp_path, war_rows(Action="Forecast"))

    passed = run_pass.run_pass(at, dry=True, state=WatchState(known=None, forecasts=ForecastQueue(battles=12)))

    assert passed.plan.findings.answers[0].cells.message.startswith("Forecast: ")
    assert [row.tab.name for row in passed.plan.writes.changes.rows] == ["Forecasts"]
    assert at.workbook.read(keys("Forecasts")).sheet(key("Forecasts")) is None


def test_a_damaged_row_is_written_again(tmp_path):
    at = place(tmp_path, war_rows(Action="Forecast"))
    run(at)
    book = at.workbook
    assert isinstance(book, MemoryWorkbook)
    heads = list(book.read(keys("Forecasts")).sheets[key("forecasts")].rows[1])
    book.type_in("Forecasts", 2, heads.index("Attacker Wins") + 1, "many")

    run(at)

    assert [isinstance(share, float) for share in shows(at, "Attacker Wins", "Forecasts")] == [False, True]


def test_a_failing_forecast_does_not_stop_the_others(tmp_path, monkeypatch):
    rows = war_rows(Action="Forecast")
    rows[REQUEST].append(dict(rows[REQUEST][0], Request="W-2", Action="Rule"))
    at = place(tmp_path, rows)
    monkeypatch.setattr("sheets_algo.forecasts.queue.joined", lambda parts: 1 / 0)

    passed = run(at)

    assert shows(at, "Status") == ["Failed", "Done"]
    said = "The program failed on this forecast (ZeroDivisionError: division by zero)"
    assert shows(at, "Message")[0].splitlines()[0] == said
    assert "Traceback" in passed.plan.findings.failures[0]


def test_a_form_with_exact_odds_shows_them_beside_a_row_of_drawn_ones(tmp_path):
    at = place(tmp_path, example("jousts"))

    run(at, 400)

    assert shows(at, "Message", "Joust Requests")[3].startswith("Raymond wins 47.5 %")
    (wins,) = shows(at, "Attacker Wins", "Forecasts")
    assert wins == pytest.approx(47.5, abs=7.5)  # three standard errors of 400 draws
