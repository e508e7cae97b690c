"""Every command on a Google spreadsheet, as on a file."""

from __future__ import annotations

import json

import pytest

from scripts.support.moderator import DRAWING, only, season
from scripts.support.patience import PATIENCE_S
from tests.e2e.online import URL, nobody_there

NOBODY = "1" + "x" * 43


def test_a_season_from_an_empty_spreadsheet_to_an_undone_ruling(online):
    id = online.server.make("Season 1066")
    url = URL.format(id)

    would = online.types("init", url, "--dry-run")
    assert (would.code, "would be completed: Guide, War Requests" in would.out) == (0, True)
    assert list(online.server.tabs(id)) == ["Sheet1"]

    made = online.types("init", url, "--json").data
    assert made["written"] is True
    assert "War Requests" in made["tabs"]
    secret = online.moderator.folder / made["secret_file"]
    assert secret.parent.parent.parent == online.moderator.folder / "state" / id
    assert online.types("init", url).out == "Nothing to do: Season 1066 has every tab.\n"

    assert online.types("check", url).out.endswith("No problems.\n")
    ruled = online.types("run", url, "--json", **DRAWING).data
    assert [request["status"] for request in ruled["requests"]] == ["Done"] * 5
    assert online.rulings(id) == ["W-0001", "W-0002", "W-0003", "W-0004", "W-0005"]
    assert len(ruled["logs"]) == len(ruled["pictures"]) == 5
    assert online.types("run", url).out == "Nothing to do: Season 1066 is as it was.\n"

    assert online.types("verify", url).out.splitlines()[-1] == "5 of 5 receipts equal."
    assert "Attacker: Efficiency, infantry" in online.types("explain", url, "W-0005").out
    assert online.types("replay", url, "W-0005").out.splitlines()
    undone = online.types("undo", url, "W-0005")
    assert undone.out.splitlines()[-1] == "W-0005 (Siege of Jerusalem, 1073) is undone by receipt 7."
    online.types("run", url)
    assert online.column(id, "Status")[:5] == ["Done", "Done", "Done", "Done", "Undone"]


def test_a_bare_id_is_the_spreadsheet_beside_the_folder_of_its_files(online):
    """As docs/google.md sets it up: the folder of the settings is the current one."""
    moderator = online.newcomer.moderator
    id = online.server.make("My game")
    settings = f'credentials = "{online.server.key_file(moderator.folder)}"\nfolder = "."\nworkbooks = ["{id}"]\n'
    (moderator.folder / "sheets-algo.toml").write_text(settings, "utf-8")
    api = {"SHEETS_ALGO_API_URL": online.server.url}

    said = [moderator.types(*words, **api) for words in (("init", id), ("doctor", id), ("check", id), ("run", id))]

    assert [(each.code, each.err) for each in said] == [(0, "")] * 4
    assert said[3].out.splitlines()[-1] == "5 requests ruled; My game is written."
    assert {path.name for path in (moderator.folder / id).iterdir()} >= {".sheets-algo", "logs"}
    assert moderator.types("verify", id, **api).code == 0


def test_an_undo_is_repaired_after_a_row_is_inserted_under_it(online):
    id = online.make(only(season(), "W-0005"))
    before = dict(zip(online.column(id, "Name", "Nations"), online.column(id, "Stability", "Nations"), strict=True))
    online.types("run", id)
    ruled = online.column(id, "Stability", "Nations")
    assert ruled != list(before.values())
    nations = {"sheetId": online.server.tabs(id)["Nations"], "dimension": "ROWS", "startIndex": 1, "endIndex": 2}
    online.server.user(id, [{"insertDimension": {"range": nations}}], match="write", before_request=1)

    undone = online.types("undo", id, "W-0005", "--verbose")

    assert undone.code == 0
    assert "Rows were moved while the program wrote: 3 cells were put right." in undone.err
    names, stabilities = (online.column(id, header, "Nations")[1:] for header in ("Name", "Stability"))
    assert dict(zip(names, stabilities, strict=True)) == before


def test_a_dry_run_writes_nothing_anywhere(online):
    id = online.make(only(season(), "W-0004"))
    before = sorted((online.moderator.folder / "state").rglob("*"))

    said = online.types("run", id, "--dry-run")

    assert said.out.splitlines()[-1] == "1 request would be ruled. Nothing is written (dry run)."
    assert online.server.count("write") == 0
    assert sorted((online.moderator.folder / "state").rglob("*")) == before


def test_init_explains_that_people_must_create_a_spreadsheet(online):
    said = online.types("init", NOBODY)

    assert said.code == 3
    assert f'There is no spreadsheet "{NOBODY}"' in said.err
    assert "A service account cannot make a spreadsheet: make an empty one yourself" in said.err
    assert "share it with sheets-algo@local-sheets.iam.gserviceaccount.com as Editor" in said.err


def test_a_lost_secret_stops_a_begun_season_and_leaves_the_rows_alone(online):
    id = online.make(only(season(), "W-0004"))
    online.types("run", id)
    for file in (online.moderator.folder / "state" / id / ".sheets-algo" / "secrets").iterdir():
        file.unlink()
    online.tick(id, "W-0005")

    said = online.types("run", id)

    assert said.code == 3
    assert "copy that file from where the season began" in said.err
    assert online.column(id, "Status")[4] == ""


def test_libreoffice_is_not_used_for_a_spreadsheet(online):
    for command in ("run", "doctor"):
        said = online.types(command, NOBODY, "--recalc")
        assert said.code == 2
        assert "Google calculates its formulas itself" in said.err


def test_an_offline_run_names_the_obstacle_and_can_be_stopped(online, tmp_path):
    with nobody_there() as gone:
        key = tmp_path / "offline.json"
        key.touch(mode=0o600)
        key.write_text(json.dumps(online.server.key(token_uri=f"{gone}/token")))
        run = online.moderator.begins("run", NOBODY, SHEETS_ALGO_API_URL=gone, SHEETS_ALGO_CREDENTIALS=str(key))
        assert run.stderr is not None
        assert run.stderr.readline().startswith("There is no connection to Google's token service")
        run.terminate()
        run.communicate(timeout=PATIENCE_S)


def test_errors_are_json_objects_too(online):
    said = online.types("check", NOBODY, "--json")

    assert json.loads(said.out) == {"error": said.err.strip().removeprefix("sheets-algo: "), "exit_code": 3}


EVIL = "\x1b[31mSea\x1b]0;son\x07\u202e\x9b2J\nW-0009    Done"
"""A title that colours the terminal, names its window, turns the direction of writing and adds a line of its own."""


@pytest.mark.parametrize("command", ["init", "check", "run", "doctor", "watch"])
def test_titles_and_names_cannot_control_the_terminal(online, command):
    rows = only(season(), "W-0004")
    next(row for row in rows["War Requests"] if row["Request"] == "W-0004")["War"] = EVIL
    rows["War Requests"][0] |= {"Request": EVIL, "Ready": True, "Attacker": EVIL}
    id = online.make(rows, EVIL)
    tab = {"range": {"sheetId": online.server.tabs(id)["Flanks"]}, "editors": {"users": ["somebody@example.org"]}}
    title = {"sheetId": online.server.tabs(id)["Flanks"], "title": f"Flanks{EVIL}"}
    if command == "doctor":
        online.server.user(
            id,
            [
                {"addProtectedRange": {"protectedRange": tab}},
                {"updateSheetProperties": {"properties": title, "fields": "title"}},
            ],
        )

    if command == "watch":
        with online.watches(id, "--verbose") as watcher:
            watcher.hears("Receipt 2.")
            watcher.stops()
        shown = [watcher.out.read_text()]
    else:
        said = [online.types(command, id), online.types(command, id, "--json")]
        shown = [text for answer in said for text in (answer.out, answer.err)]

    assert "son" in "".join(shown)
    assert [line for text in shown for line in text.split("\n") if not line.isprintable()] == []
    assert [line for text in shown for line in text.split("\n") if line.startswith("W-0009")] == []


def test_file_names_cannot_control_the_terminal(moderator):
    book = "\x1b[31mSea\u202e\x9b2J\nson.xlsx"

    said = [moderator.types(*words) for words in (("check", book), ("init", book), ("run", book), ("doctor", book))]

    assert [answer.code for answer in said] == [3, 0, 0, 0]
    shown = [line for answer in said for line in (answer.out + answer.err).split("\n")]
    assert [line for line in shown if not line.isprintable() or line.startswith("son.xlsx")] == []
