"""One question to Drive for all spreadsheets of an account, over real HTTP: what is looked at, and when."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

import pytest

from scripts.support.sheets_server import LocalSheets
from sheets_algo.workbook.changes import ChangeSet, SetCell
from sheets_algo.workbook.errors import WorkbookUnavailable
from sheets_algo.workbook.google.changes import AFTER_S, KEPT_S, ROUND_S, AccountChanges
from sheets_algo.workbook.google.http.access import find
from sheets_algo.workbook.google.http.api import Api
from sheets_algo.workbook.google.http.backoff import Pace
from sheets_algo.workbook.google.http.budget import RequestBudget
from sheets_algo.workbook.google.http.errors import DRIVE, SHEETS
from sheets_algo.workbook.google.spreadsheet import GoogleWorkbook
from sheets_algo.workbook.store import OpenOptions
from sheets_algo.workbook.stores import stores
from sheets_algo.workbook.tab_key import TabKey
from tests.helpers.tabs import keys
from tests.workbook.google.season import TABS

INTERVAL = 15
ROBOT = "sheets-algo@local-sheets.iam.gserviceaccount.com"


@dataclass
class Host:
    """An account that watches some spreadsheets; the time is the server's, which stands still between looks."""

    server: LocalSheets
    folder: Path
    ids: list[str]
    books: dict[str, GoogleWorkbook] = field(default_factory=dict)

    def now(self) -> float:
        return self.server.desk.clock.now()

    def starts(self) -> None:
        """A new process of the program."""
        key = self.server.key_file(self.folder)
        pace = Pace(now=self.now, wait=lambda seconds, stop: None, chance=lambda: 1.0)

        def api(id: str, service: str) -> Api:
            budget = RequestBudget(1_000_000, pace=pace)
            return Api(id, find(key, service=service), budget, patience=0, url=self.server.url, pace=pace)

        drive = api("", DRIVE)
        changes = AccountChanges(
            lambda: drive,
            self.folder / "state" / "changes.json",
            interval=INTERVAL,
            requests=1,
            clock=self.now,
            now=self.now,
        )
        self.books = {id: GoogleWorkbook(api(id, SHEETS), changes=changes) for id in self.ids}

    def looks(self, seconds: float = INTERVAL) -> list[str]:
        """Look at each every 15 seconds for so long, as watchers do; those of which more was read than in the round."""
        end = self.now() + seconds
        before = [self.reads(id) for id in self.ids]
        while self.now() < end:
            self.server.control("clock", {"advance": INTERVAL})
            for book in self.books.values():
                if not book.is_unchanged():
                    book.read(keys(*TABS))
        return [id for id, reads in zip(self.ids, before, strict=True) if self.reads(id) > reads]

    def reads(self, id: str, *causes: str) -> int:
        """The reads of a spreadsheet so far for some causes; without any, for all but the slow round."""
        counts = self.books[id].requests if id in self.books else None
        if counts is None:
            return 0
        return sum(counts.causes[cause] for cause in causes or {*counts.causes} - {"round"})

    def edit(self, id: str, value: object) -> None:
        self.server.type(id, "'Nations'!B2", [[value]])


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with LocalSheets() as server:
        server.control("clock", {"stop": True})
        host = Host(server, tmp_path, [server.make(f"Game {number}", TABS) for number in range(5)])
        server.control("clock", {"advance": 2 * KEPT_S})
        host.starts()
        yield host


@pytest.fixture
def calm(host: Host) -> Host:
    """A host on which everything has been read, and nothing happens."""
    assert host.looks() == host.ids
    assert host.looks() == []
    return host


def test_one_request_finds_the_changed_spreadsheets_to_read(calm: Host) -> None:
    calm.server.reset_counters()
    assert calm.looks(60) == []
    assert calm.server.counters()["kinds"] == {"drive": 4}

    calm.edit(calm.ids[3], 90)
    assert calm.looks() == [calm.ids[3]]


def test_a_changed_spreadsheet_is_polled_for_minutes(calm: Host) -> None:
    calm.edit(calm.ids[0], 90)
    calm.looks()
    calm.server.control("changes", {"silent": True})
    assert calm.looks(AFTER_S) == [calm.ids[0]]
    assert calm.reads(calm.ids[0], "typing") == AFTER_S / INTERVAL
    assert calm.looks(60) == []


def test_a_late_report_of_a_change_is_acted_on(calm: Host) -> None:
    calm.server.control("changes", {"late_s": 180})
    calm.edit(calm.ids[4], 90)
    assert calm.looks(165) == []
    assert calm.looks() == [calm.ids[4]]


def test_an_unreported_change_is_found_in_the_slow_round_in_which_each_has_its_turn(calm: Host) -> None:
    calm.server.control("changes", {"silent": True})
    calm.edit(calm.ids[2], 90)
    calm.server.reset_counters()
    assert calm.looks(ROUND_S) == [calm.ids[2]]
    assert [calm.reads(id, "round") for id in calm.ids] == [1] * len(calm.ids)
    calm.looks(ROUND_S / len(calm.ids))
    assert sum(calm.reads(id, "round") for id in calm.ids) == len(calm.ids) + 1


def test_a_repeated_report_causes_only_another_poll(calm: Host) -> None:
    calm.server.control("changes", {"again": 1})
    calm.edit(calm.ids[0], 90)
    assert calm.looks(60) == [calm.ids[0]]
    assert calm.server.count("write") == 0


def test_an_edit_before_the_account_s_own_write_is_found(calm: Host) -> None:
    """Another program of the account, say the one that posts, is then the last editor."""
    calm.server.control("changes", {"late_s": 60})
    calm.edit(calm.ids[0], 90)
    calm.server.desk.as_person(calm.ids[0], {"range": "'Nations'!B3", "values": [[90]]}, ROBOT)
    assert calm.looks(45) == []
    assert calm.looks() == calm.ids[:1]


def write(host: Host, id: str, value: int = 95) -> None:
    """The program's own write, and the read that a watcher does after it."""
    book = host.books[id]
    book.commit(book.read(keys(*TABS)), ChangeSet(cells=(SetCell(TabKey.named("Nations"), 2, 2, value, 100),)))


def test_an_own_write_before_the_last_read_is_no_change(calm: Host) -> None:
    write(calm, calm.ids[0])
    calm.server.control("clock", {"advance": INTERVAL})
    calm.books[calm.ids[0]].read(keys(*TABS))
    assert calm.looks(AFTER_S) == []


def test_an_own_write_without_a_later_read_is_a_change(calm: Host) -> None:
    book = calm.books[calm.ids[0]]
    snapshot = book.read(keys(*TABS))
    calm.server.control("clock", {"advance": INTERVAL})
    calm.server.type(calm.ids[0], "'War Requests'!C4", [[True]])
    book.commit(snapshot, ChangeSet(cells=(SetCell(TabKey.named("Nations"), 2, 2, 95, 100),)))
    assert calm.looks() == calm.ids[:1]
    assert calm.looks(AFTER_S) == []


def test_an_edit_reported_together_with_an_own_write_is_a_change(calm: Host) -> None:
    calm.server.control("changes", {"late_s": 60})
    write(calm, calm.ids[0])
    calm.server.control("clock", {"advance": INTERVAL})
    calm.books[calm.ids[0]].read(keys(*TABS))
    calm.server.control("clock", {"advance": INTERVAL})
    calm.edit(calm.ids[0], 90)
    assert calm.looks(45) == calm.ids[:1]


def test_reads_are_counted_by_cause(calm: Host) -> None:
    write(calm, calm.ids[0])
    calm.edit(calm.ids[1], 90)
    calm.looks()
    first, second = (calm.books[id].requests for id in calm.ids[:2])
    assert first
    assert second
    assert dict(first.causes) == {"titles": 1, "pass": 3, "check": 1}
    assert dict(second.causes) == {"titles": 1, "pass": 2}
    assert (first.reads, second.reads) == (5, 3)


def test_only_one_thread_waits_for_a_silent_drive(calm: Host) -> None:
    calm.server.fault("503", match="drive", every=1)
    assert calm.looks() == calm.ids
    calm.server.clear_faults()
    question = calm.server.hold(match="drive")
    calm.server.control("clock", {"advance": INTERVAL})
    asking = Thread(target=calm.books[calm.ids[0]].is_unchanged)
    asking.start()
    assert calm.server.caught(question)
    after = len(calm.server.log())
    assert all(calm.books[id].is_unchanged() for id in calm.ids[1:])
    assert [entry["kind"] for entry in calm.server.log(after)] == ["read"] * 4
    calm.server.release(question)
    asking.join()


def test_an_expired_token_is_replaced_and_edits_meanwhile_are_found(calm: Host) -> None:
    calm.server.control("changes", {"expire": True})
    calm.edit(calm.ids[4], 90)
    calm.server.control("changes", {"expire": True})
    assert calm.looks() == [calm.ids[4]]
    calm.edit(calm.ids[1], 90)
    assert calm.looks(AFTER_S + INTERVAL) == [calm.ids[1], calm.ids[4]]


def test_changes_on_several_pages_are_all_found(calm: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sheets_algo.workbook.google.changes.PAGE", 2)
    for id in calm.ids:
        calm.edit(id, 90)
    assert calm.looks() == calm.ids
    calm.looks(AFTER_S)
    assert calm.looks() == []
    for id in calm.ids:
        calm.edit(id, 91)
    calm.server.control("changes", {"expire": True})
    assert calm.looks() == calm.ids


def test_a_restart_continues_from_the_stored_token(calm: Host) -> None:
    calm.looks(2 * KEPT_S)
    calm.edit(calm.ids[2], 90)
    calm.starts()
    assert calm.looks() == [calm.ids[2]]

    calm.starts()
    calm.server.control("changes", {"expire": True})
    assert calm.looks() == [calm.ids[2]]
    assert {*calm.looks(ROUND_S)} == {*calm.ids}


def test_after_a_restart_known_spreadsheets_wait_for_their_turn_in_the_round(calm: Host) -> None:
    calm.looks(2 * KEPT_S)
    calm.ids.append(calm.server.make("New", TABS))
    calm.looks(2 * KEPT_S)  # of the former process, which does not know it
    calm.starts()
    assert calm.looks() == [calm.ids[-1]]
    polled = [calm.looks(ROUND_S / len(calm.ids)) for _ in calm.ids]
    assert max(map(len, polled)) == 1
    assert {id for ids in polled for id in ids} == {*calm.ids[:-1]}


@pytest.mark.parametrize("text", ["", "[]", "{", '{"time": "now", "token": 1, "ids": 7}', '{"time": 1, "token": "x"}'])
def test_an_unreadable_token_makes_the_next_watcher_read_everything(calm: Host, text: str) -> None:
    calm.looks(2 * KEPT_S)
    (calm.folder / "state" / "changes.json").write_text(text)
    calm.starts()
    assert calm.looks() == calm.ids


def test_the_token_of_another_account_is_replaced(calm: Host) -> None:
    calm.looks(2 * KEPT_S)
    file = calm.folder / "state" / "changes.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"token": "another"}))
    calm.starts()
    calm.edit(calm.ids[1], 90)
    assert calm.looks() == calm.ids[1:2]


def test_stored_state_contains_no_key_or_spreadsheet(calm: Host) -> None:
    calm.looks(2 * KEPT_S)
    kept = json.loads((calm.folder / "state" / "changes.json").read_text())
    assert kept == {"time": kept["time"], "token": kept["token"], "ids": sorted(calm.ids)}
    assert kept["token"].isdecimal()
    assert KEPT_S <= calm.now() - kept["time"] <= 2 * KEPT_S + INTERVAL


def test_an_unshared_spreadsheet_is_polled_and_reported(calm: Host) -> None:
    calm.server.control(f"share/{calm.ids[0]}", {"email": ROBOT, "role": None})
    with pytest.raises(WorkbookUnavailable, match="is not shared with"):
        calm.looks()


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("403-disabled", "The Google Drive API is switched off"),
        ("403-scopes", "may not be used for Google Drive: use a service account's key"),
        ("503", "Google Drive is in trouble"),
        ("429", "Google's limit of read requests a minute is used up"),
        ("list", "Google Drive answered with"),
        ("half", "Google Drive broke off"),
    ],
)
def test_without_drive_each_spreadsheet_is_polled_and_this_is_logged_once(
    calm: Host, fault: str, says: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="sheets_algo")
    calm.server.fault(fault, match="drive", every=1)
    assert calm.looks(45) == calm.ids
    (record,) = caplog.records
    assert says in record.getMessage()
    assert "so each spreadsheet is looked at in turn" in record.getMessage()

    calm.server.clear_faults()
    calm.edit(calm.ids[1], 90)
    assert calm.looks() == [calm.ids[1]]
    assert [record.getMessage() for record in caplog.records[1:]] == ["Drive says again who changed."]


@pytest.mark.parametrize(("games", "asks"), [(1, False), (11, False), (12, True)])
def test_drive_is_queried_only_if_polls_exceed_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, games: int, asks: bool
) -> None:
    """A watch of a few spreadsheets costs what it cost: a small read each, and no other request."""
    with LocalSheets() as server:
        monkeypatch.setenv("SHEETS_ALGO_API_URL", server.url)
        ids = [server.make(f"Game {number}", {"Nations": TABS["Nations"]}) for number in range(games)]
        options = OpenOptions(
            folder=tmp_path / "state",
            credentials=server.key_file(tmp_path),
            requests=45,
            patience_s=0,
            recalc=False,
            on_retry=lambda key, sentence: None,
            stop=None,
            interval=INTERVAL,
        )
        google = next(store for store in stores() if store.is_online)
        books = google.open(ids[:1] if games == 1 else ids, options)
        if games == 1:
            books[0].read(keys("Nations"))
        server.reset_counters()
        books[0].is_unchanged()
        kinds = server.counters()["kinds"]
        assert ("drive" in kinds) == asks
        assert kinds.get("read", 0) == (1 if games == 1 else 0)
