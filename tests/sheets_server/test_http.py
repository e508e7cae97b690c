"""The server as a server: tokens, who may read what, wording of bad requests, quotas, snapshots, steering."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import requests
from google.auth.exceptions import RefreshError
from google.auth.transport.requests import AuthorizedSession, Request
from google.oauth2.service_account import Credentials
from localsheets.control import Control
from localsheets.desk import Desk
from localsheets.door import Door
from localsheets.wire import Wire

from scripts.support.patience import PATIENCE_S
from scripts.support.sheets_server import MADE_UP, SCRIPT, LocalSheets
from tests.helpers.rows import each

SHEETS = "https://www.googleapis.com/auth/spreadsheets"
ROBOT = "sheets-algo@local-sheets.iam.gserviceaccount.com"
OTHER = {"Authorization": "Bearer otto@example.com"}


def credentials(server, scope=SHEETS, **how):
    return Credentials.from_service_account_info(server.key(**how), scopes=[scope])


def error(answer):
    said = answer.json()["error"]
    return answer.status_code, said["status"], said["message"]


def test_google_auth_gets_a_token_by_the_key_file(server, tmp_path):
    id = server.make("Wars", {"Nations": [["Name"]]})
    key = server.key_file(tmp_path)
    with AuthorizedSession(Credentials.from_service_account_file(key, scopes=[SHEETS])) as session:
        answer = session.get(f"{server.url}/v4/spreadsheets/{id}/values/Nations!A1")

    assert answer.json()["values"] == [["Name"]]
    assert server.counters()["kinds"] == {"token": 1, "read": 1}
    assert [entry["caller"] for entry in server.log()] == [None, ROBOT]


@each("seconds", [-4000, 8000])
def test_a_key_signed_at_the_wrong_time_is_refused(server, seconds):
    server.control("clock", {"skew": seconds})
    with pytest.raises(RefreshError, match=r"invalid_grant.*Check your iat and exp values"):
        credentials(server).refresh(Request())


def test_a_key_with_a_foreign_signature_is_refused(server):
    mine, other = server.key(), server.key()
    forged = mine | {"private_key": other["private_key"]}
    with pytest.raises(RefreshError, match="Invalid JWT Signature"):
        Credentials.from_service_account_info(forged, scopes=[SHEETS]).refresh(Request())


def test_a_deleted_account_gets_no_token_and_its_token_is_worthless(server, web):
    id = server.make("Wars")
    account = credentials(server)
    account.refresh(Request())
    server.control("key/revoke", {})

    said = web.get(f"{server.url}/v4/spreadsheets/{id}", headers={"Authorization": f"Bearer {account.token}"})
    assert said.status_code == 401
    with pytest.raises(RefreshError, match="Invalid JWT Signature"):
        account.refresh(Request())


def test_a_token_expires_after_an_hour_of_the_server_s_clock(server, web):
    id = server.make("Wars")
    account = credentials(server)
    account.refresh(Request())
    own = {"Authorization": f"Bearer {account.token}"}

    server.advance(3590)  # a renewal would not mind: a key is judged by the machine's clock
    assert web.get(f"{server.url}/v4/spreadsheets/{id}", headers=own).status_code == 200
    server.advance(20)
    assert error(web.get(f"{server.url}/v4/spreadsheets/{id}", headers=own)) == (
        401,
        "UNAUTHENTICATED",
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid "
        "authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
    )


def test_after_expiry_google_auth_renews_the_token_and_repeats_the_call(server):
    id = server.make("Wars")
    with AuthorizedSession(credentials(server)) as session:
        assert session.get(f"{server.url}/v4/spreadsheets/{id}").status_code == 200
        server.control("tokens/expire", {})
        assert session.get(f"{server.url}/v4/spreadsheets/{id}").status_code == 200
    assert [entry["status"] for entry in server.log()] == [200, 200, 401, 200, 200]


def test_a_scope_opens_only_its_own_api(server):
    id = server.make("Wars")
    with AuthorizedSession(credentials(server, SHEETS)) as sheets:
        refused = sheets.get(f"{server.url}/drive/v3/files")
    with AuthorizedSession(credentials(server, f"{SHEETS}.readonly")) as reader:
        read = reader.get(f"{server.url}/v4/spreadsheets/{id}")
        written = reader.post(f"{server.url}/v4/spreadsheets/{id}/values/A1:clear")

    assert refused.json()["error"]["message"] == "Request had insufficient authentication scopes."
    assert refused.json()["error"]["errors"][0]["reason"] == "insufficientPermissions"
    assert (read.status_code, written.status_code) == (200, 403)


def test_a_refused_caller_gets_google_s_answer(server, web):
    shared = server.make("Wars")
    there = f"{server.url}/v4/spreadsheets"
    server.control(f"private/{shared}", {})

    assert error(web.get(f"{there}/{shared}")) == (403, "PERMISSION_DENIED", "The caller does not have permission")
    assert error(web.get(f"{there}/nowhere")) == (404, "NOT_FOUND", "Requested entity was not found.")
    server.control(f"private/{shared}", method="DELETE")
    assert web.get(f"{there}/{shared}").status_code == 200
    assert web.get(f"{there}/{shared}", headers=OTHER).status_code == 403


def test_a_reader_may_not_write(server, web):
    id = server.make("Wars")
    server.control(f"share/{id}", {"email": "otto@example.com", "role": "reader"})
    there = f"{server.url}/v4/spreadsheets/{id}/values/A1"

    assert web.get(there, headers=OTHER).status_code == 200
    refused = web.put(there, params={"valueInputOption": "RAW"}, json={"values": [["x"]]}, headers=OTHER)
    assert error(refused) == (403, "PERMISSION_DENIED", "The caller does not have permission")


def test_a_request_without_a_token_is_refused(server):
    assert requests.get(f"{server.url}/v4/spreadsheets/any", timeout=60).status_code == 401


def test_unreadable_bodies_and_parameters_are_reported(server, web):
    id = server.make("Wars")
    one = f"{server.url}/v4/spreadsheets/{id}"

    assert error(web.post(f"{one}:batchUpdate", data=b'{"requests": [}')) == (
        400,
        "INVALID_ARGUMENT",
        'Invalid JSON payload received. Unexpected token.\n{"requests": [}\n              ^',
    )
    assert error(web.get(one, params={"sheet": "1"})) == (
        400,
        "INVALID_ARGUMENT",
        'Invalid JSON payload received. Unknown name "sheet": Cannot bind query parameter. '
        "Field 'sheet' could not be found in request message.",
    )
    assert error(web.get(one, params={"includeGridData": "perhaps"}))[2] == (
        "Invalid value at 'include_grid_data' (TYPE_BOOL), \"perhaps\""
    )
    assert error(web.get(f"{one}/values/A1", params={"valueRenderOption": "NICE"}))[2] == (
        "Invalid value at 'value_render_option' (type.googleapis.com/google.apps.sheets.v4.ValueRenderOption), \"NICE\""
    )


def test_answers_have_google_s_format(server, web):
    id = server.make("Wars", {"A/B 100%": [["x"]]})
    zipped = web.get(f"{server.url}/v4/spreadsheets/{id}/values/%27A%2FB%20100%25%27%21A1")
    plain = web.get(zipped.url, headers={"Accept-Encoding": "identity"})

    assert zipped.headers["Content-Type"] == "application/json; charset=UTF-8"
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert plain.text == (
        "{\n"
        '  "range": "\'A/B 100%\'!A1",\n'
        '  "majorDimension": "ROWS",\n'
        '  "values": [\n'
        "    [\n"
        '      "x"\n'
        "    ]\n"
        "  ]\n"
        "}\n"
    )


def test_the_61st_read_of_a_minute_is_refused_and_the_next_minute_is_free(server, web):
    id = server.make("Wars")
    server.control("clock", {"stop": True, "set": 1_700_000_040})  # a full minute
    server.control("quota", {"read": 60, "write": 60})
    there = f"{server.url}/v4/spreadsheets/{id}/values/A1"
    for _ in range(60):
        assert web.get(there).status_code == 200

    refused = web.get(there)
    assert error(refused) == (
        429,
        "RESOURCE_EXHAUSTED",
        "Quota exceeded for quota metric 'Read requests' and limit 'Read requests per minute per user' of service "
        "'sheets.googleapis.com' for consumer 'project_number:106600000000'.",
    )
    assert refused.json()["error"]["details"][0]["metadata"]["quota_limit_value"] == "60"
    assert web.post(f"{there}:clear").status_code == 200, "writes have their own count"
    server.advance(59)
    assert web.get(there).status_code == 429
    server.advance(1)
    assert web.get(there).status_code == 200


def test_requests_are_counted_by_kind_without_control_requests(server, web):
    id = server.make("Wars")
    one = f"{server.url}/v4/spreadsheets/{id}"
    web.get(one)
    web.get(f"{one}/values:batchGet", params={"ranges": ["A1", "B2"]})
    web.post(f"{one}/values/A1:clear")
    web.get(f"{server.url}/drive/v3/files/{id}")
    server.tab(id, "Sheet1")

    counted = server.counters()
    assert counted["kinds"] == {"read": 2, "write": 1, "drive": 1}
    assert counted["requests"]["GET /v4/spreadsheets/{id}/values:batchGet"] == 1
    assert counted["statuses"] == {"200": 4}
    assert [(entry["n"], entry["kind"]) for entry in server.log()] == [
        (1, "read"),
        (2, "read"),
        (3, "write"),
        (4, "drive"),
    ]
    server.reset_counters()
    assert server.counters()["kinds"] == {}


def test_a_person_acts_between_two_requests(server, web):
    id = server.make("Wars", {"T": [["old"]]})
    server.type(id, "T!A1", [["42"]], before_request=2)
    server.type(id, "T!B1", [["=A1+1"]], after_request=2)
    there = f"{server.url}/v4/spreadsheets/{id}/values/T!A1:B1?valueRenderOption=UNFORMATTED_VALUE"

    assert [web.get(there).json()["values"] for _ in range(3)] == [[["old"]], [[42]], [[42, 43]]]


def test_a_failed_edit_of_a_person_is_reported(server, web):
    id = server.make("Wars")
    server.type(id, "Gone!A1", [["x"]], before_request=1)
    assert server.control("user") == {"waiting": 1, "refused": []}
    web.get(f"{server.url}/v4/spreadsheets/{id}")
    assert server.control("user") == {"waiting": 0, "refused": ["Unable to parse range: Gone!A1"]}


def test_a_held_request_blocks_no_other_and_continues_when_released(server, web):
    id = server.make("Wars", {"T": [["old"]]})
    there = f"{server.url}/v4/spreadsheets/{id}/values/T!A1"
    held = server.hold(match="write", when="before")
    body = {
        "params": {"valueInputOption": "RAW"},
        "json": {"values": [["new"]]},
        "headers": MADE_UP,
        "timeout": PATIENCE_S,
    }
    writer = threading.Thread(target=requests.put, args=(there,), kwargs=body)
    writer.start()

    assert server.caught(held) == 1
    assert web.get(there).json()["values"] == [["old"]]
    server.release(held)
    writer.join(PATIENCE_S)
    assert web.get(there).json()["values"] == [["new"]]


def test_the_state_can_be_saved_and_restored(server, web):
    id = server.make("Wars", {"T": [["first"]]})
    kept = server.control("state")
    server.type(id, "T!A1", [["second"]])
    server.control("reset", {})
    assert server.control("ids") == {}
    server.control("state", kept, "PUT")

    assert server.tab(id, "T") == [["first"]]
    assert web.get(f"{server.url}/v4/spreadsheets/{id}").json()["properties"]["title"] == "Wars"


def test_folders_of_csv_and_snapshots_become_spreadsheets(tmp_path):
    wars = tmp_path / "seed" / "wars"
    wars.mkdir(parents=True)
    (wars / "Nations.csv").write_text("Name,Population,Trade\nNormandy,900000,50%\n", encoding="utf-8")
    saved, key = tmp_path / "saved", tmp_path / "key.json"
    with LocalSheets(process=True, options=["--seed", str(wars.parent), "--save", str(saved)]) as first:
        assert first.control("save", {}) == {"saved": ["wars"]}
        assert first.tab("wars", "Nations") == [["Name", "Population", "Trade"], ["Normandy", 900000, 0.5]]
        first.type("wars", "Nations!A3", [["Wessex"]])
    assert [file.name for file in saved.iterdir()] == ["wars.json"]

    with LocalSheets(process=True, options=["--seed", str(saved), "--key", str(key), "--clock", "fake"]) as second:
        assert second.tab("wars", "Nations")[2] == ["Wessex"]
        assert second.control("clock")["stopped"]
        with AuthorizedSession(Credentials.from_service_account_file(key, scopes=[SHEETS])) as session:
            assert session.get(f"{second.url}/v4/spreadsheets/wars").json()["spreadsheetId"] == "wars"
    assert key.stat().st_mode & 0o777 == 0o600


def test_a_stopped_server_saves_its_state(tmp_path):
    command = [sys.executable, str(SCRIPT), "--port", "0", "--save", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        url = running.stdout.readline().strip()
        requests.post(f"{url}/_control/spreadsheets", json={"id": "wars", "title": "Wars"}, timeout=60)
        running.send_signal(signal.SIGTERM)
        assert running.wait(PATIENCE_S) == 0

    assert json.loads((tmp_path / "wars.json").read_text())["name"] == "Wars"


def test_an_answer_can_be_compact(server, web):
    id = server.make("Wars", {"T": [["x"]]})
    said = web.get(f"{server.url}/v4/spreadsheets/{id}/values/T", params={"prettyPrint": "false"})
    assert said.text == '{"range":"T!A1:Z1000","majorDimension":"ROWS","values":[["x"]]}'


def test_a_strict_server_accepts_only_its_own_tokens():
    with LocalSheets(process=True, options=["--strict-auth"]) as strict:
        id = strict.make("Wars")
        there = f"{strict.url}/v4/spreadsheets/{id}"
        assert requests.get(there, headers=MADE_UP, timeout=60).status_code == 401
        with AuthorizedSession(credentials(strict)) as session:
            assert session.get(there).status_code == 200


def test_a_request_that_hangs_does_not_keep_the_server_from_ending(tmp_path):
    command = [sys.executable, str(SCRIPT), "--port", "0", "--save", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        url = running.stdout.readline().strip()
        requests.post(f"{url}/_control/spreadsheets", json={"id": "wars"}, timeout=60)
        requests.post(f"{url}/_control/faults", json={"kind": "silence"}, timeout=60)
        hold = requests.post(f"{url}/_control/hold", json={"at": 2}, timeout=60).json()["hold"]
        hanging = [threading.Thread(target=hang, args=(f"{url}/v4/spreadsheets/wars",)) for _ in range(2)]
        for thread in hanging:
            thread.start()
        assert requests.get(f"{url}/_control/hold/{hold}?seconds=50", timeout=60).json()["caught"] == 2
        running.send_signal(signal.SIGINT)
        assert running.wait(PATIENCE_S) == 0
        for thread in hanging:
            thread.join(PATIENCE_S)
    assert (tmp_path / "wars.json").exists()


def hang(url):
    with contextlib.suppress(requests.RequestException):
        requests.get(url, headers=MADE_UP, timeout=60)


def test_the_page_documents_every_control_request():
    page = (Path(__file__).parents[2] / "docs" / "sheets-server.md").read_text(encoding="utf-8")
    control = Control(Door(Desk(), Wire()), save=list, stop=list)
    paths = {route.path.removeprefix("/_control/").partition("{")[0].rstrip("/") for route in control.routes()}

    assert {path for path in paths if not re.search(rf"`(GET )?{path}[`/?]", page)} == set()
