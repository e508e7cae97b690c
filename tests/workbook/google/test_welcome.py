"""The greeting of a spreadsheet that somebody shared: written once, and answered by its owner alone."""

from __future__ import annotations

import pytest

from scripts.support.shared_sheets import access, sheets
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.google.http.api import Api, BadRequest
from sheets_algo.workbook.google.http.budget import RequestBudget
from sheets_algo.workbook.google.welcome import BOX, _greeting, is_asked
from tests.workbook.google.scripted import Clock
from tests.workbook.google.season import PLENTY

GUEST = "guest@example.com"


def api_of(id: str) -> Api:
    pace = Clock().pace
    return Api(id, access(), RequestBudget(PLENTY, pace=pace), timeout=60, url=sheets().url, pace=pace, patience=0)


@pytest.fixture
def id() -> str:
    return sheets().make("A stranger's", {"Armies": [["Name"], ["Harold"]]}, shares=(access().email, GUEST))


def tick(id: str, email: str | None = None, title: str = "Guide") -> None:
    more = {"email": email} if email else {}
    sheets().control(f"user/{id}", {"range": f"'{title}'!A{BOX}", "values": [[True]], **more})


def test_a_greeting_is_written_once_and_the_owner_s_tick_begins_the_game(id: str) -> None:
    api = api_of(id)
    assert not is_asked(api)
    assert list(sheets().tabs(id)) == ["Guide", "Armies"]
    assert sheets().tab(id, "Guide")[BOX - 1] == [False]
    sheets().reset_counters()
    assert not is_asked(api)
    assert sheets().count("write") == 0

    tick(id)
    assert is_asked(api)
    assert list(sheets().tabs(id)) == ["Armies"]
    sheets().reset_counters()
    assert is_asked(api)
    assert (sheets().count("write"), sheets().tab(id, "Armies")) == (0, [["Name"], ["Harold"]])


def test_another_editor_cannot_tick_the_box(id: str) -> None:
    is_asked(api_of(id))
    with pytest.raises(AssertionError, match="protected cell"):
        tick(id, GUEST)
    assert not is_asked(api_of(id))


def test_two_programs_greet_once(id: str) -> None:
    is_asked(api_of(id))
    with pytest.raises(BadRequest):
        api_of(id).batch_update({"requests": _greeting("Another", None)})
    assert list(sheets().tabs(id)) == ["Guide", "Armies"]


def test_a_greeting_with_a_lost_answer_is_not_written_again(id: str) -> None:
    sheets().fault("503", match="write", when="after")
    with pytest.raises(WorkbookError):
        is_asked(api_of(id))
    assert not is_asked(api_of(id))
    assert list(sheets().tabs(id)) == ["Guide", "Armies"]


def test_a_deleted_greeting_stays_deleted(id: str) -> None:
    is_asked(api_of(id))
    sheets().user(id, [{"deleteSheet": {"sheetId": sheets().tabs(id)["Guide"]}}])
    assert not is_asked(api_of(id))
    assert list(sheets().tabs(id)) == ["Armies"]


def test_a_person_s_own_guide_stays(id: str) -> None:
    sheets().user(id, [{"addSheet": {"properties": {"title": "guide"}}}])
    is_asked(api_of(id))
    assert set(sheets().tabs(id)) == {"guide", "Armies", "Guide of sheets-algo"}
    tick(id, title="Guide of sheets-algo")
    assert is_asked(api_of(id))
    assert set(sheets().tabs(id)) == {"guide", "Armies"}


def test_a_greeting_in_the_only_tab_is_replaced_too(id: str) -> None:
    is_asked(api_of(id))
    sheets().user(id, [{"deleteSheet": {"sheetId": sheets().tabs(id)["Armies"]}}])
    tick(id)
    assert is_asked(api_of(id))
    assert len(sheets().tabs(id)) == 1
    assert "Guide" not in sheets().tabs(id)


def test_a_reader_writes_no_greeting(id: str) -> None:
    sheets().control(f"share/{id}", {"email": access().email, "role": "reader"})
    with pytest.raises(WorkbookError, match="but not change it"):
        is_asked(api_of(id))
    assert list(sheets().tabs(id)) == ["Armies"]
