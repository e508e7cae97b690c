"""Several accounts, each of which reads the spreadsheets that are shared with it, over real HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.support.sheets_server import LocalSheets
from sheets_algo.workbook.errors import WorkbookError, WorkbookUnavailable
from sheets_algo.workbook.store import OpenOptions, Workbook
from sheets_algo.workbook.stores import stores
from tests.helpers.tabs import keys
from tests.workbook.google.season import TABS

ONE, TWO = (f"{name}@local-sheets.iam.gserviceaccount.com" for name in ("one", "two"))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalSheets]:
    with LocalSheets() as running:
        monkeypatch.setenv("SHEETS_ALGO_API_URL", running.url)
        yield running


def opened(server: LocalSheets, folder: Path, ids: list[str], requests: int = 45) -> list[Workbook]:
    """Open spreadsheets with the keys of both accounts, as commands do."""
    options = OpenOptions(
        folder=folder / "state",
        credentials=(server.key_file(folder, ONE), server.key_file(folder, TWO)),
        requests=requests,
        patience_s=0,
        recalc=False,
        on_retry=lambda key, sentence: None,
        stop=None,
    )
    return [*next(store for store in stores() if store.is_online).open(ids, options)]


def readers(server: LocalSheets) -> list[str]:
    """Who has read a spreadsheet, in order."""
    return [entry["caller"].partition("@")[0] for entry in server.log() if entry["kind"] == "read"]


def test_each_spreadsheet_is_read_by_one_of_its_accounts_with_even_load(server, tmp_path):
    shares = [[TWO], [ONE], [ONE, TWO], [ONE, TWO], [TWO], []]
    ids = [server.make(f"Game {number}", TABS, shares=who) for number, who in enumerate(shares)]
    *books, nobodys = opened(server, tmp_path, ids)
    for book in books:
        book.read(keys("Nations"))
    callers = readers(server)[::2]
    assert [callers[0], callers[1], callers[4]] == ["two", "one", "two"]
    assert sorted(callers[2:4]) == ["one", "two"]
    with pytest.raises(WorkbookUnavailable, match=rf"is not shared with {ONE}"):
        nobodys.read(keys("Nations"))


def test_each_account_has_its_own_limit(server, tmp_path):
    server.control("quota", {"read": 4})
    ids = [server.make("Game", TABS, shares=[who]) for who in (ONE, TWO)]
    for book in opened(server, tmp_path, ids, requests=4):
        book.read(keys("Nations"))
        book.is_unchanged()
        book.is_unchanged()
    assert readers(server) == ["one"] * 4 + ["two"] * 4


def test_without_drive_the_accounts_of_spreadsheets_are_unknown(server, tmp_path):
    id = server.make("Game", TABS, shares=[TWO])
    server.fault("403-disabled", match="drive")
    with pytest.raises(WorkbookError, match="The Google Drive API is switched off"):
        opened(server, tmp_path, [id])
