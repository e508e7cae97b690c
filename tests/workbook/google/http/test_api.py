"""One spreadsheet over real HTTP: each failure has its sentence, reads are repeated, a write never is in vain."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from sheets_algo.workbook.errors import BadSetting, Interrupted, UnknownOutcome, WorkbookError, WorkbookUnavailable
from sheets_algo.workbook.google.http import access
from sheets_algo.workbook.google.http.api import Api, BadRequest
from sheets_algo.workbook.google.http.budget import RequestBudget
from sheets_algo.workbook.google.http.sessions import MOST_BYTES, session
from tests.helpers.rows import each
from tests.workbook.google.scripted import (
    EMAIL,
    TOKEN,
    Clock,
    Server,
    answer,
    data,
    error,
    half,
    key_file,
    page,
    private_key,
    reset,
    self_signed,
    serving,
    silence,
    token,
    trickle,
)

ID = "1066hastingsAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
NO_PERMISSION = error(403, "The caller does not have permission")
TOO_MANY = error(
    429,
    "Quota exceeded for quota metric 'Read requests' and limit 'Read requests per minute per user' of service"
    " 'sheets.googleapis.com' for consumer 'project_number:1066'.",
    {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "RATE_LIMIT_EXCEEDED"},
)
UNAVAILABLE = error(503, "The service is currently unavailable.")


@dataclass
class Bench:
    server: Server
    folder: Path
    clock: Clock = field(default_factory=Clock)
    told: list[str] = field(default_factory=list)

    def api(self, **options: Any) -> Api:
        """An api at the scripted server, whose waits take no time."""
        token_uri = options.pop("token_uri", f"{self.server.url}/token")
        found = access.find(key_file(self.folder, self.server.url, token_uri=token_uri))
        budget = options.pop("budget", None) or RequestBudget(pace=self.clock.pace)
        given = {"url": self.server.url, "tells": self.told.append, "pace": self.clock.pace, "timeout": 5} | options
        return Api(ID, found, budget, **given)

    def renew(self) -> None:
        """Begin again, with nothing asked, told or waited yet."""
        self.server.asked.clear()
        self.told.clear()
        self.server.tokens = [token()]
        self.clock = Clock()


@pytest.fixture
def bench(tmp_path, monkeypatch) -> Iterator[Bench]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "REQUESTS_CA_BUNDLE"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with serving() as server:
        yield Bench(server, tmp_path)


def read(api: Api) -> Any:
    return api.get(fields="properties")


def write(api: Api) -> Any:
    return api.batch_update({"requests": [{"deleteSheet": {"sheetId": 7}}]})


# What is asked


def test_a_get_names_its_fields_and_ranges(bench):
    bench.server.answers = [data({"properties": {"title": "Wars"}})]
    api = bench.api()

    assert api.get(fields="properties(title)", ranges=["'War Requests'!A1:K", "Log"]) == {
        "properties": {"title": "Wars"}
    }
    [asked] = bench.server.sent()
    assert (asked.method, urlsplit(asked.path).path) == ("GET", f"/v4/spreadsheets/{ID}")
    assert parse_qs(urlsplit(asked.path).query) == {
        "fields": ["properties(title)"],
        "ranges": ["'War Requests'!A1:K", "Log"],
    }
    assert asked.headers["authorization"] == f"Bearer {TOKEN}"


def test_a_batch_of_ranges_is_read_unformatted_with_serial_dates_and_without_spaces(bench):
    bench.server.answers = [data({"valueRanges": [{"range": "A!A1:B2", "values": [["x", 1]]}, {"range": "B!A1:B2"}]})]

    assert bench.api().batch_get(["A", "B"]) == [[["x", 1]], []]
    [asked] = bench.server.sent()
    assert urlsplit(asked.path).path == f"/v4/spreadsheets/{ID}/values:batchGet"
    assert parse_qs(urlsplit(asked.path).query) == {
        "ranges": ["A", "B"],
        "valueRenderOption": ["UNFORMATTED_VALUE"],
        "dateTimeRenderOption": ["SERIAL_NUMBER"],
        "prettyPrint": ["false"],
    }


def test_missing_ranges_are_not_mistaken_for_empty_ones(bench):
    bench.server.answers = [data({"valueRanges": [{"values": [["x"]]}]})]

    with pytest.raises(WorkbookUnavailable, match="JSON of another form"):
        bench.api().batch_get(["A", "B"])


def test_a_write_is_one_post_with_its_body(bench):
    bench.server.answers = [data({"replies": [{}]})]

    assert write(bench.api()) == {"replies": [{}]}
    [asked] = bench.server.sent()
    assert (asked.method, urlsplit(asked.path).path) == ("POST", f"/v4/spreadsheets/{ID}:batchUpdate")
    assert json.loads(asked.body) == {"requests": [{"deleteSheet": {"sheetId": 7}}]}


def test_the_server_is_named_by_a_variable(bench, monkeypatch):
    monkeypatch.setenv("SHEETS_ALGO_API_URL", bench.server.url + "/")

    read(bench.api(url=None))
    assert len(bench.server.sent()) == 1


def test_a_server_on_this_machine_is_used_without_a_proxy(bench, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    read(bench.api())
    assert [request.path.split("?")[0] for request in bench.server.asked] == ["/token", f"/v4/spreadsheets/{ID}"]


def test_a_netrc_password_does_not_replace_the_token(tmp_path, monkeypatch):
    netrc = tmp_path / "netrc"
    netrc.write_text("default login clerk password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))

    url, headers = "https://sheets.googleapis.com", {"Authorization": f"Bearer {TOKEN}"}
    prepared = session(url).prepare_request(requests.Request("GET", url, headers=headers))

    assert prepared.headers["Authorization"] == f"Bearer {TOKEN}"


# What is sent again

PASSING = {
    "500": error(500, "Internal error encountered."),
    "502 page": page(502, "Error 502 (Server Error)!!1"),
    "503": UNAVAILABLE,
    "504": page(504, "Gateway Timeout"),
    "409": error(409, "The operation was aborted."),
    "reset": reset,
    "half an answer": half,
    "a page": page(200, "Sign in to Hotel Wi-Fi"),
    "a list": data([]),
    "nothing": answer(200, ""),
    "redirect": answer(302, "", Location="https://login.hotel.example/?next=secret"),
    "not gzip": answer(200, "xxxx", **{"Content-Encoding": "gzip"}),
}


@each("fault", PASSING.values(), ids=PASSING)
def test_a_read_is_repeated_until_it_is_answered(bench, fault):
    bench.renew()
    bench.server.answers = [fault, fault, data({"properties": {}})]
    api = bench.api()

    assert read(api) == {"properties": {}}
    assert (len(bench.server.sent()), bench.clock.waits, len(bench.told)) == (3, [1, 2], 1)
    assert (api.counts.reads, api.counts.writes, api.counts.retries, api.counts.waited_s) == (3, 0, 2, 3)


@each("fault", PASSING.values(), ids=PASSING)
def test_a_write_without_an_answer_is_never_sent_again(bench, fault):
    bench.renew()
    bench.server.answers = [fault, data()]

    with pytest.raises(UnknownOutcome, match="may have been carried out"):
        write(bench.api())
    assert (len(bench.server.sent()), bench.clock.waits) == (1, [])


@pytest.mark.parametrize("fault", [silence, trickle], ids=["silence", "trickle"])
def test_a_server_that_never_finishes_is_abandoned(bench, fault, monkeypatch):
    monkeypatch.setattr("sheets_algo.workbook.google.http.api.CONNECT_S", 0.1)
    bench.server.answers = [fault, data()]

    assert read(bench.api(timeout=1)) == {}
    bench.server.answers = [fault, data()]
    with pytest.raises(UnknownOutcome, match=r"gave no answer within 1 seconds"):
        write(bench.api(timeout=1))
    assert len(bench.server.sent()) == 3


@pytest.mark.parametrize("send", [read, write])
def test_a_full_quota_is_waited_out(bench, send):
    bench.server.answers = [TOO_MANY, TOO_MANY, data()]

    send(bench.api())
    assert len(bench.server.sent()) == 3
    assert bench.clock.waits == [15, 15]
    assert bench.told == [
        f"Google's limit of {send.__name__} requests a minute is used up for {EMAIL}, by this or another program:"
        " wait a minute; if it comes often, look at the spreadsheet less often."
    ]


def test_a_full_quota_may_come_as_403(bench):
    coded = error(403, "Slow down", {"reason": "userRateLimitExceeded"})
    bench.server.answers = [coded, error(403, "User Rate Limit Exceeded"), data()]

    write(bench.api())
    assert len(bench.server.sent()) == 3


def test_after_a_full_quota_other_requests_keep_to_the_probes(bench):
    bench.server.answers = [TOO_MANY, data()]
    api = bench.api()
    read(api)
    read(api)

    assert bench.clock.waits == [15, 15]


def test_retries_end_with_the_patience(bench):
    bench.server.answers = [UNAVAILABLE]

    with pytest.raises(WorkbookUnavailable, match="503 Service Unavailable"):
        read(bench.api(patience=40))
    assert bench.clock.waits == [1, 2, 4, 8, 16]
    bench.clock.waits.clear()
    with pytest.raises(WorkbookUnavailable, match="503"):
        read(bench.api(patience=0))
    assert bench.clock.waits == []


def test_retries_of_a_full_quota_end_with_the_patience_too(bench):
    bench.server.answers = [TOO_MANY]

    with pytest.raises(WorkbookUnavailable, match="write requests a minute"):
        write(bench.api(patience=50))
    assert bench.clock.waits == [15, 15, 15]


def test_waits_are_drawn_from_zero_to_twice_the_last(bench):
    bench.clock = Clock(chance=0.5)
    bench.server.answers = [UNAVAILABLE] * 9 + [data()]

    read(bench.api(patience=600))
    assert bench.clock.waits == [0.5, 1, 2, 4, 8, 16, 32, 32, 32]


def test_waits_for_the_budget_do_not_count_as_patience(bench):
    api = bench.api(budget=RequestBudget(1, pace=bench.clock.pace), patience=10)
    read(api)
    read(api)

    assert bench.clock.waits == [60]
    assert api.counts.waited_s == 60


def test_a_stop_ends_a_wait(bench):
    stop = threading.Event()
    bench.server.answers = [UNAVAILABLE]
    bench.clock.then = stop.set

    with pytest.raises(Interrupted):
        read(bench.api(stop=stop))
    assert len(bench.server.sent()) == 1


def test_nothing_is_sent_after_a_stop(bench):
    stop = threading.Event()
    stop.set()

    with pytest.raises(Interrupted):
        read(bench.api(stop=stop))
    assert bench.server.asked == []


@pytest.mark.parametrize("send", [read, write])
def test_a_stop_does_not_wait_for_a_silent_server(bench, send, monkeypatch):
    monkeypatch.setattr("sheets_algo.workbook.google.http.api.GRACE_S", 0.05)
    stop = threading.Event()

    def silent(handler: Any) -> None:
        stop.set()
        silence(handler)

    bench.server.answers = [silent]
    with pytest.raises(Interrupted):
        send(bench.api(stop=stop, timeout=60))
    assert len(bench.server.sent()) == 1


def test_a_write_in_progress_may_end_after_a_stop(bench):
    stop = threading.Event()

    def late(handler: Any) -> None:
        stop.set()
        time.sleep(0.2)
        data({"replies": [{}]})(handler)

    bench.server.answers = [late]
    assert write(bench.api(stop=stop)) == {"replies": [{}]}


# What is not sent again: each has its sentence

DISABLED = error(
    403,
    "Google Sheets API has not been used in project 1066 before or it is disabled. Enable it by visiting"
    " https://console.developers.google.com/apis/api/sheets.googleapis.com/overview?project=1066 then retry. If you"
    " enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.",
    {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "SERVICE_DISABLED"},
)
FINAL = {
    "not shared": (
        read,
        NO_PERMISSION,
        f'The spreadsheet "{ID}" is not shared with {EMAIL}: open it in a browser, choose Share and add {EMAIL} as an'
        " Editor.",
    ),
    "shared to view": (
        write,
        NO_PERMISSION,
        f'{EMAIL} may read the spreadsheet "{ID}" but not change it: open it in a browser, choose Share and make'
        f" {EMAIL} an Editor.",
    ),
    "disabled": (
        read,
        DISABLED,
        f"The Google Sheets API is switched off in the Google Cloud project of {EMAIL}: enable it at"
        " https://console.developers.google.com/apis/api/sheets.googleapis.com/overview?project=1066, wait some minutes"
        " and try again.",
    ),
    "disabled, said by the reason alone": (
        read,
        error(403, "Not enabled.", {"reason": "SERVICE_DISABLED"}),
        f"The Google Sheets API is switched off in the Google Cloud project of {EMAIL}: enable it at"
        " https://console.cloud.google.com/apis/library/sheets.googleapis.com, wait some minutes and try again.",
    ),
    "quota": (
        write,
        error(403, "Daily Limit Exceeded", {"reason": "dailyLimitExceeded"}),
        f"A quota of {EMAIL} at Google is used up: Daily Limit Exceeded. Try again tomorrow, or ask for more.",
    ),
    "forbidden otherwise": (
        read,
        page(403, "Blocked by ExampleCorp"),
        f'Google refuses {EMAIL} the spreadsheet "{ID}" (403): Blocked by ExampleCorp. Check that it is shared with'
        " this account, and that no proxy or rule of an organisation forbids it.",
    ),
    "missing": (
        read,
        error(404, "Requested entity was not found."),
        f'There is no spreadsheet "{ID}": it was deleted, or its id is misspelled. Copy its address from the browser'
        " again.",
    ),
    "unauthorised": (
        write,
        error(401, "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie."),
        f"Google Sheets does not accept the access token of {EMAIL}, nor a new one: check in the Google Cloud console"
        " that the account still exists, and make it a new key.",
    ),
    "too long": (
        read,
        page(414, "URI Too Long"),
        "The request is too long for Google Sheets (414): remove tabs or rows that are not needed.",
    ),
    "another": (
        read,
        error(418, "I'm a teapot."),
        "Google Sheets refuses the request (418 I'm a Teapot): I'm a teapot.",
    ),
}


@each("send,fault,sentence", FINAL.values(), ids=FINAL)
def test_errors_for_a_person_are_reported_at_once(bench, send, fault, sentence):
    bench.renew()
    bench.server.answers = [fault]

    with pytest.raises(WorkbookUnavailable) as caught:
        send(bench.api())
    assert str(caught.value) == sentence
    assert (len(bench.server.sent()), bench.clock.waits) == (3 if "token" in sentence else 1, [])


def test_insufficient_scopes_name_the_credentials(bench):
    bench.server.answers = [error(403, "Request had insufficient authentication scopes.")]

    with pytest.raises(WorkbookUnavailable, match=r"The credentials \(.*key\.json\) may not be used for Google Sheets"):
        read(bench.api())


def test_errors_of_the_request_s_content_are_raised_to_the_caller(bench):
    details = {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [{"field": "sheets.x"}]}
    says = "Unable to parse range: 'a <b> basic &amp; filter'!A1"
    bench.server.answers = [error(400, says, details)]

    for send in (read, write):
        with pytest.raises(BadRequest) as caught:
            send(bench.api())
        assert caught.value.message == str(caught.value) == says
        assert caught.value.details == (details,)
    assert len(bench.server.sent()) == 2


def test_temporary_failures_have_their_sentences(bench):
    told = {}
    for name in ("503", "502 page", "reset", "a page", "redirect"):
        bench.server.answers = [PASSING[name]]
        with pytest.raises(WorkbookUnavailable) as caught:
            read(bench.api(patience=0))
        told[name] = str(caught.value)

    assert told == {
        "503": "Google Sheets is in trouble (503 Service Unavailable): try again in a few minutes.",
        "502 page": "Google Sheets is in trouble (502 Bad Gateway): try again in a few minutes.",
        "reset": "Google Sheets broke off before its answer was complete: try again in a few minutes.",
        "a page": 'Google Sheets answered with a web page ("Sign in to Hotel Wi-Fi") instead of data: a proxy or the'
        " sign-in page of a Wi-Fi may be in between; open a web page in a browser to see.",
        "redirect": "Google Sheets answered with a redirect to login.hotel.example: a proxy or the sign-in page of a"
        " Wi-Fi may be in between; open a web page in a browser to see.",
    }


def test_an_oversized_answer_is_not_read(bench):
    titles = ["x" * (MOST_BYTES - around) for around in (100, 0)]
    bench.server.answers = [data({"properties": {"title": title}}) for title in titles]
    api = bench.api()
    assert read(api) == {"properties": {"title": titles[0]}}
    with pytest.raises(WorkbookUnavailable, match=r"has more than 32 megabytes of cells to read: delete rows"):
        read(api)
    assert len(bench.server.sent()) == 2


@pytest.mark.parametrize("send", [read, write])
def test_without_a_connection_nothing_was_sent_so_both_wait(bench, send):
    api = bench.api(url="http://127.0.0.1:9", patience=5)

    with pytest.raises(
        WorkbookUnavailable, match=r"no connection to Google Sheets \(connection refused\): check the net"
    ):
        send(api)
    assert bench.clock.waits == [1, 2]


def test_an_unknown_host_name_is_reported(bench):
    with pytest.raises(WorkbookUnavailable, match=r"no connection to Google Sheets \(its name is not found\)"):
        read(bench.api(url="https://no.such.name.invalid", patience=0))


def test_a_server_without_tls_is_reported(bench):
    with pytest.raises(WorkbookUnavailable, match="secure connection to Google Sheets broke off"):
        read(bench.api(url=bench.server.url.replace("http:", "https:"), patience=0))


@pytest.mark.parametrize("send", [read, write])
def test_an_untrusted_certificate_is_reported(bench, send):
    with serving(self_signed(bench.folder)) as stranger, pytest.raises(WorkbookUnavailable) as caught:
        send(bench.api(url=stranger.url))
    assert str(caught.value) == (
        "The certificate of Google Sheets is not trusted (self-signed certificate): set the clock; if a proxy or a"
        " virus scanner reads along, name its certificates in REQUESTS_CA_BUNDLE."
    )
    assert stranger.asked == []


def test_an_untrusted_token_service_is_reported(bench):
    with serving(self_signed(bench.folder)) as stranger, pytest.raises(WorkbookUnavailable) as caught:
        read(bench.api(token_uri=f"{stranger.url}/token"))
    assert str(caught.value).startswith("The certificate of Google's token service is not trusted (self-signed")


def test_missing_certificate_files_are_reported(bench, monkeypatch):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(bench.folder / "none.pem"))
    elsewhere = bench.server.url.replace("http://127.0.0.1", "https://127.1")

    with pytest.raises(WorkbookUnavailable, match=r"^Google Sheets cannot be asked: .* REQUESTS_CA_BUNDLE"):
        read(bench.api(url=elsewhere))
    with pytest.raises(WorkbookUnavailable, match=r"^Google's token service cannot be asked: .* REQUESTS_CA_BUNDLE"):
        read(bench.api(token_uri=f"{elsewhere}/token"))


def test_an_internal_error_is_not_mistaken_for_a_network_error(bench):
    with pytest.raises(requests.exceptions.InvalidJSONError):
        bench.api().batch_update({"requests": [float("nan")]})


def test_an_invalid_server_address_is_refused(bench):
    with pytest.raises(WorkbookUnavailable, match="check SHEETS_ALGO_API_URL"):
        read(bench.api(url="localhost:1066/x"))


def test_a_token_is_sent_encrypted_or_to_this_machine(bench):
    for url in (
        "http://sheets.example.org",
        "http://10.0.0.7:8600",
        "HTTP://127.0.0.1.example.org",
        "http://example.org\\@127.0.0.1",
    ):
        with pytest.raises(BadSetting) as caught:
            bench.api(url=url)
        assert str(caught.value) == (
            f"SHEETS_ALGO_API_URL: {url} would carry an access token in the open. Enter an https:// address, or one of"
            " this machine (http://127.0.0.1, http://[::1], http://localhost)."
        )
    assert bench.server.asked == []
    for local in ("127.0.0.1:8600", "127.3.2.1", "[::1]:8600", "LocalHost"):
        bench.api(url=f"http://{local}")
    bench.api(url="https://sheets.example.org")


def test_a_redirect_of_the_token_service_is_refused(bench):
    """Where that is, what the account signed might go in the open."""
    bench.server.tokens = [answer(307, "", Location=f"{bench.server.url}/elsewhere")]

    with pytest.raises(WorkbookUnavailable, match="no token"):
        read(bench.api(patience=0))
    assert {request.path for request in bench.server.asked} == {"/token"}


def test_an_unresponsive_proxy_is_reported(bench, monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://clerk:password@127.0.0.1:9")
    monkeypatch.setenv("https_proxy", "http://clerk:password@127.0.0.1:9")

    with pytest.raises(WorkbookUnavailable, match="proxy on the way to Google Sheets cannot be reached") as caught:
        read(bench.api(url="https://sheets.example.invalid", patience=0))
    assert "password" not in str(caught.value)


# Tokens


def test_one_token_serves_many_requests(bench):
    api = bench.api()
    for _ in range(3):
        read(api)

    assert [request.path for request in bench.server.asked].count("/token") == 1


def test_one_token_serves_several_workbooks_at_the_same_time(bench):
    found = access.find(key_file(bench.folder, bench.server.url))
    apis = [Api(ID, found, RequestBudget(), url=bench.server.url) for _ in range(5)]
    threads = [threading.Thread(target=read, args=[api]) for api in apis]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(bench.server.sent()) == 5
    assert [request.path for request in bench.server.asked].count("/token") == 1


def test_a_forgotten_token_is_renewed(bench):
    bench.server.tokens = [token("first"), token("second")]
    bench.server.answers = [error(401, "Request had invalid authentication credentials."), data({"replies": [{}]})]

    assert write(bench.api()) == {"replies": [{}]}
    assert [request.headers["authorization"] for request in bench.server.sent()] == ["Bearer first", "Bearer second"]


def test_a_token_is_renewed_some_minutes_before_its_end(bench):
    bench.server.tokens = [token("first", seconds=60), token("second")]
    api = bench.api()
    read(api)
    read(api)

    assert [request.headers["authorization"] for request in bench.server.sent()] == ["Bearer first", "Bearer second"]


GRANTS = {
    "clock": (
        "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and"
        " exp values in the JWT claim.",
        f"Google refuses a token for {EMAIL}, because the clock of this machine seems to be wrong: set it.",
    ),
    "key": (
        "Invalid JWT Signature.",
        r"Google does not know the key of {0} \(.*key\.json\) any more: make a new key\. docs/google\.md .*",
    ),
    "account": (
        "Invalid grant: account not found",
        r"The account {0} was deleted or disabled: enable it, or make another one\. docs/google\.md .*",
    ),
    "another": (
        "Because.",
        r"Google gives no token to {0}: invalid_grant: Because\. Check the credentials \(.*key\.json\)\.",
    ),
}


@pytest.mark.parametrize("send", [read, write])
@each("description,sentence", GRANTS.values(), ids=GRANTS)
def test_a_refused_token_gives_the_reason(bench, send, description, sentence):
    bench.renew()
    bench.server.tokens = [answer(400, json.dumps({"error": "invalid_grant", "error_description": description}))]

    with pytest.raises(WorkbookUnavailable) as caught:
        send(bench.api())
    assert re.fullmatch(sentence.replace("{0}", re.escape(EMAIL)), str(caught.value))
    assert (len(bench.server.asked), bench.server.sent()) == (1, [])


@each("send", [read, write])
def test_a_refusal_in_the_format_of_the_apis_is_quoted(bench, send):
    bench.server.tokens = [error(403, "Permission 'iam.serviceAccounts.getAccessToken' denied on resource.")]

    with pytest.raises(
        WorkbookUnavailable, match=r"no token to .*: Permission 'iam[\w.]+' denied on resource\. Check the"
    ):
        send(bench.api())


@pytest.mark.parametrize(
    ("year", "words"), [(2020, r"is \d{4} days fast"), (2199, r"is \d{5} days slow")], ids=["fast", "slow"]
)
def test_the_clock_error_is_reported(bench, year, words):
    refusal = json.dumps({"error": "invalid_grant", "error_description": GRANTS["clock"][0]})
    bench.server.tokens = [answer(400, refusal, Date=f"Wed, 01 Jan {year} 00:00:00 GMT")]
    api = bench.api()

    with pytest.raises(WorkbookUnavailable, match=f"the clock of this machine {words}: set it"):
        read(api)
    assert (api.access.clock_offset_s > 0) == (year == 2020)


def test_clocks_are_compared_by_every_answer(bench):
    api = bench.api()
    assert api.access.clock_offset_s is None
    read(api)
    assert abs(api.access.clock_offset_s) < 30
    bench.server.answers = [answer(200, "{}", Date="Sat, 14 Oct 1066 09:00:00 GMT")]
    read(api)
    assert api.access.clock_offset_s > 900 * 365 * 86_400


TOKEN_TROUBLE = {
    "503": error(503, "unavailable"),
    "429": error(429, "slow down"),
    "reset": reset,
    "half": half,
    "page": page(200, "Sign in"),
    "no token": data({"expires_in": 3599}),
    "a number": data(1066),
    "no time": data({"access_token": "x", "expires_in": "soon"}),
    "no end": data({"access_token": "x", "expires_in": 10**400}),
    "null": data({"access_token": None, "expires_in": 3599}),
    "other token": data({"access_token": 1066, "expires_in": 3599}),
    "list of tokens": data({"access_token": ["x"], "expires_in": 3599}),
    "two lines": data({"access_token": "x\ny", "expires_in": 3599}),
    "a letter": data({"access_token": "ä", "expires_in": 3599}),
    "blank": data({"access_token": "", "expires_in": 3599}),
    "list": data(["x"]),
    "deep": answer(200, "[" * 100_000),
}


@each(
    "send,fault",
    [(read, TOKEN_TROUBLE["503"]), *((write, fault) for fault in TOKEN_TROUBLE.values())],
    ids=["a read", *TOKEN_TROUBLE],
)
def test_a_temporary_failure_of_the_token_service_sends_no_write(bench, send, fault):
    bench.renew()
    bench.server.tokens = [fault, token()]

    send(bench.api())
    assert [request.path == "/token" for request in bench.server.asked] == [True, True, False]
    assert bench.clock.waits == [1]
    assert "token service" in bench.told[0]


# Secrets


@pytest.mark.parametrize("send", [read, write])
def test_no_secret_is_ever_shown(bench, send):
    """Whatever is quoted back at us, no token, assertion or key is part of a sentence or a repr."""
    secrets = [TOKEN, "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJjbGVyayJ9.c2lnbmF0dXJl", private_key().splitlines()[3]]
    secrets.append("short")
    echo = " and ".join([f"Bearer {TOKEN}", secrets[1], private_key(), "access_token=short"])
    api = bench.api(patience=0)
    told: list[str] = [repr(api), repr(api.access), str(vars(api))]
    for fault in (
        *(make(status, echo) for status in (200, 400, 401, 403, 404, 418, 429, 500) for make in (error, page)),
        *(answer(status, echo, "text/plain") for status in (200, 400, 403)),
    ):
        bench.server.answers = [fault]
        told += heard(lambda: send(api))
    for fault in (answer(400, json.dumps({"error": "invalid_grant", "error_description": echo})), page(403, echo)):
        bench.server.tokens = [fault]
        told += heard(lambda: send(bench.api(patience=0)))

    assert len(told) > 20
    assert [secret for secret in secrets for text in told if secret in text] == []


def heard(call: Any) -> list[str]:
    """What a call's failure says."""
    try:
        call()
    except (WorkbookError, BadRequest) as error:
        return [str(error), repr(error), str(vars(error))]
    return []


def test_foreign_tokens_are_hidden_too(bench):
    bench.server.tokens = [token("opaque")]
    bench.server.answers = [error(418, "What is opaque about it?")]

    with pytest.raises(WorkbookUnavailable, match=r"What is … about it\?"):
        read(bench.api())


def test_an_invalid_date_sets_no_clock(bench):
    bench.server.answers = [answer(200, "{}", Date="Mon, 01 Jan 2001 00:00:00 +99999999999999")]
    assert read(bench.api()) == {}


def test_answers_are_counted(bench):
    bench.server.answers = [data({"replies": [{}]})]
    api = bench.api()
    read(api)
    write(api)

    assert (api.counts.reads, api.counts.writes, api.counts.bytes) == (1, 1, 2 * len('{"replies": [{}]}'))
