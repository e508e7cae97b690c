"""A watcher with forecasts to work on: over real HTTP, in a process of its own."""

from __future__ import annotations

from typing import Any

from scripts.support.moderator import only, season
from tests.e2e.online import URL

LINE = 60
"""Flanks a side: a battle of theirs takes Python half a second, and the forecast minutes."""


def asking(request: str) -> dict[str, list[dict[str, Any]]]:
    """The season, in which one war alone is ready, for its odds."""
    rows = only(season(), request)
    for row in rows["War Requests"]:
        if row["Request"] == request:
            row["Action"] = "Forecast"
    return rows


def test_odds_are_computed_between_polls_written_and_reported(online):
    id = online.make(asking("W-0003"))
    with online.watches(URL.format(id), "--log-json") as watcher:
        watcher.hears('"event": "forecast"')
        assert watcher.stops() == 0

    events = [event for event in watcher.objects if event["event"] != "compile"]  # where no machine code is kept yet
    assert [event["event"] for event in events] == ["watching", "forecast", "stopped"]
    told = events[1]
    assert (told["request"], told["battles"], "war" in told, "message" in told) == ("W-0003", 400, False, False)
    assert online.column(id, "Request", "Forecasts") == ["W-0003"]
    assert online.rulings(id) == []


def test_a_long_forecast_delays_no_ruling(online):
    """While it is under way the watcher looks, rules what becomes ready, and ends when it is told to."""
    rows = asking("W-0002")
    rows["Flanks"] = [
        {"Request": "W-0002", "Side": side, "X": 140 + 2 * place, "Y": y, "Maneuver": "Normal"}
        for side, y in (("Attacker", 190), ("Defender", 210))
        for place in range(LINE)
    ]
    id = online.make(rows)
    with online.watches(URL.format(id), SHEETS_ALGO_FAST="0") as watcher:
        watcher.until(lambda: online.column(id, "Message")[1].startswith("Its odds are being worked out"))
        online.server.reset_counters()
        watcher.until(lambda: online.server.count("read") >= 3)
        online.tick(id, "W-0004")
        watcher.hears("W-0004 (Manzikert, 1071): ")

        assert online.column(id, "Status") == ["", "Waiting", "", "Done", ""]
        assert "Forecasts" not in online.server.tabs(id)
        assert watcher.stops() == 0
    assert watcher.lines[-1].startswith("Stopped")  # whether between two looks or in one
