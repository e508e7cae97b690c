"""What `doctor` finds: each thing that can be broken is broken, in a real file or over real HTTP."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from scripts.support.local_beacon import CHAIN, Clock, beacons
from scripts.support.moderator import BOOK, Moderator, Said, only, season
from sheets_algo.commands.doctor import doctor
from sheets_algo.commands.init import init
from sheets_algo.workbook.stores import find
from tests.e2e.online import URL, Online

ROBOT = "sheets-algo@local-sheets.iam.gserviceaccount.com"


def findings(lines: Iterable[str]) -> dict[str, tuple[str, str]]:
    """What it is about, to state and text; the worst of several."""
    rank = ["ok", "warn", "FAIL"]
    found: dict[str, tuple[str, str]] = {}
    for line in lines:
        state, about, text = line[:5].strip(), line[6:18].strip(), line[19:]
        assert state in rank, line
        if about not in found or rank.index(state) > rank.index(found[about][0]):
            found[about] = (state, text)
    return found


def states(said: Said) -> dict[str, str]:
    return {about: state for about, (state, _) in findings(said.out.splitlines()).items()}


def test_a_ruled_spreadsheet_has_no_findings(online):
    """By a seed with which both commanders live: a dead one whom a military still names is warned of."""
    rows = only(season(), "W-0004")
    next(row for row in rows["War Requests"] if row["Request"] == "W-0004")["Seed"] = 1
    id = online.make(rows)
    assert online.types("run", id).code == 0

    said = online.types("doctor", URL.format(id))

    assert said.code == 0, said.out
    assert states(said) == dict.fromkeys(
        [
            "program", "settings", "tables", "credentials", "access", "clock", "locale", "sharing", "guard",
            "guard slots", "protection", "limits", "tabs", "rows", "receipts", "folder", "commitment", "secret",
        ],
        "ok",
    )  # fmt: skip
    found = findings(said.out.splitlines())
    assert ROBOT in found["credentials"][1]
    assert '"Season" can be read' in found["access"][1]
    slots = online.server.show(id, fields="developerMetadata(metadataKey,metadataValue)")["developerMetadata"]
    used = sum(len(slot["metadataKey"]) + len(slot["metadataValue"]) for slot in slots)
    assert found["guard slots"][1].startswith(f"1 guard of receipts; {used} of 30,000 characters")
    assert [slot["metadataKey"] for slot in slots] == ["sheets-algo", *["sheets-algo-write"] * (len(slots) - 1)]


def test_the_report_has_a_format_for_programs(online):
    id = online.make(only(season(), "W-0004"))

    said = online.types("doctor", id, "--json")

    assert (said.code, said.data["exit_code"]) == (0, 0)
    assert {"state": "ok", "about": "sharing", "text": "the spreadsheet can be written to."} in said.data["findings"]


Breaks = Callable[[Online, str], object]
FileBreaks = Callable[[Moderator], object]


def told(path: str, **body: Any) -> Breaks:
    """Tell the server something, such as that a spreadsheet is private."""
    return lambda online, book: online.server.control(path.format(book), body)


def fault(kind: str, **where: Any) -> Breaks:
    return lambda online, book: online.server.fault(kind, **where)


def protected(**area: int) -> Breaks:
    """Protect an area of Nations, the whole tab by default, against the account."""

    def breaks(online: Online, id: str) -> None:
        range = {"sheetId": online.server.tabs(id)["Nations"], **area}
        protection = {"range": range, "editors": {"users": ["somebody@example.org"]}}
        online.server.user(id, [{"addProtectedRange": {"protectedRange": protection}}])

    return breaks


def deleted(tab: str) -> Breaks:
    return lambda online, book: online.server.user(book, [{"deleteSheet": {"sheetId": online.server.tabs(book)[tab]}}])


def typed(header: str, row: int, value: str) -> Breaks:
    """Type into a cell of War Requests."""
    return lambda online, book: online.set(book, "War Requests", row, header, value)


def full_of_metadata(online: Online, id: str) -> None:
    many = {"metadataKey": "other", "metadataValue": "x" * 27_000, "location": {"spreadsheet": True}}
    metadata = many | {"visibility": "DOCUMENT"}
    online.server.user(id, [{"createDeveloperMetadata": {"developerMetadata": metadata}}])


PART = protected(startColumnIndex=0, endColumnIndex=2)
ALWAYS = {"every": 1, "match": "/v4/"}
BROKEN: list[tuple[Breaks, int, str, str, str]] = [
    (told("private/{}"), 3, "access", "FAIL", f"is not shared with {ROBOT}"),
    (told("share/{}", email=ROBOT, role="reader"), 3, "sharing", "FAIL", f"make {ROBOT} an Editor"),
    (fault("403-disabled", **ALWAYS), 3, "access", "FAIL", "enable it at https://"),
    (fault("403-scopes", **ALWAYS), 3, "access", "FAIL", "may not be used for Google Sheets"),
    (fault("502", **ALWAYS), 3, "access", "FAIL", "Google Sheets is in trouble (502"),
    (told("key/revoke", email=ROBOT), 3, "access", "FAIL", "does not know the key of"),
    (told("clock", skew=7200), 3, "access", "FAIL", "the clock of this machine"),
    (fault("503", match=":batchUpdate", at=1), 0, "sharing", "warn", "no answer came to a trial write"),
    (protected(), 3, "protection", "FAIL", '"Nations": the tab is protected against the account. In Data'),
    (PART, 0, "protection", "warn", '"Nations": a part of it is protected'),
    (deleted("War Requests"), 3, "tabs", "FAIL", "it has no tab War Requests"),
    (deleted("Nations"), 3, "tabs", "FAIL", "Nations"),
    (typed("Attacker", 1, "Aggressor"), 3, "tabs", "FAIL", 'says "Aggressor". Did you mean "Attacker"?'),
    (typed("Year", 2, "soon"), 0, "rows", "warn", "in rows: check shows them."),
    (full_of_metadata, 0, "guard slots", "warn", "remove the data of an add-on"),
]


@pytest.mark.parametrize(("breaks", "code", "about", "state", "says"), BROKEN, ids=[case[4] for case in BROKEN])
def test_online_faults_are_reported_with_a_remedy(online, monkeypatch, breaks, code, about, state, says):
    id = online.make(only(season()))
    for name, value in online.environment.items():
        monkeypatch.setenv(name, value)
    breaks(online, id)

    report = doctor(workbook=find(id))

    assert report.code == code, report.lines
    assert findings(report.lines)[about][0] == state, report.lines
    assert says in findings(report.lines)[about][1]


def test_blocked_cells_are_counted(online):
    """The Stability of nations at war, protected against the account."""
    id = online.make(only(season(), "W-0004"))
    PART(online, id)

    said = online.types("doctor", id)

    assert findings(said.out.splitlines())["rows"] == ("warn", "2 errors and 1 warning in rows: check shows them.")
    assert "is protected and the program's account is not among its editors" in online.types("check", id).out


def test_without_a_network_the_unchecked_parts_are_named(moderator, tmp_path):
    from scripts.support.sheets_server import LocalSheets

    with LocalSheets() as server:
        online = Online(moderator, server)
        id, environment = online.make(only(season())), online.environment

    said = moderator.types("doctor", id, **environment)

    assert said.code == 3
    assert findings(said.out.splitlines())["access"] == (
        "FAIL",
        "There is no connection to Google's token service (connection refused): check the network.",
    )
    assert states(said)["clock"] == "warn"
    assert "sharing, locale, limits, guard, tabs and receipts" in said.out
    assert states(said)["tables"] == "ok"


def test_without_credentials_the_rest_is_checked(moderator):
    said = moderator.types("doctor", URL.format("1AbC"), "--credentials", "none.json")

    assert said.code == 3
    assert states(said) == {"program": "ok", "settings": "ok", "tables": "ok", "credentials": "FAIL"}
    assert "There is no credentials file none.json: check the path." in said.out


def test_a_new_file_has_no_findings(moderator):
    moderator.types("init", BOOK)

    said = moderator.types("doctor", BOOK)

    assert said.code == 0
    assert states(said) == dict.fromkeys(
        ["program", "settings", "tables", "file", "tabs", "rows", "receipts", "folder", "commitment", "secret"], "ok"
    )


def open_elsewhere(moderator: Moderator) -> None:
    (moderator.folder / f"~${BOOK}").write_bytes(b"\x05Anna " + b" " * 49)


def secret_of(moderator: Moderator) -> Path:
    (file,) = (moderator.folder / ".sheets-algo" / "secrets").iterdir()
    return file


def shut(name: str) -> FileBreaks:
    """Put a file into the place of a folder, since root may write to each."""

    def breaks(moderator: Moderator) -> None:
        shutil.rmtree(moderator.folder / name, ignore_errors=True)
        (moderator.folder / name).write_text("in the way")

    return breaks


def set_to(line: str) -> FileBreaks:
    return lambda moderator: (moderator.folder / "sheets-algo.toml").write_text(line)


def bad_table(moderator: Moderator) -> None:
    tables = moderator.folder / "own" / "tables" / "autoalgo"
    tables.mkdir(parents=True)
    (tables / "variables.json").write_text("{")
    set_to('config = "own"')(moderator)


def renamed_tab(moderator: Moderator) -> None:
    edited = openpyxl.load_workbook(moderator.book)
    edited["War Requests"].title = "Wars"
    edited.save(moderator.book)


SHORT, FOREIGN = ({"SHEETS_ALGO_SECRET": secret} for secret in ("too short", "the secret of another season"))
BROKEN_FILES: list[tuple[FileBreaks, dict[str, str], int, str, str, str]] = [
    (lambda own: own.book.unlink(), {}, 3, "workbook", "FAIL", f"{BOOK}: there is no such file"),
    (lambda own: own.book.write_bytes(b"PK\x03\x04 and then nothing"), {}, 3, "workbook", "FAIL", f"{BOOK}: "),
    (open_elsewhere, {}, 0, "file", "warn", "Anna"),
    (lambda own: secret_of(own).unlink(), {}, 3, "secret", "FAIL", "copy that file from where the season began"),
    (lambda own: secret_of(own).chmod(0o644), {}, 0, "secret", "warn", "chmod 600"),
    (lambda own: None, SHORT, 3, "secret", "FAIL", "has 9 bytes and could be guessed"),
    (lambda own: None, FOREIGN, 3, "secret", "FAIL", "is not this workbook's"),
    (renamed_tab, {}, 3, "tabs", "FAIL", "'War Requests': the tab is missing"),
    (shut(".sheets-algo"), {}, 3, "folder", "FAIL", ".sheets-algo cannot be written to"),
    (set_to("log_lines = 0"), {}, 3, "settings", "FAIL", "is not a number of lines"),
    (bad_table, {}, 3, "tables", "FAIL", "variables.json"),
]


@pytest.mark.parametrize(("breaks", "variables", "code", "about", "state", "says"), BROKEN_FILES)
def test_faults_of_a_file_are_reported(moderator, monkeypatch, breaks, variables, code, about, state, says):
    monkeypatch.delenv("SHEETS_ALGO_SECRET")
    init(workbook=find(str(moderator.book)), rulesets=(), empty=True, overrides=False, dry=False, luck=None, full=False)
    breaks(moderator)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    report = doctor(workbook=find(str(moderator.book)))

    assert report.code == code, report.lines
    assert findings(report.lines)[about][0] == state, report.lines
    assert says in findings(report.lines)[about][1]


@pytest.mark.skipif(os.name != "posix", reason="only there a file has a mode")
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o602])
def test_a_readable_key_is_warned_about_with_the_remedy(online, mode):
    id = online.make(only(season()))
    key = online.server.key_file(online.moderator.folder).rename(online.moderator.folder / "the key.json")
    key.chmod(mode)

    said = online.types("doctor", id, "--credentials", "the key.json")

    state, text = findings(said.out.splitlines())["key file"]
    assert (said.code, state) == (0, "warn")
    assert text == (
        f"the key.json can be read or changed by others (mode {mode:04o}), and anybody who has it can change the"
        " spreadsheets shared with the account: run chmod 600 'the key.json'"
    )
    subprocess.run(text.partition(": run ")[2], shell=True, cwd=online.moderator.folder, check=True)
    assert key.stat().st_mode & 0o777 == 0o600
    assert "key file" not in states(online.types("doctor", id, "--credentials", "the key.json"))


@pytest.mark.skipif(os.name != "posix", reason="only there a file has a mode")
def test_a_readable_secret_is_warned_about_with_the_remedy(moderator):
    moderator.types("init", BOOK)
    secret_of(moderator).chmod(0o644)

    state, text = findings(moderator.types("doctor", BOOK).out.splitlines())["secret"]

    assert state == "warn"
    subprocess.run(text.partition(": run ")[2], shell=True, cwd=moderator.folder, check=True)
    assert states(moderator.types("doctor", BOOK))["secret"] == "ok"


def test_doctor_leaves_no_trace(moderator):
    moderator.types("init", BOOK)
    before = moderator.files()

    moderator.types("doctor", BOOK)

    assert moderator.files() == before


def test_a_deleted_receipt_is_missed(online):
    """RCP-19: nothing is ruled until the row is back, or that is accepted."""
    id = online.make(only(season(), "W-0004"))
    assert online.types("init", id).code == online.types("run", id).code == 0
    receipts = online.server.tabs(id)["Receipts"]
    row = {"sheetId": receipts, "dimension": "ROWS", "startIndex": 2, "endIndex": 3}
    online.server.user(id, [{"deleteDimension": {"range": row}}])

    asked = findings(online.types("doctor", id).out.splitlines())
    ran = online.types("run", id)

    state, text = asked["receipts"]
    assert state == "FAIL"
    assert re.fullmatch(
        r"receipt 2 is gone; the guard in the spreadsheet says 2-[0-9a-f]{32}; nothing is ruled\. Bring it back from an"
        r" older version, or accept that with sheets-algo restore WORKBOOK --accept\.",
        text,
    )
    assert ran.code == 3


class RealClock(Clock):
    """This computer's, or so many seconds beside it."""

    def now(self) -> float:
        return time.time() + self.seconds


def test_luck_05_the_beacon_of_a_season_is_queried_and_its_clock_compared(moderator: Moderator) -> None:
    clock = RealClock(0)
    (moderator.folder / "chain.json").write_text(json.dumps(CHAIN.info()))
    settings = moderator.folder / "sheets-algo.toml"
    settings.write_text('beacon_chain = "chain.json"\nluck = "beacon"\n')
    assert moderator.types("init", "--ruleset", "jousts", BOOK).code == 0

    with beacons(clock, "", "500") as (host, failing):
        settings.write_text(f'beacons = ["{host.url}"]\n')
        fine = findings(moderator.types("doctor", BOOK).out.splitlines())["beacon"]
        settings.write_text(f'beacons = ["{failing.url}", "{host.url}"]\n')
        clock.seconds -= 3600
        late = findings(moderator.types("doctor", BOOK).out.splitlines())["beacon"]
    gone = moderator.types("doctor", BOOK)

    assert fine[0] == "ok"
    assert fine[1].startswith(
        f"the beacon {CHAIN.info()['hash'][:12]}... (not drand quicknet) answers; its latest round is "
    )
    assert late[0] == "warn"
    assert late[1].endswith(
        " seconds behind this computer's clock: set the clock right, or choose other beacons. These hosts fail, and"
        f" each look asks them first: {failing.url}: status 500."
    )
    assert gone.code == 3
    assert findings(gone.out.splitlines())["beacon"] == (
        "FAIL",
        f"the beacon gives no round that can be used ({failing.url}: no connection; {host.url}: no connection):"
        " requests wait until one does. Check the network and beacons.",
    )
