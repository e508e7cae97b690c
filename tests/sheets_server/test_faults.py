"""Every fault as the client sees it, and what it leaves behind."""

from __future__ import annotations

import threading
import time

import pytest
import requests

from scripts.support.patience import PATIENCE_S
from scripts.support.sheets_server import MADE_UP
from tests.helpers.rows import each


@pytest.fixture
def wars(server):
    return server.make("Wars", {"T": [["row 1"]]})


def append(web, server, id, text, **how):
    there = f"{server.url}/v4/spreadsheets/{id}/values/T!A1:append"
    body = {"values": [[text]]}
    return web.post(there, params={"valueInputOption": "RAW"}, json=body, timeout=how.get("timeout", PATIENCE_S))


def read(web, server, id, **how):
    return web.get(f"{server.url}/v4/spreadsheets/{id}/values/T", timeout=how.get("timeout", PATIENCE_S))


def rows(server, id):
    return [row[0] for row in server.tab(id, "T")]


ANSWERED = {
    "400": (400, "INVALID_ARGUMENT", "Request contains an invalid argument."),
    "403": (403, "PERMISSION_DENIED", "The caller does not have permission"),
    "403-scopes": (403, "PERMISSION_DENIED", "Request had insufficient authentication scopes."),
    "404": (404, "NOT_FOUND", "Requested entity was not found."),
    "429": (
        429,
        "RESOURCE_EXHAUSTED",
        "Quota exceeded for quota metric 'Write requests' and limit 'Write requests per minute per user' of service "
        "'sheets.googleapis.com' for consumer 'project_number:106600000000'.",
    ),
    "500": (500, "INTERNAL", "Internal error encountered."),
    "503": (503, "UNAVAILABLE", "The service is currently unavailable."),
}
LOST = {
    "reset": requests.ConnectionError,
    "close": requests.ConnectionError,
    "half": requests.exceptions.ChunkedEncodingError,
    "silence": requests.ReadTimeout,
}


@pytest.mark.parametrize("kind", ANSWERED)
def test_an_error_before_the_request_leaves_the_sheet_unchanged(server, web, wars, kind):
    server.fault(kind)
    said = append(web, server, wars, "row 2")

    error = said.json()["error"]
    assert (said.status_code, error["status"], error["message"]) == ANSWERED[kind]
    assert error["code"] == said.status_code
    assert rows(server, wars) == ["row 1"]
    assert append(web, server, wars, "row 2").status_code == 200


@pytest.mark.parametrize("kind", ["502", "504"])
def test_a_gateway_s_error_is_an_html_page(server, web, wars, kind):
    server.fault(kind)
    said = append(web, server, wars, "row 2")

    assert said.status_code == int(kind)
    assert said.headers["Content-Type"] == "text/html; charset=UTF-8"
    assert said.text.startswith("<!DOCTYPE html>")
    assert rows(server, wars) == ["row 1"]


def test_a_disabled_api_names_the_page_to_enable_it(server, web, wars):
    server.fault("403-disabled")
    error = read(web, server, wars).json()["error"]

    assert error["message"].startswith(
        "Google Sheets API has not been used in project 106600000000 before or it is disabled."
    )
    assert [detail.get("reason") for detail in error["details"]] == [None, "SERVICE_DISABLED"]


def test_drive_gives_reasons_in_its_errors(server, web, wars):
    for kind in ("403-quota", "404"):
        server.fault(kind)
    server.clear_faults()
    server.fault("403-quota", at=1)
    server.fault("401", at=2)
    there = f"{server.url}/drive/v3/files/{wars}"
    quota, token = web.get(there).json()["error"], web.get(there).json()["error"]

    assert (quota["code"], quota["errors"][0]["domain"], quota["errors"][0]["reason"]) == (
        403,
        "usageLimits",
        "userRateLimitExceeded",
    )
    assert (token["code"], token["errors"][0]["reason"]) == (401, "authError")


@pytest.mark.parametrize("kind", ["500", "502", "503"])
def test_an_error_after_the_request_leaves_it_applied(server, web, wars, kind):
    server.fault(kind, when="after")
    assert append(web, server, wars, "row 2").status_code == int(kind)
    assert rows(server, wars) == ["row 1", "row 2"]


@pytest.mark.parametrize("kind", LOST)
@pytest.mark.parametrize(("when", "left"), [("before", ["row 1"]), ("after", ["row 1", "row 2"])])
def test_a_lost_answer_does_not_tell_if_the_request_was_applied(server, web, wars, kind, when, left):
    server.fault(kind, when=when)
    with pytest.raises(LOST[kind]):
        append(web, server, wars, "row 2", timeout=0.5)

    assert rows(server, wars) == left
    assert append(web, server, wars, "next").status_code == 200, "the next connection is whole"


def test_a_silent_request_blocks_no_other(server, web, wars):
    server.fault("silence", match="write")
    how = {"params": {"valueInputOption": "RAW"}, "json": {"values": [["x"]]}, "headers": MADE_UP, "timeout": 2}
    ended = []

    def wait_in_vain():
        with pytest.raises(requests.ReadTimeout):
            requests.put(f"{server.url}/v4/spreadsheets/{wars}/values/T!A1", **how)
        ended.append(True)

    waiting = threading.Thread(target=wait_in_vain)
    waiting.start()
    server.wait_for(1)
    assert read(web, server, wars).status_code == 200
    assert not ended
    waiting.join(PATIENCE_S)
    assert ended


def test_a_slow_request_is_applied_eventually(server, web, wars):
    server.fault("slow", seconds=0.3, match="write")
    with pytest.raises(requests.ReadTimeout):
        append(web, server, wars, "row 2", timeout=0.1)
    assert rows(server, wars) == ["row 1"]

    server.fault("slow", seconds=0.3, match="write")
    assert append(web, server, wars, "row 3").status_code == 200
    assert rows(server, wars) == ["row 1", "row 2", "row 3"]


@pytest.mark.parametrize("kind", ["503", "reset"])
def test_a_late_request_is_applied_after_the_given_number_of_others(server, web, wars, kind):
    server.fault(kind, when="late", after_requests=2)
    if kind == "reset":
        with pytest.raises(requests.ConnectionError):
            append(web, server, wars, "late")
    else:
        assert append(web, server, wars, "late").status_code == 503

    assert read(web, server, wars).json()["values"] == [["row 1"]]
    assert append(web, server, wars, "row 2").status_code == 200
    assert rows(server, wars) == ["row 1", "row 2", "late"]
    assert [entry["late"] for entry in server.log()] == [3, None, None]


def test_a_late_request_is_refused_if_its_cells_have_changed(server, web, wars):
    server.fault("503", when="late", after_requests=1)
    assert append(web, server, wars, "late").status_code == 503
    server.control(f"private/{wars}", {})
    assert read(web, server, wars).status_code == 403
    server.control(f"private/{wars}", method="DELETE")

    assert rows(server, wars) == ["row 1"]


@pytest.mark.parametrize("kind", ["503", "reset"])
def test_a_late_request_is_applied_after_the_given_seconds(server, web, wars, kind):
    server.control("clock", {"stop": True})
    server.fault(kind, when="late", after_seconds=240)
    if kind == "reset":
        with pytest.raises(requests.ConnectionError):
            append(web, server, wars, "late")
    else:
        assert append(web, server, wars, "late").status_code == 503

    for _ in range(3):
        read(web, server, wars)
    server.advance(239)
    assert rows(server, wars) == ["row 1"]
    server.advance(1)
    assert rows(server, wars) == ["row 1", "late"]
    assert server.log()[0]["late"] == 4


def test_requests_delayed_by_time_arrive_in_the_order_of_their_times(server, web, wars):
    server.control("clock", {"stop": True})
    for text, seconds in (("second", 20), ("first", 10)):
        server.fault("503", when="late", after_seconds=seconds)
        append(web, server, wars, text)
    server.advance(60)
    assert rows(server, wars) == ["row 1", "first", "second"]


def test_a_late_request_arrives_by_itself_while_the_clock_runs(server, web, wars):
    server.fault("503", when="late", after_seconds=0.05)
    append(web, server, wars, "late")
    while server.control("late")["waiting"]:
        time.sleep(0.01)
    assert rows(server, wars) == ["row 1", "late"]


def test_late_requests_can_be_released_at_once(server, web, wars):
    server.fault("503", when="late", after_requests=99)
    append(web, server, wars, "late")
    assert server.control("late") == {"waiting": 1}
    assert server.control("late", {}) == {"applied": 1}
    assert rows(server, wars) == ["row 1", "late"]


def test_faults_count_only_matching_requests(server, web, wars):
    server.fault("503", at=2, match="read")
    server.fault("500", at=2, match="write")
    seen = [read(web, server, wars), append(web, server, wars, "a"), append(web, server, wars, "b")]
    seen += [read(web, server, wars), read(web, server, wars)]

    assert [answer.status_code for answer in seen] == [200, 200, 500, 503, 200]
    assert [entry["fault"] for entry in server.log()] == [None, None, "500 before", "503 before", None]


def test_a_fault_can_occur_several_times_regularly_or_by_chance(server, web, wars):
    def statuses(count):
        return [read(web, server, wars).status_code for _ in range(count)]

    server.fault("503", at=2, times=2)
    assert statuses(5) == [200, 503, 503, 200, 200]
    server.fault("503", every=3)
    assert statuses(7) == [200, 200, 503, 200, 200, 503, 200]
    server.clear_faults()
    server.fault("503", probability=0.5, seed=7)
    first = statuses(30)
    server.clear_faults()
    server.fault("503", probability=0.5, seed=7)
    assert statuses(30) == first
    assert {200, 503} == set(first)


def test_a_fault_can_match_one_path(server, web, wars):
    server.fault("429", match=":append$", times=None)
    assert read(web, server, wars).status_code == 200
    assert append(web, server, wars, "x").status_code == 429


def test_a_fault_can_name_a_time_to_retry(server, web, wars):
    server.fault("429", retry_after=7)
    assert read(web, server, wars).headers["Retry-After"] == "7"


def test_the_token_endpoint_supports_faults_too(server):
    server.fault("500", match="token", at=1)
    server.fault("invalid_grant", match="token", at=2)
    said = [requests.post(f"{server.url}/token", data={}, timeout=60) for _ in range(2)]

    assert [answer.status_code for answer in said] == [500, 400]
    assert said[1].json()["error"] == "invalid_grant"


@each(
    ("fault", "said"),
    [
        ({"kind": "flood"}, "kind is 'flood'"),
        (
            {"kind": "503", "when": "late", "after_requests": 1, "after_seconds": 1},
            "after_requests and after_seconds exclude each other; give one",
        ),
        ({"kind": "503", "when": "never"}, "when is 'never'; give one of before, after, late"),
        ({"kind": "503", "at": 0}, "at is 0; give 1 or more"),
        ({"kind": "503", "probability": 2}, "probability is 2; give 0 to 1"),
        ({"kind": "503", "at": 1, "every": 2}, "at and every exclude each other"),
        ({"kind": "503", "match": "("}, "match is '('"),
        ({"kind": "503", "on": 3}, "a fault has no 'on'"),
    ],
)
def test_an_invalid_fault_is_refused(server, fault, said):
    refused = requests.post(f"{server.url}/_control/faults", json=fault, timeout=60)
    assert refused.status_code == 400
    assert said in refused.json()["error"]
