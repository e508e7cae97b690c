"""Which tab is the program's, and which one is people's own of the same name (DB-04)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.autoalgo.records import Leader, Location, Unit
from engine.columns import columns
from sheets_algo.forms.autoalgo.columns import NationRow, WarRequest
from sheets_algo.ruling.receipts.receipt_rows import LogRow, ReceiptRow
from sheets_algo.ruling.repair.intents import PendingRow
from sheets_algo.runtime.session.foreign_tabs import LEAST, LEAST_BEFORE_INIT, foreign_lines, without_foreign
from sheets_algo.steps.turns.turns_tab import TurnRow
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.template_spec import BATTLE_MAP
from tests.helpers.tabs import key, keys

RECORDS = (NationRow, Unit, Leader, Location, WarRequest, TurnRow, LogRow, ReceiptRow, PendingRow)
NAMES = ("Nations", "Units", "Leaders", "Locations", "War Requests", "Turns", "Log", "Receipts", "Pending")


def heads(record: type, *without: str) -> list[str]:
    return [column.header for _, column in columns(record) if column.header not in without]


def judged(tabs: dict[str, Sequence[Sequence[object]]], least: int = LEAST, had: Sequence[str] = ()) -> Snapshot:
    snapshot = MemoryWorkbook(tabs).read([*keys(*NAMES), BATTLE_MAP])  # type: ignore[arg-type]
    return without_foreign(snapshot, RECORDS, had, least)


THEIRS = {
    "a price list": ("Units", [["Unit", "Cost", "Attack"], ["Knight", 40, 8]]),
    "names with prices": ("Units", [["Name", "Cost", "Upkeep"], ["Knight", 40, 8]]),
    "players of nations": ("Nations", [["Nation", "Player", "Capital", "Gold"], ["Aland", "Anna", "A-town", 50]]),
    "a card of each nation": ("Nations", [["Name", "Capital", "Population", "Religion", "Ruler"], ["A", "B", 9]]),
    "houses of leaders": ("Leaders", [["Leader", "House", "Born"], ["Anna", "Aland", 1020]]),
    "owners of tiles": ("Locations", [["Name", "Owner", "Tile", "Resource"], ["T1", "Aland", 7, "iron"]]),
    "a diary": ("Log", [["Date", "Moderator", "Note"], ["2026-01-01", "Anna", "joined"]]),
    "a diary of times and texts": ("Log", [["Hour", "Text", "Author", "Mood"], [1, "joined", "Anna", "glad"]]),
    "a shop": ("Receipts", [["Shop", "Amount"], ["Tea", 3]]),
    "trade by season": ("Receipts", [["Date", "Kind", "Amount"], ["May", "Season", 3], ["June", "Orders", 4]]),
    "things to do": ("Pending", [["Task", "Time", "Who"], ["Write", "noon", "Anna"]]),
    "prose": ("War Requests", [["Who wants a war writes to Anna."]]),
    "a calendar": ("Turns", [["Week", "Weather"], [1, "rain"]]),
    "hexes": ("Battle Map", [["hex", "owner"], ["0101", "Aland"]]),
}


@pytest.mark.parametrize("least", [LEAST, LEAST_BEFORE_INIT])
@pytest.mark.parametrize(("name", "rows"), THEIRS.values(), ids=THEIRS)
def test_a_tab_with_other_columns_is_peoples_own(name: str, rows: list[list[object]], least: int) -> None:
    snapshot = judged({name: rows}, least)

    assert snapshot.foreign == {key(name): name}
    assert snapshot.sheet(key(name)) is None
    assert name not in snapshot.others, "it is no misspelt tab of the program"
    assert snapshot.key(key(name)).name == f"{name} (algo)"


PROGRAMS = {
    "as init makes it": ("Nations", [heads(NationRow), ["Aland", 100, 50_000]]),
    "banners above": ("Units", [["Our season"], [], ["as of May"], heads(Unit), ["Knight", 9]]),
    "other order and spelling": ("Leaders", [[head.upper() for head in reversed(heads(Leader))], ["x"]]),
    "three columns of their own": ("Locations", [[*heads(Location), "Owner", "Tile", "Notes"], ["Ford"]]),
    "blank": ("Log", []),
    "headers only": ("Pending", [heads(PendingRow)]),
    "a picture": ("Battle Map", [["The map of Hastings, before and after, is here"]]),
}


@pytest.mark.parametrize("least", [LEAST, LEAST_BEFORE_INIT])
@pytest.mark.parametrize(("name", "rows"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_tab_with_the_programs_columns_is_the_programs(name: str, rows: list[list[object]], least: int) -> None:
    snapshot = judged({name: rows}, least)

    assert not snapshot.foreign
    assert snapshot.title(key(name)) == name
    assert key(name) in snapshot.sheets


BETWEEN = {
    "a required header is misspelt": ("Nations", [[*heads(NationRow, "Population"), "Populaton"], ["Aland"]]),
    "an older version": ("Log", [heads(LogRow, "Rule", "Amount"), [1, "W-0001"]]),
    "as many columns of their own": ("Leaders", [[*heads(Leader), *(f"own {n}" for n in range(12))], ["Anna"]]),
    "only what it needs": ("Nations", [["Name", "Population", "Year Founded", "Year Crisis"], ["Aland", 9, 1, 2]]),
    "units of another game": ("Units", [["Name", "Speed", "Power", "Defense", "Cost"], ["Knight", 2, 40, 8, 99]]),
}


@pytest.mark.parametrize(("name", "rows"), BETWEEN.values(), ids=BETWEEN)
def test_a_tab_that_init_has_not_made_needs_all_three_signs(name: str, rows: list[list[object]]) -> None:
    """While a season runs, a slip in a tab of it is named with its cell; before, the tab may be anybody's."""
    assert not judged({name: rows}).foreign
    assert judged({name: rows}, LEAST_BEFORE_INIT).foreign


def test_a_tab_of_the_season_needs_one_sign() -> None:
    trimmed = {"Locations": [["Name", "Owner", "Tile", "Resource"], ["Ford", "Aland", 7, "iron"]]}

    assert judged(trimmed).foreign
    assert not judged(trimmed, had=["Locations"]).foreign


def test_receipts_without_headers_are_never_people_s_own() -> None:
    """A season without its receipts would begin anew."""
    assert not judged({"Receipts": [[1, 1, "Season", "", "autoalgo", "5e" * 32]]}, LEAST_BEFORE_INIT).foreign


def test_a_tab_with_the_ending_excludes_the_plain_one() -> None:
    theirs, own = [heads(NationRow), ["Theirs", 1]], [heads(NationRow), ["Ours", 2]]
    snapshot = judged({"Nations": theirs, "NATIONS (Algo)": own, "Log": [["a"], ["b"]]})

    assert snapshot.sheets[key("Nations")].rows[2] == ("Ours", 2)
    assert snapshot.foreign == {key("Nations"): "Nations", key("Log"): "Log"}
    assert list(foreign_lines(snapshot, ())) == [
        'Nations: a tab of your own, of which nothing is read; the program\'s is "NATIONS (Algo)".',
        'Log: a tab of your own, of which nothing is read; the program makes "Log (algo)" when it needs one.',
    ]
