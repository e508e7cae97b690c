"""Moderators' decisions about rulings, of every kind and in every ruleset (OVR-01 to OVR-06, OVR-10 to OVR-15)."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.autoalgo import resolve
from engine.autoalgo.battle.draw_ids import FORTUNE_SIDE
from engine.rng import draw
from scripts.support.beacon_rounds import BeaconSeason, after_round, before_round
from scripts.support.smallest_war import war_rows
from scripts.support.workbooks import (
    NOW,
    SECRET,
    column,
    forms,
    grids,
    messages,
    pass_context,
    problems,
    read,
    run,
    season_grid,
    undo,
    workbook,
)
from sheets_algo.replays.replay import CannotReplay, replay, verify
from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.receipts.receipts import StoredReceipt, fingerprint_of
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.values import PerCent
from tests.helpers.decided import (
    AUTHOR,
    HEADERS,
    REASON,
    SECTION,
    Cells,
    items_of,
    receipts,
    ruling,
    undecided,
    war,
    with_overrides,
)
from tests.helpers.decided_games import a_decision_is_refused, decisions_hold, differences, example_rows
from tests.helpers.example_budget import BUDGET
from tests.helpers.tabs import keys

HASTINGS = "W-0002"
FORMS = {form.key: form for form in forms()}
TABS = ("Receipts", "Log", "War Requests", "Nations", "Leaders", "Flanks", "Militaries")


@cache
def plain() -> tuple[MemoryWorkbook, StoredReceipt]:
    """Hastings as the dice have it: Normandy wins, and Harold dies."""
    book = MemoryWorkbook(grids(war(HASTINGS)))
    run(book)
    return book, ruling(book, HASTINGS)


def hastings(*overrides: Cells) -> tuple[MemoryWorkbook, Plan]:
    """Hastings with decisions about it, after a pass."""
    book = with_overrides(war(HASTINGS), *((HASTINGS, *row) for row in overrides))
    return book, run(book)


def items(receipt: StoredReceipt, label: str) -> list[str]:
    start = f"* '''{label}:''' "
    return [line.removeprefix(start) for line in receipt.wiki.splitlines() if line.startswith(start)]


def said(plan: Plan) -> str:
    [problem] = plan.problems
    return str(problem)


# --- nothing is decided


def test_a_workbook_without_decisions_is_ruled_as_before() -> None:
    """The tab may be there, with headers only: what is written is the same, cell by cell."""
    book, _ = hastings()

    assert book.read(keys(*TABS)).sheets == plain()[0].read(keys(*TABS)).sheets
    assert plain()[1].overrides == ""
    assert plain()[1].fingerprint == plain()[1].inputs_fingerprint


def test_rcp_18_a_receipt_holds_the_decisions_about_it() -> None:
    decided = ruling(hastings(("Result", "Winner", "England"))[0], HASTINGS)

    assert all(f'"{word}"' in decided.overrides for word in ("Winner", "England", REASON, AUTHOR))


# --- inputs


def test_ovr_10_a_decided_cell_has_another_value_for_one_ruling() -> None:
    book, _plan = hastings(("Input", "Militaries!William's Army!Size", 1000))

    receipt = ruling(book, HASTINGS)
    assert SECTION in receipt.wiki
    left = dict(zip(column(book, "Militaries", "Name"), column(book, "Militaries", "Size"), strict=True))
    assert left["William's Army"] == 1_000 - receipt.figures.casualties[0].absent  # of the decided value
    assert receipt.seed == plain()[1].seed
    assert receipt.inputs == plain()[1].inputs
    assert receipt.inputs_fingerprint != plain()[1].inputs_fingerprint
    assert (receipt.winner, plain()[1].winner) == ("Defender", "Attacker")
    assert f"\n* Without the decision: {plain()[1].wiki.splitlines()[1][3:-3]}" in receipt.wiki
    told, was = receipt.figures.message.splitlines()[0], plain()[1].figures.message.splitlines()[0]
    assert told.endswith(f"(decided by Anna; without the decision: {was})")
    assert undecided(receipt.wiki) == items_of(plain()[1].wiki)
    assert differences(receipt) == ()
    assert not run(book).writes.changes


def test_ovr_10_an_error_that_a_decided_cell_causes_elsewhere_names_both() -> None:
    _, plan = hastings(("Input", "War Requests!W-0002!Attacker", "England"))

    assert all(str(problem).startswith("Overrides!D2 (Value): with this value, ") for problem in plan.problems)
    assert plan.problems


def test_ovr_10_inputs_are_decided_in_the_database_after_earlier_rulings() -> None:
    rows = war(HASTINGS) | {}
    both = {tab: [*rows[tab], *war("W-0001")[tab]] for tab in ("War Requests", "Flanks")}
    rows |= {tab: sorted(lines, key=lambda row: row["Request"]) for tab, lines in both.items()}
    book, free = (
        with_overrides(rows, *overrides)
        for overrides in (((HASTINGS, "Input", "Nations!Normandy!Stability", 100),), ())
    )
    run(book)
    run(free)

    first, second = ruling(book, "W-0001"), ruling(book, HASTINGS)
    assert (first.wiki, first.seed) == (ruling(free, "W-0001").wiki, ruling(free, "W-0001").seed)
    assert undecided(second.wiki) == items_of(ruling(free, HASTINGS).wiki)
    left = next(change.after for change in first.changes if (change.row, change.field) == ("England", "Stability"))
    assert items(second, "Stability")[1].startswith(f"{left:g} → ")
    assert items(second, "Stability")[0].startswith("100 → ")


def test_ovr_10_the_message_names_the_army_that_fought() -> None:
    book, plan = hastings(("Input", "Militaries!William's Army!Size", 2000))

    assert "Attacker: Good (2000/2000)" in ruling(book, HASTINGS).figures.message
    assert "7500" not in messages(plan)[0][2]


@pytest.mark.parametrize("action", ["Forecast", "Preview"])
def test_ovr_10_odds_in_the_sheet_report_that_they_ignore_decisions(action: str) -> None:
    rows = war(HASTINGS)
    rows["War Requests"][0]["Action"] = action
    for overrides in ([], [(HASTINGS, "Result", "Winner", "England")]):
        message = messages(run(with_overrides(rows, *overrides)))[0][2]
        assert bool(overrides) == ("Decisions in the tab Overrides are not counted here" in message)


def test_ovr_10_the_end_of_a_decided_flank_is_beside_its_row() -> None:
    rows = war("W-0005")
    book = with_overrides(rows, ("W-0005", "Input", "Flanks!row 2!X", 191))
    run(book)

    assert column(book, "Flanks", "X") == column(with_overrides(rows), "Flanks", "X")
    assert all(column(book, "Flanks", "End Status"))


# --- draws


def test_ovr_11_a_draw_is_decided_and_its_hour_is_marked() -> None:
    what = "hour 3, Normandy right flank, attack"
    book, plan = hastings(("Draw", what, 0.999))

    receipt = ruling(book, HASTINGS)
    outcome = plan.rulings[0].outcome
    marks = [event for event in outcome.events if event.kind == "decision"]
    assert [(mark.hour, mark.flank) for mark in marks] == [(None, ""), (3, "right")]
    assert marks[1].text.startswith(f"the moderator sets {what} to 0.999: Reason: the sheet was wrong. By: Anna")
    after = outcome.events.index(marks[1])
    assert min(event.hour for event in outcome.events[after:] if event.hour is not None) == 3
    assert all((event.hour or 0) < 3 for event in outcome.events[1:after])
    assert what in "\n".join(map(str, column(book, "Log", "Text")))
    assert undecided(receipt.wiki) == items_of(plain()[1].wiki)
    assert receipt.wiki.partition(f"\n{SECTION}")[0] != plain()[1].wiki
    assert differences(receipt) == ()


def test_ovr_11_a_draw_has_several_spellings() -> None:
    spellings = ("Normandy, left flank, attack", "normandy LEFT flank attack", "Normandy's left flank, attack")
    found = [hastings(("Draw", f"hour 3, {what}", 0.001))[0] for what in (*spellings, "Attacker left flank, attack")]

    results = {str(ruling(book, HASTINGS).figures.values) for book in found}
    assert len(results) == 1
    assert results != {str(plain()[1].figures.values)}


def test_ovr_11_an_ambiguous_flank_name_is_refused() -> None:
    rows = war("W-0005")
    rows["Flanks"] = [dict(row, Flank="wall") if row["Flank"] != "citadel" else row for row in rows["Flanks"]]
    book = with_overrides(rows, ("W-0005", "Draw", "hour 1, Defender wall flank, attack", 0.5))

    expected = "Overrides!C2 (What): two flanks have this name. Give each a name of its own. [OVR-11]"
    assert expected in map(str, run(book).problems)


def test_ovr_11_a_draw_decided_as_drawn_changes_nothing() -> None:
    drawn = draw(int(plain()[1].seed), 0, 0, FORTUNE_SIDE, 1)
    book, _ = hastings(("Draw", "England, fortune", drawn))

    receipt = ruling(book, HASTINGS)
    assert "Nothing here would be different without the decision." in receipt.wiki
    assert undecided(receipt.wiki) == items_of(plain()[1].wiki)
    assert receipt.changes == plain()[1].changes
    assert receipt.figures.values == plain()[1].figures.values


# --- results


def test_ovr_12_r_97_a_decided_winner_occupies_and_the_database_follows() -> None:
    book, _ = hastings(("Result", "Winner", "England"))

    receipt = ruling(book, HASTINGS)
    assert receipt.winner == "Defender"
    assert receipt.wiki.splitlines()[1].startswith(
        "'''England holds Southeast England: Normandy's attack is beaten off"
    )
    assert "\n* Without the decision: Normandy takes Southeast England" in receipt.wiki
    [occupation] = items(receipt, "Occupation")
    assert "; without the decision " in occupation
    assert items(receipt, "Losses") == items(plain()[1], "Losses")
    changed = {(change.row, change.field): change.after for change in receipt.changes}
    stability = dict(zip(column(book, "Nations", "Name"), column(book, "Nations", "Stability"), strict=True))
    assert changed["England", "Stability"] == stability["England"]
    assert undecided(receipt.wiki) == items_of(plain()[1].wiki)
    assert differences(receipt) == ()


def test_ovr_12_each_decided_result_applies_and_undo_reverts_it() -> None:
    book, _ = hastings(
        ("Result", "England Killed", 3000),
        ("Result", "Defender Captured", 100),
        ("Result", "England Leader", "killed"),
        ("Result", "Occupation", 0.7),
        ("Result", "Normandy Stability", 88.5),
    )

    receipt = ruling(book, HASTINGS)
    assert re.fullmatch(
        r"killed 3,000, wounded [\d,]+, died 0, captured 100, missing [\d,]+; without the decisions killed .*",
        items(receipt, "Losses")[1],
    )
    assert items(receipt, "Occupation")[0].startswith("Occupation (0.70); without the decisions ")
    assert items(receipt, "Stability")[0].startswith("140 → 88.5 (")
    fates = " ".join(line for line in receipt.wiki.splitlines() if "leader:" in line)
    assert "Harold Godwinson, killed; without the decisions Harold Godwinson, alive" in fates
    status, before_it = (
        dict(zip(column(found, "Leaders", "Name"), column(found, "Leaders", "Status"), strict=True))
        for found in (book, plain()[0])
    )
    assert (status["Harold Godwinson"], before_it["Harold Godwinson"]) == ("killed in Hastings, 1066", None)
    assert differences(receipt) == ()

    before = with_overrides(war(HASTINGS))
    snapshot = read(book)
    _, changes = undo(snapshot, forms(), HASTINGS, NOW)
    book.commit(snapshot, changes)
    for tab, header in (("Nations", "Stability"), ("Leaders", "Status"), ("Militaries", "Size")):
        assert column(book, tab, header) == column(before, tab, header)
    assert not problems(run(book))


@pytest.mark.parametrize(
    ("what", "value", "told"),
    [
        ("England Stability", 66, "the receipt says what would be different without the decision"),
        ("Winner", "Normandy", "the same without the decision"),
    ],
)
def test_ovr_12_the_message_is_unchanged_only_without_differences(what: str, value: Any, told: str) -> None:
    """Normandy wins in any case."""
    receipt = ruling(hastings(("Result", what, value))[0], HASTINGS)
    assert f"(decided by Anna; {told})" in receipt.figures.message
    assert ("the same" in told) == ("Nothing here would be different" in receipt.wiki)


def test_a_decision_about_a_number_that_is_gone_stops_no_verification() -> None:
    """RCP-11: such a ruling cannot be computed here, which says nothing about its receipt."""
    setting = {"Setting": "R-66/applies", "Value": 1}
    rows = war(HASTINGS) | {"Autoalgo Settings": [setting]}
    book = with_overrides(rows, [HASTINGS, "Input", "Autoalgo Settings!R-66/applies!Value", 0, REASON, AUTHOR])
    run(book)
    receipt = ruling(book, HASTINGS)
    assert "R-66/applies" in receipt.overrides
    former = replace(receipt, overrides=receipt.overrides.replace("R-66/applies", "R-999/applies"))
    former = replace(former, inputs_fingerprint=former.fingerprint)

    verdict = verify(former, FORMS["autoalgo"], "other tables", SECRET, receipts(book).options)

    assert (verdict.is_equal, verdict.is_different, len(verdict.missing)) == (False, False, 1)


def test_ovr_12_a_season_subtracts_the_decided_losses() -> None:
    decided = (("Killed", 50), ("Died", 0), ("Captured", 7), ("Wounded", 0), ("Missing", 0))
    lines = [[HASTINGS, "Result", f"England {loss}", men, REASON, AUTHOR] for loss, men in decided]
    rows = war(HASTINGS) | {"Overrides": [dict(zip(HEADERS, line, strict=True)) for line in lines]}
    book = workbook(rows)
    run(book)

    size = dict(zip(column(book, "Militaries", "Name"), column(book, "Militaries", "Size"), strict=True))
    assert size["Harold's Host"] == 7000 - 57
    receipt = ruling(book, HASTINGS)
    assert "England 57 of 7,000 men." in receipt.wiki
    assert verify(receipt, FORMS["autoalgo"], receipt.rules_fingerprint, SECRET, receipts(book).options).is_equal


def test_the_page_for_moderators_quotes_a_receipt() -> None:
    page = (Path(__file__).parents[2] / "docs" / "overrides.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line[:5] == "| W-0"]
    decided = [[*row[:3], float(row[3]), *row[4:]] for row in rows if row[0] == HASTINGS]
    book = with_overrides(war(HASTINGS), *decided)
    run(book)

    quoted = [line for line in page.splitlines() if line.startswith(("* '''", "=== "))]
    assert len(quoted) == 6
    assert set(quoted) <= set(ruling(book, HASTINGS).wiki.splitlines())


def test_a_ruling_with_decisions_fights_two_battles(monkeypatch: pytest.MonkeyPatch) -> None:
    fought = []
    recorded = resolve.RecordedBattle
    monkeypatch.setattr(resolve, "RecordedBattle", lambda *words: (fought.append(1), recorded(*words))[1])
    rows = [
        ("Result", "Winner", "England"),
        ("Input", "Nations!England!Stability", 90),
        ("Draw", "England, panic", 0.1),
    ]
    hastings(*rows)

    assert len(fought) == 2


# --- every ruleset

DECIDED = {
    ("jousts", "J-0001"): [("Result", "Knights!Tancred!Wins", 12)],
    ("jousts", "J-0003"): [("Input", "Knights!Baldwin!Skill", 50)],
    ("rounds", "R-0001"): [("Result", "Round Players!Anna!Tax %", 20)],
    ("rounds", "R-0002"): [("Input", "Round Requests!R-0002!Die", 99)],
    ("plots", "P-0006"): [("Result", "Houses!Lancaster!Gold", 9), ("Input", "Houses!Lancaster!Rank", 50)],
    ("plots", "K-0001"): [("Result", "Houses!York!Rank", 70), ("Input", "Houses!York!Rank", 65)],
}
"""Decisions about one request of each example."""


@pytest.mark.parametrize(("ruleset", "request_id"), DECIDED)
def test_each_kind_of_decision_works_in_each_ruleset(ruleset: str, request_id: str) -> None:
    decisions_hold(ruleset, request_id, DECIDED[ruleset, request_id])


@pytest.mark.parametrize("value", [PerCent(0.12), "12 %", "12", 12])
def test_num_03_a_decision_in_per_cent_means_the_number_in_its_cell(value: Any) -> None:
    book = with_overrides(example_rows("rounds"), ("R-0001", "Result", "Round Players!Anna!Tax %", value))
    run(book)

    assert "'''Result:''' Round Players!Anna!Tax % = 12" in ruling(book, "R-0001").wiki
    assert column(book, "Round Players", "Tax %")[0] == 12


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("R-0002", "Draw", "hour 1, Anna, roll", 0.5), "C2 (What): the draws of rounds have no names. Where a"),
        (("R-0001", "Result", "Round Players!Anna!Purse", 5), "C2 (What): there is no such field. Write Tab!"),
        (("R-0001", "Result", "Round Players!Anna!Tax %", "high"), 'D2 (Value): "high" is not a'),
    ],
)
def test_an_unsupported_decision_is_refused(row: Cells, expected: str) -> None:
    a_decision_is_refused("rounds", row, expected)


# --- nothing tells the luck before a ruling


@pytest.mark.parametrize(
    "row",
    [
        ("Draw", "hour 900, England left flank, attack", 0.5),
        ("Draw", "hour 1201, England left flank, attack", 0.5),
        ("Result", "England Captured", 7000),
        ("Result", "England Captured", 7001),
        ("Result", "Normandy Captured", 20_000),
        ("Result", "Englnd Killed", 5),
        ("Result", "England Ships Sunk", 3),
    ],
)
def test_ovr_15_the_refusal_of_a_decision_does_not_depend_on_the_luck(row: Cells) -> None:
    """Who may type there learns nothing of a battle that is not ruled."""
    said_by = set()
    for secret in (
        SECRET,
        *(Secret(f"another secret, number {number}".encode()) for number in range(max(2, round(6 * BUDGET)))),
    ):
        rows = war(HASTINGS) | {"Overrides": [dict(zip(HEADERS, [HASTINGS, *row, REASON, AUTHOR], strict=True))]}
        book = MemoryWorkbook(grids(rows) | {"Receipts": season_grid(secret=secret)})
        plan = plan_pass(read(book), replace(pass_context(), secret=secret), NOW)
        said_by.add(tuple(str(problem) for problem in plan.problems if problem.id.startswith("OVR")))
    assert len(said_by) == 1


def test_ovr_12_decided_losses_replace_computed_ones() -> None:
    rows = war(HASTINGS) | {
        "Overrides": [dict(zip(HEADERS, [HASTINGS, "Result", "England Captured", 7000, REASON, AUTHOR], strict=True))]
    }
    book = workbook(rows)
    assert not run(book).problems
    assert "England all 7,000 men." in ruling(book, HASTINGS).wiki


def test_a_decided_field_that_the_ruling_does_not_change_stays() -> None:
    book = with_overrides(example_rows("rounds"), ("R-0001", "Result", "Round Players!Nobody!Gold ¤", 5))
    plan = run(book)
    assert not [problem for problem in plan.problems if problem.id.startswith("OVR")]
    assert "Nothing here would be different without the decision." in ruling(book, "R-0001").wiki


# --- many at random


def random_decisions(source: random.Random) -> list[Cells]:
    """Some decisions of all kinds about Hastings."""
    sides = ("Normandy", "England")
    flanks = [f"{side} {flank} flank" for side in sides for flank in ("left", "centre", "right")]
    draws = ("attack", "charge", "attack order", "move order", "scatter east-west", "killed rounding", "attrition")
    possible: list[Cells] = [
        ("Input", "Militaries!Harold's Host!Size", source.randint(500, 20_000)),
        ("Input", "Militaries!William's Army!Size", source.randint(500, 20_000)),
        ("Input", "Nations!England!Stability", source.randint(0, 200)),
        *(
            ("Draw", f"hour {hour}, {source.choice(flanks)}, {source.choice(draws)}", source.random())
            for hour in (2, 3)
        ),
        ("Draw", f"{source.choice([*sides, *flanks])}, fortune", source.random()),
        ("Draw", f"{source.choice(sides)}, panic", source.random()),
        ("Result", "Winner", source.choice(sides)),
        ("Result", "Occupation", round(source.uniform(0, 3), 2)),
        ("Result", f"{source.choice(sides)} Stability", round(source.uniform(0, 200), 1)),
        ("Result", "England Leader", source.choice(("killed", "alive"))),
        ("Result", "Normandy Killed", source.randint(0, 400)),
    ]
    return source.sample(possible, source.randint(1, 4))


def test_ovr_13_the_ruling_without_decisions_is_reproduced_bit_for_bit() -> None:
    """`SHEETS_ALGO_BUDGET=25 pytest` tries 500 of them."""
    _, free = plain()
    source = random.Random(1066)
    for _ in range(max(5, round(20 * BUDGET))):
        rows = random_decisions(source)
        book, plan = hastings(*rows)
        assert not plan.problems, (rows, plan.problems)
        receipt = ruling(book, HASTINGS)
        assert (receipt.seed, receipt.inputs) == (free.seed, free.inputs)
        assert undecided(receipt.wiki) == items_of(free.wiki), rows


def test_ovr_13_a_decision_keeps_the_promised_round_of_the_beacon() -> None:
    line = ("W-1", "Result", "Winner", "Defender", REASON, AUTHOR)
    decided = BeaconSeason(war_rows() | {"Overrides": [dict(zip(HEADERS, line, strict=True))]})
    free = BeaconSeason(war_rows())
    for wars in (decided, free):
        wars.run(before_round(123))
        wars.run(after_round(123))

    first, second = (wars.receipts.ruling_of("W-1") for wars in (decided, free))
    assert first is not None
    assert second is not None
    assert (first.seed, first.inputs, first.seed_source) == (second.seed, second.inputs, second.seed_source)
    assert undecided(first.wiki) == items_of(second.wiki)
    assert "=== Luck ===" in first.wiki
    assert decided.verified("W-1").differences == ()


# --- frozen, exactly once


def edited(receipt: StoredReceipt, old: str, new: str) -> StoredReceipt:
    assert old in receipt.overrides
    return replace(receipt, overrides=receipt.overrides.replace(old, new))


def test_ovr_13_verify_detects_a_changed_reason_author_or_value() -> None:
    book, _ = hastings(("Result", "England Stability", 66))
    receipt = ruling(book, HASTINGS)
    for old, new in (("the sheet was wrong", "a whim"), ("Anna", "Bob"), ("66", "67")):
        forged = edited(receipt, old, new)
        [found] = differences(forged)
        assert found.endswith("its inputs, or the decisions about it, are not those whose fingerprint it has")
        assert differences(replace(forged, inputs_fingerprint=forged.fingerprint))  # the text still tells
    bare = replace(receipt, overrides="", inputs_fingerprint=fingerprint_of(receipt.inputs))
    assert any("Moderator's decisions" in line for line in differences(bare))
    with pytest.raises(CannotReplay, match="cannot be played again"):
        replay(replace(receipt, overrides="{", inputs_fingerprint=""), FORMS["autoalgo"])


def test_rcpt_01_a_decision_changes_the_time_of_a_battle_and_its_receipt_says_both() -> None:
    book = with_overrides(war("W-0001"), ("W-0001", "Draw", "England, fortune", 0.01))
    run(book)

    receipt = ruling(book, "W-0001")
    (both,) = items(receipt, "Battle")
    now = "4 hours; march 2 hours; pursuit 6 hours"
    assert both == f"{now}; without the decision 2 hours; march 2 hours; pursuit 7 hours"
    assert differences(receipt) == ()


def test_a_tab_of_decisions_without_headers_blocks_all_wars() -> None:
    book = with_overrides(war(HASTINGS), (HASTINGS, "Result", "Winner", "Normandy"))
    book.type_in("Overrides", 1, 5, "Reasn")
    plan = run(book)

    assert not [*receipts(book).rulings]
    said = 'Overrides!E1: says "Reasn". Did you mean "Reason"? Rename the header, or add a column "Reason". [OVR-05]'
    assert said in map(str, plan.problems)
