"""Spreadsheets that strangers share with the account of a watcher."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from localsheets.store import ROBOT

from scripts.support.moderator import only
from scripts.support.workbooks import SECRET, example, grids
from sheets_algo.runtime.session import season_secret
from sheets_algo.workbook.google.welcome import BOX
from tests.e2e.online import Watching

SAMPLES = 20
"""Of the number of threads: some live as long as a request."""


@pytest.mark.first(1)
def test_a_shared_spreadsheet_is_greeted_and_begun_when_its_owner_ticks(online):
    channel = '[[post]]\nname = "archive"\nto = "command"\ncommand = ["true"]\n'
    (online.moderator.folder / "sheets-algo.toml").write_text(f"adopt = true\n{channel}")
    id, read_only, deaf = (online.server.make(title) for title in ("Shared", "Read only", "Never ticked"))
    online.server.control(f"share/{read_only}", {"email": ROBOT, "role": "reader"})
    with online.watches() as watcher:
        watcher.hears(f"{id} is shared with the account, and has a greeting.")
        watcher.hears(f"{read_only} is shared with the account, but not as Editor: it is left alone.")
        watcher.hears(f"{deaf} is shared with the account, and has a greeting.")
        online.server.type(id, f"Guide!A{BOX}", [[True]])
        watcher.hears(f"{id} is watched from now on, since its owner asked for it.")
        watcher.hears("Shared: Watched every 2 seconds.")
        assert watcher.stops() == 0
    assert {"War Requests", "Receipts", "Guide"} <= set(online.server.tabs(id))
    assert len(online.server.tab(id, "Guide")) > BOX
    assert [list(online.server.tabs(other)) for other in (read_only, deaf)] == [["Sheet1"], ["Guide", "Sheet1"]]
    assert online.rulings(id) == []

    with online.watches() as watcher:
        watcher.hears("Shared: Watched every 2 seconds.")
        with_poster = min(threads(watcher) for _ in range(SAMPLES))
        online.server.control(f"share/{id}", {"email": ROBOT, "role": None})
        watcher.hears(f"{id} is not shared with the account any more: it is watched again when it is.")
        watcher.until(lambda: threads(watcher) <= with_poster - 2)  # neither its watcher nor its poster goes on
        online.server.control(f"share/{id}", {"email": ROBOT, "role": "writer"})
        watcher.hears(f"{id} is watched from now on, since its owner asked for it.")
        assert watcher.stops() == 0

    online.server.reset_counters()
    with online.watches() as watcher:
        watcher.hears("Shared: Watched every 2 seconds.")
        watcher.until(lambda: online.server.count("drive") >= 2)
        assert watcher.stops() == 0
    assert online.server.count("write") == 0


def test_db_04_the_game_gets_its_tabs_beside_the_owner_s_of_the_same_names(online):
    """Nobody can be asked there."""
    (online.moderator.folder / "sheets-algo.toml").write_text("adopt = true\n")
    theirs = {"Guide": [["Be nice."]], "Log": [["Day", "Note"], ["Monday", "tea"]], "Receipts": [["Shop"], ["Tea"]]}
    id = online.server.make("Shared", theirs)
    with online.watches() as watcher:
        watcher.hears(f"{id} is shared with the account, and has a greeting.")
        greeting = next(title for title in online.server.tabs(id) if title not in theirs)
        online.server.type(id, f"'{greeting}'!A{BOX}", [[True]])
        watcher.hears("Shared: Watched every 2 seconds.")
        assert watcher.stops() == 0

    assert {title: online.server.tab(id, title) for title in theirs} == theirs
    assert {"Guide (algo)", "Log (algo)", "Receipts (algo)", "War Requests"} <= set(online.server.tabs(id))
    assert online.column(id, "Kind", "Receipts (algo)") == ["Season"]


@pytest.mark.first(1)
def test_a_shared_copy_of_a_season_is_left_alone(online):
    """It has the receipts of the season, and with the season's secret it would show what later wars bring."""
    (online.moderator.folder / "sheets-algo.toml").write_text("adopt = true\n")
    copy = online.server.make("Copy of the season", grids(example("1066")))
    tabs = online.server.tabs(copy)
    with online.watches() as watcher:
        watcher.hears(f"{copy} has a season whose secret is not on this computer: it is left alone.")
        online.server.reset_counters()
        online.server.type(copy, "War Requests!B60", [["edited"]])
        watcher.until(lambda: online.server.count("drive") >= 3)
        assert watcher.stops() == 0
        told = watcher.out.read_text()
    assert told.count("left alone") == 1
    assert season_secret.VARIABLE not in told  # which the operator must not set now
    assert online.rulings(copy) == []
    assert online.server.tabs(copy) == tabs, "a greeting says that nothing is ruled before its owner ticks"


def test_a_season_begun_in_the_folder_is_watched_without_a_greeting(online):
    id = online.make(only(example("1066"), "W-0001"))
    assert online.types("run", id).code == 0
    tabs = online.server.tabs(id)
    (online.moderator.folder / "sheets-algo.toml").write_text("adopt = true\n")
    with online.watches() as watcher:
        watcher.hears(f"{id} is watched from now on, since its season was begun here.")
        watcher.hears("Season: Watched every 2 seconds.")
        assert watcher.stops() == 0
    assert online.server.tabs(id) == tabs


@pytest.mark.parametrize(("settings", "others"), [("adopt = true\n", 0), ("", 1)])
def test_a_secret_in_the_environment_is_refused_for_more_than_one_game(online, settings, others):
    (online.moderator.folder / "sheets-algo.toml").write_text(settings)
    ids = [online.make(example("1066")) for _ in range(1 + others)]
    said = online.types("watch", *ids, **{season_secret.VARIABLE: SECRET.key.decode()})
    assert (said.code, said.err) == (
        2,
        "sheets-algo: SHEETS_ALGO_SECRET: with adopt, or several workbooks, each game needs a secret of its own: unset"
        " it, and keep the secret of each season as a file in the folder of its workbook.\n",
    )


def threads(watcher: Watching) -> int:
    """Return how many threads a watcher has after a moment."""
    time.sleep(0.05)
    return len([*Path(f"/proc/{watcher.process.pid}/task").iterdir()])
