"""Spreadsheets that strangers share with the account of a watcher."""

from __future__ import annotations

import time
from pathlib import Path

from localsheets.store import ROBOT

from sheets_algo.workbook.google.welcome import BOX
from tests.e2e.online import Watching

SAMPLES = 20
"""Of the number of threads: some live as long as a request."""


def test_a_spreadsheet_that_is_shared_is_greeted_and_begun_when_its_owner_ticks(online):
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


def threads(watcher: Watching) -> int:
    """Return how many threads a watcher has after a moment."""
    time.sleep(0.05)
    return len([*Path(f"/proc/{watcher.process.pid}/task").iterdir()])
