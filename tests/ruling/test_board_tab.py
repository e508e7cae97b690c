"""The tab Boards (RCP-50): its rows, and when it is written."""

from __future__ import annotations

import json
from dataclasses import replace

from scripts.support.moderator import only, season, write
from sheets_algo.boards import board_tab
from sheets_algo.commands.opening import new_session
from sheets_algo.runtime.session.session import opened
from sheets_algo.workbook.snapshot import Sheet, Snapshot
from sheets_algo.workbook.stores import find
from tests.helpers.tabs import key


def test_long_data_continue_in_the_next_part_and_duplicates_are_left_out(tmp_path, monkeypatch):
    book = write(tmp_path / "season.xlsx", only(season(), "W-0001", "W-0002"))
    seen = opened(new_session(workbook=find(str(book))))
    monkeypatch.setattr(board_tab, "CELL_MOST", 5_000)

    def kept(before):
        return board_tab.kept_boards(seen.snapshot, seen.forms, seen.receipts, before)

    note = kept(Snapshot({})).note
    assert note.open[0] == ("Request", "War", "Part", "Data")
    wars: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for request, war, part, data in note.open[1:]:
        wars.setdefault((request, war), []).append((part, data))
    assert list(wars)[:2] == [("W-0001", "Stamford Bridge"), ("W-0002", "Hastings")]  # RCP-51
    for (request, _), parts in wars.items():
        assert [part for part, _ in parts] == list(range(1, len(parts) + 1))  # RCP-52
        assert {len(data) for _, data in parts[:-1]} == {5_000}
        found = json.loads("".join(data for _, data in parts))  # RCP-53
        assert found["request"]["id"] == request
        assert all(side["flanks"] == side["default"] for side in found["sides"]), "no row of flanks is in it"

    shown = Sheet("Boards", dict(enumerate(note.open, start=1)))
    assert not kept(Snapshot({key("boards"): shown}))
    changed = replace(shown, rows=shown.rows | {2: ("W-0001", "Stamford Bridge", 1, "{}")})
    assert kept(Snapshot({key("boards"): changed})).note == note

    first = sum(len(row[3]) for row in note.open if row[0] == "W-0001")
    monkeypatch.setattr(board_tab, "TAB_MOST", first + 100)
    assert {row[0] for row in kept(Snapshot({})).note.open[1:]} == {"W-0001"}, "what is too much is left out whole"
