"""The command `watch` in a season with beacon luck, at Google, with a beacon and a clock that nobody sets."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from localbeacon.chain import SigningChain
from localbeacon.server import LocalBeacon

from scripts.support.moderator import only, season
from sheets_algo.ruling.luck.beacon import unix_seconds
from tests.e2e.online import URL, Online

CHAIN = SigningChain(period=10)


def round_of(online: Online, id: str, receipt: int) -> int:
    return int(json.loads(online.column(id, "Seed Source", "Receipts")[receipt])["round"])


@pytest.mark.slow
@pytest.mark.first(2)
def test_luck_04_killed_watchers_keep_their_promise_after_the_beacon_returns(online: Online, tmp_path: Path) -> None:
    """A watcher is killed after its promise; the next one, elsewhere, finds the beacon silent, and then rules."""
    (online.moderator.folder / "chain.json").write_text(json.dumps(CHAIN.info()))
    id = online.make(only(season(), "W-0004"), begins=False)
    secret = {"SHEETS_ALGO_SECRET": "a season secret that only tests know"}
    begun = online.types("init", id, "--luck", "beacon", SHEETS_ALGO_BEACON_CHAIN="chain.json", **secret)
    assert begun.code == 0, begun.err

    with LocalBeacon(CHAIN, time.time) as beacon:
        asked = {"SHEETS_ALGO_BEACONS": beacon.url, **secret}
        with online.watches("--interval", "10", URL.format(id), **asked) as watcher:
            watcher.until(lambda: len(online.column(id, "Kind", "Receipts")) == 2)
        promised = round_of(online, id, 1)
        due = CHAIN.genesis_time + (promised - 1) * CHAIN.period
        assert due >= unix_seconds(online.column(id, "Time", "Receipts")[1]) + 30

        beacon.fault = "500"
        elsewhere = {"SHEETS_ALGO_FOLDER": str(tmp_path / "elsewhere")}
        with online.watches("--interval", "10", URL.format(id), **asked, **elsewhere) as watcher:
            time.sleep(max(0.0, due - time.time()))
            watcher.until(lambda: "no host gives that round" in online.column(id, "Message")[3])
            assert online.rulings(id) == []
            beacon.fault = ""
            watcher.until(lambda: online.column(id, "Status")[3] == "Done")
            assert watcher.stops() == 0

    assert online.column(id, "Kind", "Receipts") == ["Season", "Promise", "Ruling"]
    assert round_of(online, id, 2) == promised
    verified = online.types("verify", id, **secret).out.splitlines()
    assert verified[-1].startswith("Promises: 1 kept, 0 withdrawn before their round, 0 after")
    assert "1 of 1 receipt equal." in verified
