"""`init` on a spreadsheet in which a game is being played already."""

from __future__ import annotations

import pytest

from scripts.support.patience import PATIENCE_S
from scripts.support.workbooks import example

IDS = 200


def rename(online, id, title, other):
    """Give a tab another title, as a person does."""
    properties = {"sheetId": online.server.tabs(id)[title], "title": other}
    online.server.user(id, [{"updateSheetProperties": {"properties": properties, "fields": "title"}}])


def test_a_running_game_gets_missing_tabs_but_no_examples(online):
    """Their wars and nations stand there; leaders, locations and militaries are missing."""
    rows = example("1066")
    id = online.make({"War Requests": rows["War Requests"][:1], "Nations": rows["Nations"][:2]})
    theirs = {name: online.server.tab(id, name) for name in ("War Requests", "Nations")}

    made = online.types("init", id, "--json").data

    assert {"Leaders", "Locations", "Militaries", "Receipts", "Guide"} <= set(made["tabs"])
    assert {name: online.server.tab(id, name) for name in theirs} == theirs
    assert [len(online.server.tab(id, name)) for name in ("Leaders", "Locations", "Militaries")] == [1, 1, 1]
    assert online.types("init", id).out == "Nothing to do: Season has every tab.\n"


def test_a_table_of_nations_is_a_game_and_gets_no_examples(online):
    rows = example("1066")
    id = online.make({"Nations": rows["Nations"][:2]}, begins=False)

    said = online.types("init", id)

    assert said.out.endswith("No examples were added, because the workbook already has a game: Nations.\n")
    assert [len(online.server.tab(id, name)) for name in ("Leaders", "Locations", "Militaries")] == [1, 1, 1]
    assert set(online.column(id, "War")) == {""}


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("War Requests", "⚔️ War Requests"),
        ("Nations", "Nationen"),
        ("Flanks", "--- Flanks ---"),
    ],
)
def test_db_04_a_renamed_tab_must_get_its_name_back(online, name, title):
    """A second one beside it was empty, and the first one read by nobody."""
    id = online.make({tab: rows for tab, rows in example("1066").items() if rows})
    rename(online, id, name, title)
    before = online.server.tabs(id)

    refused = online.types("init", id)

    assert refused.code == 1
    assert f'the tab "{title}" looks like {name}, which would be made beside it, empty. Rename it' in refused.err
    assert online.server.tabs(id) == before

    rename(online, id, title, name)
    assert online.types("init", id).code == 0
    assert online.types("check", id).out.endswith("No problems.\n")


def test_db_04_an_empty_tab_means_that_another_one_is_people_s_own(online):
    rows = example("1066")
    id = online.make({"War Requests": rows["War Requests"][:1], "Nations": rows["Nations"]})
    rename(online, id, "Nations", "Countries of season 1")
    assert online.types("init", id).code == 1
    online.server.user(id, [{"addSheet": {"properties": {"title": "Nations"}}}])

    assert "Nations" in online.types("init", id, "--json").data["tabs"]


def test_deleted_wars_do_not_return_as_examples(online):
    """A watcher would rule them at once, for they are ready."""
    id = online.make({}, begins=False)
    online.types("init", id)
    sheet = online.server.tabs(id)["War Requests"]
    online.server.user(id, [{"deleteSheet": {"sheetId": sheet}}])

    assert "No examples were added" in online.types("init", id).out

    assert online.column(id, "Request") == [f"W-{number:04}" for number in range(1, IDS + 1)]
    assert set(online.column(id, "Ready")) == {""}


def test_a_ruleset_added_later_has_its_blank_rows(online):
    rows = example("1066")
    id = online.make({"War Requests": rows["War Requests"][:1]}, begins=False)
    online.types("init", id)

    made = online.types("init", id, "--ruleset", "jousts", "--json").data

    assert "Joust Requests" in made["tabs"]
    assert len(online.server.tab(id, "Joust Requests")) == IDS + 1
    assert online.types("init", id).out == "Nothing to do: Season has every tab.\n"


def test_req_11_a_column_deleted_later_is_reported_until_accepted(online):
    id = online.make({}, begins=False)
    online.types("init", id, "--empty")
    place = online.server.tab(id, "War Requests")[0].index("Motive")
    columns = {"sheetId": online.server.tabs(id)["War Requests"], "dimension": "COLUMNS"}
    columns |= {"startIndex": place, "endIndex": place + 1}
    online.server.user(id, [{"deleteDimension": {"range": columns}}])

    said = online.types("run", id)
    accepted = online.types("run", id, "--accept-columns")

    assert 'the column "Motive" is gone, so every row counts as "Conquest"' in said.out
    assert "REQ-11" not in accepted.out + online.types("run", id).out
    assert online.column(id, "Kind", "Receipts") == ["Season", "Columns"]


def test_the_second_of_two_simultaneous_inits_learns_the_season_s_secret(online):
    """Both were told that their secret is the season's; the game could go on with one only."""
    id = online.server.make("Season 1066")
    folders = {name: online.moderator.folder / name for name in ("state", "other")}

    def secrets(name: str) -> list[str]:
        return sorted(file.name for file in folders[name].rglob("*.secret"))

    hold = online.server.hold(at=1, match=f"{id}:batchUpdate", when="before")
    late = online.moderator.begins("init", id, **online.environment)
    assert online.server.caught(hold)
    assert len(secrets("state")) == 1
    first = online.types("init", id, SHEETS_ALGO_FOLDER="other")
    online.server.release(hold)
    _, err = late.communicate(timeout=PATIENCE_S)

    assert (first.code, late.returncode) == (0, 1)
    assert "somebody else began the season at the same time" in err
    assert (secrets("state"), len(secrets("other"))) == ([], 1)
    assert online.types("doctor", id, SHEETS_ALGO_FOLDER="other").code == 0
