"""What Google answered, this server answers: every recorded request again, over HTTP, key by key."""

from __future__ import annotations

import json
from pathlib import Path

import requests
from localsheets.replay import recordings, replay

from scripts.support.sheets_server import LocalSheets

HERE = Path(__file__).parent
KNOWN: dict[str, str] = json.loads((HERE / "differences.json").read_text(encoding="utf-8"))


def test_every_answer_equals_google_s_or_is_a_listed_difference() -> None:
    with LocalSheets() as server, requests.Session() as session:
        pairs = [pair for path in recordings(HERE / "cassettes") for pair in replay(path, server.url, session)]

    differing = {pair.key: pair.differences for pair in pairs if pair.differences}
    assert {key: lines for key, lines in differing.items() if key not in KNOWN} == {}
    assert KNOWN.keys() - differing.keys() == set(), "listed as different, but equal by now"
    assert len(pairs) == 883
    assert len(KNOWN) <= len(pairs) * 0.02
    assert all(reason.strip() for reason in KNOWN.values())
