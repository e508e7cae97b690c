"""A moderator who swaps the season secret, with real programs and a spreadsheet over HTTP or a file."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from scripts.support.bad_input_cases import edit
from scripts.support.moderator import BOOK, SECRET, only, season, shown, write
from tests.e2e.online import Online

OTHER = {"SHEETS_ALGO_SECRET": "the secret of another season"}


def everything(online: Online, id: str) -> dict[str, Any]:
    """What stands in every tab."""
    return {title: online.server.tab(id, title) for title in online.server.tabs(id)}


@pytest.fixture
def begun(online: Online) -> str:
    """A spreadsheet in which one war is ruled, and another is ticked since."""
    id = online.make(only(season(), "W-0004"))
    assert online.types("run", id, SHEETS_ALGO_SECRET=SECRET).code == 0
    assert online.rulings(id) == ["W-0004"]
    online.tick(id, "W-0003")
    return id


def delete_row(online: Online, id: str, row: int) -> None:
    receipts = online.server.tabs(id)["Receipts"]
    area = {"sheetId": receipts, "dimension": "ROWS", "startIndex": row - 1, "endIndex": row}
    online.server.user(id, [{"deleteDimension": {"range": area}}])


def test_a_season_without_its_row_is_not_ruled_under_another_secret(online: Online, begun: str) -> None:
    """It was: exit 0, and a new row of the season below the old receipts."""
    delete_row(online, begun, 2)
    before = everything(online, begun)

    ran = online.types("run", begun, **OTHER)

    gone = "The row of Kind Season in Receipts, or the digest of the season secret in it, is gone"
    assert (ran.code, ran.out.startswith(f"Receipts: {gone}")) == (3, True)
    assert everything(online, begun) | {"War Requests": before["War Requests"]} == before
    assert any(gone in str(cell) for row in online.server.tab(begun, "War Requests") for cell in row)
    asked = {name: online.types(name, begun, **OTHER) for name in ("check", "verify", "doctor")}
    assert {name: said.code for name, said in asked.items()} == {"check": 1, "verify": 1, "doctor": 3}
    assert [gone in said.out for said in asked.values()] == [True] * 3


def test_a_digest_overwritten_before_the_first_ruling_is_detected(online: Online) -> None:
    """The digest stands in the guard of the first receipt too, where no cell can be edited."""
    id = online.make(only(season(), "W-0004"), begins=False)
    assert online.types("init", id, SHEETS_ALGO_SECRET=SECRET).code == 0
    heads = online.server.tab(id, "Receipts")[0]
    digest = chr(ord("A") + heads.index("Inputs Fingerprint"))
    online.server.type(id, f"Receipts!{digest}2", [[sha256(OTHER["SHEETS_ALGO_SECRET"].encode()).hexdigest()]])
    before = everything(online, id)

    ran = online.types("run", id, **OTHER)

    says = "receipt 1 was written under another season secret than the one whose digest is in the Season row"
    assert (ran.code, ran.err.startswith(f"sheets-algo: Nothing was written: {says}")) == (3, True)
    assert everything(online, id) == before
    asked = online.types("doctor", id, **OTHER)
    assert (asked.code, says in asked.out) == (3, True)


def test_a_season_row_deleted_before_the_first_ruling_is_missed(online: Online) -> None:
    """Its guard is taken, so no other row of the season comes in its place."""
    id = online.make(only(season(), "W-0004"), begins=False)
    assert online.types("init", id, SHEETS_ALGO_SECRET=SECRET).code == 0
    delete_row(online, id, 2)
    before = everything(online, id)

    ran = online.types("run", id, **OTHER)

    assert (ran.code, "receipt 1 is gone" in ran.out, "Bring it back" in ran.out) == (3, True, True)
    written = {"War Requests", "Pending"}  # rows that wait say why
    assert {tab: rows for tab, rows in everything(online, id).items() if tab not in written} == {
        tab: rows for tab, rows in before.items() if tab not in written
    }


def test_a_file_without_its_season_is_not_ruled_under_another_secret(moderator) -> None:
    write(moderator.book, only(season(), "W-0004"))
    assert moderator.types("run", BOOK, SHEETS_ALGO_SECRET=SECRET).code == 0
    for header in ("Seq", "Part", "Kind", "Receipt", "Inputs Fingerprint", "Time"):
        edit(moderator.book, "Receipts", header, 2, None)
    edit(moderator.book, "War Requests", "Ready", 3, True)
    receipts = shown(moderator.book, "Receipts")

    assert moderator.types("run", BOOK, **OTHER).code == 3
    assert shown(moderator.book, "Receipts") == receipts
    assert [row["Status"] for row in shown(moderator.book, "War Requests")][1] == "Waiting"
