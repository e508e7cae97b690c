"""What a typed name means, and where the things of a workbook lie."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from scripts.support.sheets_server import LocalSheets
from sheets_algo.config.settings import Settings
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.runtime.locate import open_workbooks
from sheets_algo.runtime.watch.watcher import Watcher
from sheets_algo.workbook.errors import BadAddress
from sheets_algo.workbook.google.http.access import BadCredentials
from sheets_algo.workbook.stores import find, stores

ID = "1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUvWxYz1066hAsT"
GOOGLE, XLSX = stores()


@pytest.mark.parametrize(
    ("typed", "means"),
    [
        ("season.xlsx", (XLSX, "season.xlsx", Path())),
        ("../games/Season.XLSX", (XLSX, "../games/Season.XLSX", Path("../games"))),
        ("./season", (XLSX, "season", Path())),
        (ID, (GOOGLE, ID, Path())),
        (f"https://docs.google.com/spreadsheets/d/{ID}/edit#gid=0", (GOOGLE, ID, Path())),
        (f"docs.google.com/spreadsheets/u/1/d/{ID}", (GOOGLE, ID, Path())),
    ],
)
def test_a_name_is_a_file_or_a_spreadsheet(typed, means, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    found = find(typed)

    assert (found.store, found.key, found.folder) == means


def test_a_file_that_looks_like_an_id_is_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(ID).touch()

    assert (find(ID).store, find(ID).key) == (XLSX, ID)


def test_a_folder_with_the_name_of_an_id_belongs_to_a_spreadsheet(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(ID).mkdir()

    assert (find(ID).store, find(ID).key) == (GOOGLE, ID)


@pytest.mark.parametrize("typed", ["https://example.org/season", "https://docs.google.com/document/d/1AbC/edit"])
def test_an_address_of_another_kind_is_refused(typed):
    with pytest.raises(BadAddress):
        find(typed)


def test_files_of_a_workbook_are_beside_it_and_of_a_spreadsheet_in_its_folder(tmp_path):
    with LocalSheets() as server:
        chosen = Settings(credentials=server.key_file(tmp_path), folder=tmp_path / "state", requests=20)
        one, file, other = open_workbooks(
            [find(ID), find(str(tmp_path / "game" / "season.xlsx")), find("x" * 44)], chosen
        )

    assert file.session.folder == tmp_path / "game"
    assert one.session.folder == tmp_path / "state" / ID
    assert other.session.folder == tmp_path / "state" / ("x" * 44)
    assert not (tmp_path / "state").exists()


def test_spreadsheets_share_the_account_s_requests_and_lend_unused_ones(tmp_path):
    with LocalSheets() as server:
        chosen = Settings(credentials=server.key_file(tmp_path), requests=20)
        opened = [ref.session.workbook for ref in open_workbooks([find(ID), find("x" * 44)], chosen)]
    one, other = (workbook._api.budget for workbook in opened)  # type: ignore[attr-defined]

    for _ in range(15):
        one.take("read")
    assert one.left == {"read": 0, "write": 15}
    assert other.left == {"read": 5, "write": 15}


def test_a_missing_key_is_reported_before_any_request(tmp_path):
    with pytest.raises(BadCredentials, match="There is no credentials file"):
        open_workbooks([find(ID)], Settings(credentials=tmp_path / "none.json"))


def test_messages_on_repeated_requests_name_the_spreadsheet(tmp_path):
    heard: list[tuple[str, str]] = []
    with LocalSheets() as server:
        key = server.key_file(tmp_path)
        gone = Settings(credentials=key)
    stop = threading.Event()

    def hears(id: str, sentence: str) -> None:
        heard.append((id, sentence))
        stop.set()

    (site,) = open_workbooks([find(ID)], gone, on_retry=hears, stop=stop)
    assert Watcher(site, 15.0, stop).look() == 0.0
    assert heard == [
        (ID, "There is no connection to Google's token service (connection refused): check the network."),
    ]


def test_spreadsheets_opened_together_share_their_tables(tmp_path):
    with LocalSheets() as server:
        chosen = Settings(credentials=server.key_file(tmp_path), folder=tmp_path / "state")
        one, other = open_workbooks([find(ID), find("x" * 44)], chosen)

    first, second = (open_forms(ref.session.library)[0].tables for ref in (one, other))
    assert first is second
