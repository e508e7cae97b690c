"""Wars of several battles with sides: the tab Wars, its receipts, and how such a war stands (WRS-01 to WRS-05)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.support.workbooks import NOW, changed, check, example, forms, grids, pass_context, read, run
from sheets_algo.database.members import UnclearMembers, members
from sheets_algo.replays.long_wars import LongWar, PartBattle, long_wars
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.receipts.receipt_rows import Membership, WarSides
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.workbook.memory import MemoryWorkbook

KINGS = "Year of kings"
HEADS = ["War", "Side A", "Side B", "From", "Until", "Winner", "Terms"]


def season(*sides: Any, part_of: str = KINGS) -> MemoryWorkbook:
    """Return the wars of 1066, three of them part of one, with a row of Wars: England, Norway and Normandy fight."""
    rows = example("1066")
    for row in rows["War Requests"][:3]:
        row["Part of"] = part_of
    tabs = grids(rows)
    if sides:
        tabs["Wars"] = [HEADS, [KINGS, *sides, *[None] * (6 - len(sides))]]
    return MemoryWorkbook(tabs)


def ruled(book: MemoryWorkbook) -> Receipts:
    """Rule until nothing is left to do, and return the receipts."""
    while run(book).owes.is_partial:
        pass
    return read_receipts(read(book))


def war_in(book: MemoryWorkbook) -> LongWar:
    """Return the war of a workbook that is ruled."""
    (war,) = long_wars(read(book), forms(), ruled(book))
    return war


def look(book: MemoryWorkbook, known: Mapping[str, str]) -> Plan:
    """Make one look of a watcher, which knows what the look before has read."""
    snapshot = read(book)
    plan = plan_pass(snapshot, changed(pass_context(), known=known), NOW)
    book.commit(snapshot, plan.writes.changes)
    return plan


def problems(book: MemoryWorkbook) -> list[str]:
    return [str(problem) for problem in check(read(book), forms()) if "WRS-" in str(problem)]


@pytest.mark.parametrize(
    "side_b", ["Norway + Normandy", "Norway; Normandy", "norway and NORMANDY", "Norway / Normandy"]
)
def test_wrs_02_the_score_counts_battles_by_typed_sides(side_b: str) -> None:
    book = season("England", side_b)
    war = war_in(book)
    won = [battle.winner == "England" for battle in war.battles]

    assert (war.won, len(war.battles)) == ((won.count(True), won.count(False)), 3)
    assert war.standing.startswith(f"England {war.won[0]} : {war.won[1]} Norway + Normandy, ")
    assert problems(book) == []


def test_wrs_01_without_a_row_battles_are_listed_by_pair_without_a_winner() -> None:
    book = season()
    ruled(book)
    book.type_in("War Requests", 4, book.rows("War Requests")[0].index("Ends War") + 1, True)

    standing = war_in(book).standing
    assert standing.endswith("; sides not known: add the war to Wars; over")
    assert {pair.split(" ")[0] for pair in standing.split(", ")[0].split("; ")} <= {"England", "Norway", "Normandy"}
    assert standing.split(", ")[0].count(" : ") == 2


def test_wrs_05_sides_get_a_receipt_before_battles_and_after_changes() -> None:
    book = season("England", "Norway + Normandy")
    receipts = ruled(book)
    assert [receipt.kind for receipt in receipts.by_seq.values()][:3] == ["Season", "Sides", "Ruling"]
    before = war_in(book)
    book.type_in("Wars", 2, 3, "Norway")

    after = war_in(book)
    assert (len(after.battles) - sum(after.won), after.source) == (2, "sides by receipts 2, 8")
    assert "2 battles left out, their nations are not on both sides in Wars" in after.standing
    assert after.until(before.battles[-1].ruling.seq).standing == before.standing
    assert not run(book).writes.changes


def test_wrs_05_sides_that_are_being_typed_wait_for_the_next_pass() -> None:
    book = season("England", "Norway")
    first = look(book, {})
    assert [receipt.kind for receipt in read_receipts(read(book)).by_seq.values()] == ["Season"]
    book.type_in("Wars", 2, 3, "Norway + Normandy")
    second = look(book, first.findings.known)
    assert "Sides" not in {receipt.kind for receipt in read_receipts(read(book)).by_seq.values()}
    look(book, second.findings.known)

    (declared,) = read_receipts(read(book)).sides[KINGS.lower()]
    assert declared[1].names == ("England", "Norway + Normandy")


def test_wrs_05_a_lost_row_leaves_a_war_without_known_sides() -> None:
    book = season("England", "Norway + Normandy")
    ruled(book)
    for column in range(1, len(HEADS) + 1):
        book.type_in("Wars", 2, column, None)

    assert war_in(book).standing.endswith("sides not known: add the war to Wars")


@pytest.mark.parametrize(
    ("sides", "says"),
    [
        (("England", "England + Norway"), "England is on both sides"),
        (("England", "Norway + Normandi"), 'no nation is called "Normandi". Did you mean "Normandy"?'),
        (("England", "Norway (until 1455) + England (from 1066)"), "England is on both sides"),
        (("England", None), "Side B): required, but empty"),
    ],
)
def test_wrs_02_an_unreadable_row_gives_a_reason_and_blocks_no_war(sides: tuple[Any, ...], says: str) -> None:
    book = season(*sides)
    assert any(says in problem for problem in problems(book))

    assert {"Ruling"} == {receipt.kind for receipt in ruled(book).by_seq.values()} - {"Season"}


def test_wrs_02_the_advice_for_a_change_of_sides_works() -> None:
    book = season("England (until 1065)", "Norway + Normandy + England (from 1066)")
    assert [problem for problem in problems(book) if "both sides" in problem] == []
    assert sum("on one side of" in problem for problem in problems(book)) == 3


@pytest.mark.parametrize(
    ("part_of", "says"),
    [("Year of kinks", 'no Year of kinks, so nobody knows its sides. Did you mean "Year of kings"?'), (KINGS, "")],
)
def test_wrs_01_a_battle_of_a_war_missing_in_wars_is_noted(part_of: str, says: str) -> None:
    found = problems(season("England", "Norway + Normandy", part_of=part_of))

    assert [problem for problem in found if says and says in problem] == found
    assert len(found) == (3 if says else 0)


@pytest.mark.parametrize(
    ("winner", "end"),
    [
        ("Side A", "won by England"),
        ("Side B", "won by Norway + Normandy"),
        ("Nobody", "won by nobody"),
    ],
)
def test_wrs_03_wrs_04_years_and_the_winner_of_the_peace_are_typed(winner: str, end: str) -> None:
    war = war_in(season("England", "Norway + Normandy", 1066, 1066, winner, "Danegeld"))

    assert war.is_over
    assert war.standing.endswith(f"; over, {end}")
    assert "Terms: Danegeld" in war.declared[0][0].wiki


def test_wrs_02_a_standing_abbreviates_a_side_of_many_nations() -> None:
    war = war_in(season("England", "Norway + Normandy + Byzantium + Seljuk Sultanate", 1066, 1066, "Side B"))

    assert war.score.endswith(" Norway and allies")
    assert war.standing.endswith("; over, won by Norway and allies")


NAMES = ("Norden", "Rivan", "Korea, Republic of", "Trinidad and Tobago", "Trinidad", "Tobago", "Norden (rebels)")


def test_wrs_02_an_ambiguous_cell_is_refused_with_both_readings() -> None:
    with pytest.raises(UnclearMembers) as refused:
        members("Trinidad and Tobago + Rivan", NAMES)

    assert str(refused.value).endswith("may be Trinidad | Tobago | Rivan, or Trinidad and Tobago | Rivan")


@pytest.mark.parametrize(("end", "says"), [("Rivan", "may be Trinidad | Tobago | "), ("Nobody", 'is called "Nobody"')])
def test_wrs_02_a_cell_with_a_thousand_readings_is_refused_at_once(end: str, says: str) -> None:
    with pytest.raises(UnclearMembers) as refused:
        members(" + ".join(["Trinidad and Tobago"] * 80 + [end]), NAMES)

    assert says in str(refused.value)


@given(st.lists(st.sampled_from(("Norden", "Rivan", "Korea, Republic of", "Norden (rebels)")), min_size=1, max_size=30))
def test_wrs_02_names_joined_by_plus_are_read_back(names: list[str]) -> None:
    assert members(" + ".join(names), NAMES) == names


def test_wrs_02_two_periods_overlap_if_and_only_if_they_share_a_year() -> None:
    years = (None, 1450, 1451, 1452)
    for since, until, other_since, other_until in product(years, repeat=4):
        one, other = Membership("A", since, until), Membership("a", other_since, other_until)
        shared = any(one.is_in(year) and other.is_in(year) for year in range(1440, 1460))
        is_empty = any(a and b and a > b for a, b in ((since, until), (other_since, other_until)))
        assert is_empty or one.meets(other) == shared


def test_wrs_02_a_change_of_sides_is_scored_by_the_year_of_each_battle() -> None:
    """Rivan fights for Norden until 1452, and against it from 1453: no receipt of a battle has to change."""
    book = season("England", "Norway")
    template = war_in(book).battles[0]
    sides = WarSides(
        a=(Membership("Norden"), Membership("Rivan", None, 1452)),
        b=(Membership("Sudan"), Membership("Rivan", 1453, None)),
    )
    fought = [("Rivan", "Sudan", 1450, 0), ("Rivan", "Norden", 1455, 0), ("Rivan", "Sudan", 1456, 1)]
    battles = [
        replace(
            template,
            sides=(one, other),
            members=((one,), (other,)),
            year=year,
            ruling=replace(template.ruling, seq=seq, winner=("Attacker", "Defender")[won]),
        )
        for seq, (one, other, year, won) in enumerate(fought, start=3)
    ]
    war = LongWar(name=KINGS, battles=battles, declared=[(template.ruling, sides)])

    assert isinstance(battles[0], PartBattle)
    assert war.score == "Norden + Rivan (until 1452) 1 : 1 Sudan + Rivan (from 1453)"
    assert "1 battle left out, its nations are not on both sides in Wars" in war.standing


def test_wrs_01_a_watcher_polls_again_for_a_war_that_was_being_typed() -> None:
    """Else its sides would count only once somebody changed another cell."""
    book = season("England", "Norway + Normandy")
    typed = look(book, {})
    declared = look(book, typed.findings.known)

    assert (typed.owes.deadline is not None, declared.owes.is_partial) == (True, True)
    assert "Sides" in [receipt.kind for receipt in read_receipts(read(book)).by_seq.values()]
