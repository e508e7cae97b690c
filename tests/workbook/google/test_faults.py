"""The client against the local server, which keeps books: what a failed write has done, counted in the spreadsheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import ANY
from uuid import uuid4

import pytest

from scripts.support.sheets_server import LocalSheets
from sheets_algo.workbook.errors import UnknownOutcome, WorkbookUnavailable
from sheets_algo.workbook.google.http import access
from sheets_algo.workbook.google.http.api import Api, BadRequest
from sheets_algo.workbook.google.http.budget import RequestBudget
from tests.helpers.example_budget import BUDGET
from tests.helpers.rows import each
from tests.workbook.google.scripted import Clock

PASSES = ("429", "403-quota")
"""Refused by a limit: both kinds of request wait."""
UNSURE = (
    "500",
    "502",
    "503",
    "504",
    "reset",
    "close",
    "half",
    "silence",
    "list",
    "string",
    "null",
    "other",
    "400-other",
)
"""No answer to go by."""
FINAL = ("401", "403", "403-scopes", "403-disabled", "404")


@dataclass
class Bench:
    server: LocalSheets
    id: str
    folder: Path

    def api(self, timeout: float = 10, limit: int = 1000) -> Api:
        """An api whose waits take no time here, and as long as they say on the server's clock."""
        clock = Clock(chance=0.5)
        clock.then = lambda: self.server.advance(clock.waits[-1])
        found = access.find(self.server.key_file(self.folder))
        budget = RequestBudget(limit, pace=clock.pace)
        return Api(self.id, found, budget, url=self.server.url, timeout=timeout, pace=clock.pace)

    def renew(self) -> None:
        """Begin another spreadsheet, without faults."""
        self.server.clear_faults()
        self.id = self.server.make("Wars", {"Log": [["Mark"]]})

    def rows(self) -> Counter[Any]:
        """How often each mark stands in the spreadsheet."""
        return Counter(row[0] for row in self.server.tab(self.id, "Log")[1:])

    def sent(self, kind: str, since: int) -> int:
        return sum(1 for entry in self.server.log(since) if entry["kind"] == kind)


@pytest.fixture(scope="module")
def running() -> Iterator[LocalSheets]:
    with LocalSheets() as server:
        server.control("quota", {"off": True})
        yield server


@pytest.fixture
def bench(running, tmp_path) -> Iterator[Bench]:
    yield Bench(running, running.make("Wars", {"Log": [["Mark"]]}), tmp_path)
    running.clear_faults()
    running.control("quota", {"off": True})
    running.control("clock", {"run": True})


def last(server: LocalSheets) -> int:
    return max((entry["n"] for entry in server.log()), default=0)


def _append(api: Api, sheet: int, mark: int) -> None:
    row = {"values": [{"userEnteredValue": {"numberValue": mark}}]}
    api.batch_update({"requests": [{"appendCells": {"sheetId": sheet, "rows": [row], "fields": "userEnteredValue"}}]})


def sheet_of(api: Api) -> int:
    [tab] = api.get(fields="sheets.properties")["sheets"]
    return int(tab["properties"]["sheetId"])


@each("kind", [*PASSES, *UNSURE])
def test_a_read_gets_its_answer(bench, kind):
    bench.renew()
    api = bench.api(timeout=0.3 if kind == "silence" else 60)
    before = last(bench.server)
    bench.server.fault(kind, at=1, match="values")

    assert api.batch_get(["Log"]) == [[["Mark"]]]
    assert bench.sent("read", before) == 2


@each("kind", PASSES)
def test_a_write_refused_by_a_limit_is_done_once(bench, kind):
    bench.renew()
    api = bench.api()
    sheet, before = sheet_of(api), last(bench.server)
    bench.server.fault(kind, at=1, match="batchUpdate")
    _append(api, sheet, 7)

    assert bench.rows() == {7: 1}
    assert bench.sent("write", before) == 2


@each(("when", "rows"), [("before", {}), ("after", {7: 1})])
@each("kind", UNSURE)
def test_a_write_without_an_answer_is_sent_once(bench, kind, when, rows):
    bench.renew()
    api = bench.api(timeout=0.3 if kind == "silence" else 60)
    sheet, before = sheet_of(api), last(bench.server)
    bench.server.fault(kind, at=1, match="batchUpdate", when=when)

    with pytest.raises(UnknownOutcome):
        _append(api, sheet, 7)
    assert bench.rows() == rows
    assert bench.sent("write", before) == 1


@pytest.mark.parametrize(("limit", "is_refused"), [(45, False), (1000, True)], ids=["own budget", "no budget"])
def test_under_google_s_limits_every_request_is_answered_in_the_end(bench, limit, is_refused):
    """150 reads at once: at our own 45 a minute none is refused, without a budget of our own some are."""
    bench.server.control("clock", {"stop": True})
    bench.server.control("quota", {"read": 60, "write": 60})
    api, before = bench.api(limit=limit), last(bench.server)
    for _ in range(150):
        api.batch_get(["Log"])

    statuses = Counter(entry["status"] for entry in bench.server.log(before) if entry["kind"] == "read")
    assert statuses[200] == 150
    assert (statuses[429] > 0) == is_refused


@each("kind", FINAL)
def test_errors_for_a_person_end_reads_and_writes(bench, kind):
    bench.renew()
    api = bench.api()
    sheet = sheet_of(api)
    bench.server.fault(kind, every=1)

    with pytest.raises(WorkbookUnavailable):
        api.batch_get(["Log"])
    with pytest.raises(WorkbookUnavailable):
        _append(api, sheet, 7)
    bench.server.clear_faults()
    assert bench.rows() == {}


def test_an_expired_token_is_renewed_in_the_middle(bench):
    api = bench.api()
    sheet = sheet_of(api)
    bench.server.control("tokens/expire", {})
    _append(api, sheet, 7)

    assert bench.rows() == {7: 1}


def test_a_deleted_account_is_reported(bench):
    email = "gone@example.iam.gserviceaccount.com"
    found = access.find(bench.server.key_file(bench.folder, email))
    bench.server.control("key/revoke", {"email": email})
    api = Api(bench.id, found, RequestBudget(), url=bench.server.url)

    with pytest.raises(WorkbookUnavailable, match=r"make a new key|was deleted or disabled"):
        api.batch_get(["Log"])


def test_an_unknown_range_is_raised_to_the_caller(bench):
    with pytest.raises(BadRequest, match="Unable to parse range: Nowhere"):
        bench.api().batch_get(["Log", "Nowhere"])


# Keys


def test_a_replaced_key_file_is_read_when_the_old_key_is_refused(bench):
    email = "rotated@example-wars.iam.gserviceaccount.com"
    bench.server.control(f"share/{bench.id}", {"email": email, "role": "writer"})
    file = bench.server.key_file(bench.folder, email)
    api = Api(bench.id, access.find(file), RequestBudget(), url=bench.server.url)
    api.get(fields="properties")
    bench.server.control("key/revoke", {"email": email})

    with pytest.raises(WorkbookUnavailable, match=rf"does not know the key of {email} \({file}\) any more"):
        api.get(fields="properties")
    bench.server.key_file(bench.folder, email)
    assert api.get(fields="properties") == {"properties": ANY}


def test_a_key_file_of_another_account_changes_the_sender(bench):
    first, second = (f"{name}@example-wars.iam.gserviceaccount.com" for name in ("first", "second"))
    bench.server.control(f"share/{bench.id}", {"email": second, "role": "writer"})
    file = bench.server.key_file(bench.folder, first)
    api = Api(bench.id, access.find(file), RequestBudget(), url=bench.server.url)
    with pytest.raises(WorkbookUnavailable, match=f"not shared with {first}"):
        api.get(fields="properties")

    file.write_text(bench.server.key_file(bench.folder, second).read_text())
    bench.server.control("tokens/expire", {})
    api.get(fields="properties")
    assert api.access.email == second


@pytest.mark.parametrize("content", [None, "", '{"type": "service_account"'], ids=["gone", "blank", "half"])
def test_an_unreadable_key_file_is_reported_only_after_a_refusal(bench, content):
    email = f"{uuid4()}@example-wars.iam.gserviceaccount.com"
    bench.server.control(f"share/{bench.id}", {"email": email, "role": "writer"})
    file = bench.server.key_file(bench.folder, email)
    api = Api(bench.id, access.find(file), RequestBudget(), url=bench.server.url)
    file.unlink() if content is None else file.write_text(content)

    api.get(fields="properties")
    bench.server.control("key/revoke", {"email": email})
    with pytest.raises(WorkbookUnavailable, match=rf"credentials file {file}"):
        api.get(fields="properties")


# Sharing


def test_an_unshared_spreadsheet_names_the_account_to_share_it_with(bench):
    bench.server.control(f"private/{bench.id}", {})
    api = bench.api()

    with pytest.raises(WorkbookUnavailable, match=f"is not shared with {api.access.email}"):
        api.batch_get(["Log"])


def test_a_read_only_share_names_the_remedy(bench):
    api = bench.api()
    bench.server.control(f"share/{bench.id}", {"email": api.access.email, "role": "reader"})
    sheet = sheet_of(api)

    with pytest.raises(WorkbookUnavailable, match=f"but not change it: .* make {api.access.email} an Editor"):
        _append(api, sheet, 7)


def test_under_random_faults_every_write_is_done_once_or_known_to_be_open(bench):
    """Answered: there once. Without an answer: there once or not at all. Refused: not there. Never twice."""
    api = bench.api()
    sheet = sheet_of(api)
    for number, (kind, when) in enumerate(
        [
            ("503", "before"),
            ("503", "after"),
            ("reset", "after"),
            ("half", "after"),
            ("502", "late"),
            ("429", "before"),
            ("401", "before"),
            ("close", "before"),
        ]
    ):
        bench.server.fault(kind, probability=0.06, seed=number, when=when)
    done, open_, refused = set(), set(), set()
    for mark in range(round(30 * max(1, BUDGET))):
        try:
            _append(api, sheet, mark)
            done.add(mark)
            api.batch_get(["Log"])
        except UnknownOutcome:
            open_.add(mark)
        except WorkbookUnavailable:
            refused.add(mark)
    bench.server.clear_faults()
    bench.server.control("late", {})
    rows = bench.rows()

    assert len(done) > 10
    assert open_
    assert {mark for mark in done if rows[mark] != 1} == set()
    assert {mark for mark in open_ if rows[mark] > 1} == set()
    assert {mark for mark in refused - done if rows[mark]} == set()
