"""Wars of several battles: the column `Part of`, how such a war stands, and its end (REQ-19, REQ-20)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from scripts.support.workbooks import Rows, example, forms, read, run, undo, workbook
from sheets_algo.replays.long_wars import LongWar, PartBattle, long_wars, parts_of_wars
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.ruling.test_lapsed_orders import receipts

WARS, SIDES = "War Requests", ("Attacker", "Defender")
YEAR_OF_KINGS = "[[Year]] of =kings"
"""A name with markup that a spreadsheet would not calculate."""


def season(**parts: str) -> Rows:
    """Return the wars of 1066, each part of the war that is given by its place: `W1="Year of kings"`."""
    rows = example("1066")
    for place, name in parts.items():
        rows[WARS][int(place[1:]) - 1]["Part of"] = name
    return rows


def wars(book: MemoryWorkbook) -> list[LongWar]:
    return long_wars(read(book), forms(), receipts(book))


def parts(book: MemoryWorkbook) -> Mapping[str, str]:
    return parts_of_wars(read(book), forms(), receipts(book))


def type_in(book: MemoryWorkbook, header: str, row: int, value: Any) -> None:
    book.type_in(WARS, row + 1, book.rows(WARS)[0].index(header) + 1, value)


def test_req_19_battles_of_one_war_are_counted_by_pair_without_undone_ones() -> None:
    """England fights Norway and Normandy; capitals and spaces of the name do not count."""
    book = workbook(season(W1=YEAR_OF_KINGS, W2="  [[year]]  of =KINGS ", W3=YEAR_OF_KINGS, W4="Another war"))
    run(book)
    found, other = wars(book)
    by_request = {battle.ruling.request: battle for battle in found.battles}
    by_pair: dict[str, list[str]] = {}
    for battle in by_request.values():
        by_pair.setdefault(next(name for name in battle.sides if name != "England"), []).append(battle.winner)
    texts = [battle.ruling.figures.values[f"{side} Losses"] for battle in found.battles for side in SIDES]
    lost = sum(int(str(text).partition(" ")[0].replace(",", "")) for text in texts)

    assert [*by_request] == ["W-0001", "W-0002", "W-0003"]
    assert (found.name, found.sides, found.won) == (YEAR_OF_KINGS, None, (0, 0))
    for enemy, winners in by_pair.items():
        won, lost_to = winners.count("England"), winners.count(enemy)
        assert {f"England {won} : {lost_to} {enemy}", f"{enemy} {lost_to} : {won} England"} & {*found.score.split("; ")}
    assert found.standing == f"{found.score}, {lost:,} men lost; sides not known: add the war to Wars"
    assert [battle.ruling.request for battle in other.battles] == ["W-0004"]

    snapshot = read(book)
    _, changes = undo(snapshot, forms(), "W-0003", "2026-03-02T12:00:00Z")
    book.commit(snapshot, changes)
    assert [battle.ruling.request for battle in wars(book)[0].battles] == ["W-0001", "W-0002"]


def test_req_19_the_column_affects_no_ruling_and_may_be_typed_later() -> None:
    plain, named = workbook(season()), workbook(season(W1=YEAR_OF_KINGS))
    run(plain)
    run(named)
    type_in(plain, "Part of", 1, YEAR_OF_KINGS)
    type_in(plain, "Ends War", 1, True)
    assert not run(plain).writes.changes

    before, after = (read_receipts(read(book)).ruling_of("W-0001") for book in (plain, named))
    assert before is not None
    assert after is not None
    assert (before.inputs, before.wiki, before.seed) == (after.inputs, after.wiki, after.seed)
    form = next(form for form in forms() if form.key == "autoalgo")
    assert verify(after, form, after.rules_fingerprint, None).is_equal
    assert [war.name for war in wars(plain)] == [YEAR_OF_KINGS]


def test_req_19_a_row_without_its_ruling_does_not_count() -> None:
    """It was typed over with another war; its posts still belong together, and its ruling is part of what it was."""
    book = workbook(season(W1=YEAR_OF_KINGS, W2=YEAR_OF_KINGS))
    run(book)
    before = wars(book)
    type_in(book, "Year", 2, 1067)
    type_in(book, "Part of", 2, "Another war")

    assert wars(book) == before
    assert parts(book)["w-0002"] == f"autoalgo\n{YEAR_OF_KINGS}"


def test_req_19_a_battle_without_its_row_counts_by_its_receipt() -> None:
    """Old rows may be deleted; the public result of the war changed with them, and nobody was told."""
    rows = season(W1=YEAR_OF_KINGS, W2=YEAR_OF_KINGS, W3=YEAR_OF_KINGS)
    rows[WARS][2]["Ends War"] = True
    book = workbook(rows)
    run(book)
    (before,), shared = wars(book), parts(book)
    for header in book.rows(WARS)[0]:
        type_in(book, header, 3, None)

    assert (wars(book), before.is_over) == ([before], True)
    assert parts(book) == shared == dict.fromkeys(["w-0001", "w-0002", "w-0003"], f"autoalgo\n{YEAR_OF_KINGS}")
    snapshot = read(book)
    _, changes = undo(snapshot, forms(), "W-0003", "2026-03-02T12:00:00Z")
    book.commit(snapshot, changes)
    assert [battle.ruling.request for battle in wars(book)[0].battles] == ["W-0001", "W-0002"]
    assert parts(book) == shared
    type_in(book, "Part of", 2, None)
    assert [battle.ruling.request for battle in wars(book)[0].battles] == ["W-0001"]
    assert [*parts(book)] == ["w-0001", "w-0003"]


@pytest.mark.parametrize("typed", ["=1+1", "@everyone", "‮עברית", "a" * 201, 1812])
def test_req_19_only_an_overlong_text_blocks_the_ruling_of_a_war(typed: Any) -> None:
    book = workbook(season(W1=typed))
    made = run(book)
    ruled = {ruling.receipt.request for ruling in made.rulings}

    assert ("W-0001" in ruled) == (len(str(typed)) <= 200)
    if "W-0001" in ruled:
        assert [war.name for war in wars(book)] == [str(typed).lstrip("\u202e")]


def test_req_20_a_war_ends_with_its_marked_battle_and_later_ones_still_count() -> None:
    book = workbook(season(W1=YEAR_OF_KINGS, W2=YEAR_OF_KINGS, W3=YEAR_OF_KINGS))
    run(book)
    assert not wars(book)[0].is_over
    type_in(book, "Ends War", 2, True)

    (war,) = wars(book)
    assert war.standing.endswith("; over")
    assert len(war.battles) == 3
    assert not war.until(war.battles[0].ruling.seq).is_over


@pytest.mark.parametrize(
    ("fought", "score"),
    [
        ("AB+ BA+ AB+", "A 2 : 1 B"),  # whoever attacks
        ("AB+ CA- AB-", "A 1 : 1 B; C 0 : 1 A"),
        ("AB0 CD+", "A 0 : 0 B; C 1 : 0 D"),  # without a winner
    ],
)
def test_req_19_battles_are_counted_by_pair_of_nations(fought: str, score: str) -> None:
    book = workbook(season())
    run(book)
    ruling = receipts(book).ruling_of("W-0001")
    assert ruling is not None
    winners = {"+": "Attacker", "-": "Defender", "0": ""}
    battles = [
        PartBattle(
            ruling=replace(ruling, winner=winners[sign]),
            sides=(one, other),
            members=((one,), (other,)),
            year=None,
            lost=None,
            ends_war=False,
        )
        for one, other, sign in fought.split()
    ]
    war = LongWar(name="war", battles=battles)

    assert war.standing == f"{score}; sides not known: add the war to Wars" if ";" in score else score
