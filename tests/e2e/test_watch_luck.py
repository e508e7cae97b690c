"""A watcher that works out how lucky a siege was: over real HTTP, in a process of its own."""

from __future__ import annotations

from scripts.support.moderator import DRAWING, SECRET, only, season
from sheets_algo.runtime.session import season_secret as secrets
from tests.e2e.online import URL

SLOWLY = {"SHEETS_ALGO_HOW_LUCKY": "true", "SHEETS_ALGO_FAST": "0", secrets.VARIABLE: SECRET}


def test_the_next_watcher_adds_the_luck_of_a_finished_ruling(online):
    """The first watcher hears no answer to the write with its ruling, so it goes no further."""
    id = online.make(only(season(), "W-0005"))
    hold = online.server.hold(match=":batchUpdate", when="after")
    with online.watches(URL.format(id), "--verbose", **SLOWLY) as first:
        while online.server.caught(hold, 60) is not None and "Done" not in online.column(id, "Status"):
            hold, former = online.server.hold(match=":batchUpdate", when="after"), hold
            online.server.release(former)
        assert "luck" not in online.column(id, "Event", "Log")
        assert "Luck" in online.column(id, "Kind", "Pending")
        assert first.stops() == 0
        assert "luck" not in online.column(id, "Event", "Log")
    online.server.release()

    with online.watches(URL.format(id), **SLOWLY, **DRAWING, SHEETS_ALGO_FOLDER="another") as second:
        second.until(lambda: "luck" in online.column(id, "Event", "Log"))
        assert second.stops() == 0

    assert online.column(id, "Kind", "Pending") == []
    folder = online.moderator.folder / "another" / id
    (log,), (picture,) = ([*(folder / name).iterdir()] for name in ("logs", "pictures"))
    assert log.stem.endswith("Z W-0005")
    assert " W-0005 " in picture.name
    rows_told = zip(*(online.column(id, header, "Log") for header in ("Event", "Text")), strict=True)
    told = [text for event, text in rows_told if event == "luck"]
    lines = log.read_text(encoding="utf-8").splitlines()
    assert [f"luck: {text}. [FC-06]" for text in told] == lines[-len(told) :]
    assert sum(line.startswith("luck: ") for line in lines) == len(told) > 1
