"""The account below a receipt: what happened, in sentences (RCPT-04, R-92)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.autoalgo.battle.state import RETREATING, Battle
from engine.autoalgo.inputs import FlankOrder, WarInputs
from engine.autoalgo.records import Location
from engine.autoalgo.report.account import WAYS_TO_BREAK
from engine.autoalgo.report.log import BREAKING
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.setup.tables import Tables
from engine.receipt import ReceiptText
from engine.rng import Rng
from scripts.support.golden_cases import GOLDEN, ruled
from scripts.support.pinned_tables import raw_tables, tables
from scripts.support.small_battles import army, fight_war, fleet, line, terrain, war

AUTOALGO = Autoalgo(tables())
ONE_FLANK = (FlankOrder(x=200, y=200),)
STRAIT = Location(name="Strait", climate="Ocean", attrition="At Sea")
NOBODY_PAYS = 1_000
"""A population from which nobody can be occupied."""


def receipt_of(inputs: WarInputs, seed: int, rules: Autoalgo = AUTOALGO) -> ReceiptText:
    return rules.resolve(inputs, Rng(seed)).receipt


def account_of(inputs: WarInputs, seed: int, rules: Autoalgo = AUTOALGO) -> tuple[str, ...]:
    return receipt_of(inputs, seed, rules).account


def rules_with(**strategy: object) -> Autoalgo:
    raw = raw_tables()
    raw["strategy"] |= strategy
    return Autoalgo(Tables.of(raw))


def poor(inputs: WarInputs, side: str) -> WarInputs:
    """The war with a nation that can occupy nothing."""
    belligerent = getattr(inputs, side)
    return replace(inputs, **{side: replace(belligerent, nation=replace(belligerent.nation, population=NOBODY_PAYS))})


def test_rcpt_04_a_land_battle() -> None:
    assert account_of(war(), 2) == (
        "A wins the battle and occupies default: some districts obey, most resist.",
        "Army of A (A) began with 9,000 men; 6,437 are left.",
        "Army of B (B) began with 9,000 men; 5,731 are left.",
        "The battle was decided after 28 hours; the pursuit lasted until hour 68.",
        "Hour 11 cost the loser most: B's right flank fled from A's centre flank; "
        "B's fighting men fell from 7,521 to 5,468.",
    )


def test_rcpt_04_a_siege_that_ends_in_a_storm() -> None:
    assert ruled(GOLDEN / "autoalgo" / "jerusalem").receipt.account[3:] == (
        "A siege began in hour 1. The battle was decided after 420 hours; the pursuit lasted until hour 455.",
        "Hour 413 cost the loser most: Fatimid Caliphate's citadel flank fled from Nawakiya's northern camp; "
        "Fatimid Caliphate's fighting men fell from 2,075 to 1,475.",
    )


def test_rcpt_04_a_naval_battle_counts_ships() -> None:
    sea = war(fleet("A"), fleet("B", 10), ground=terrain("Water"), location=STRAIT)
    told = account_of(sea, 1)
    assert told[:3] == (
        "A wins the battle and holds the waters of Strait.",
        "Army of A (A) began with 4,500 men; 4,331 are left, and 30 of 30 ships.",
        "Army of B (B) began with 1,500 men; 930 are left, and 10 of 10 ships.",
    )


def test_r_92_at_sea_the_winner_holds_the_water_whatever_the_band() -> None:
    sea = poor(war(fleet("A"), fleet("B", 10), ground=terrain("Water"), location=STRAIT), "attacker")
    receipt = receipt_of(sea, 1)
    assert "Occupation: Foothold" in receipt.text() or "Occupation: Repulsed" in receipt.text()
    assert receipt.account[0] == "A wins the battle and holds the waters of Strait."


def test_rcpt_04_two_armies_that_never_meet() -> None:
    """R-13."""
    holding = (army(name, flanks=line("Position", "Position", y=y)) for name, y in (("A", 100), ("B", 300)))
    assert account_of(war(*holding), 1) == (
        "A abandons the attack; B's hold on default: the location is held.",
        "Army of A (A) began with 9,000 men; 9,000 are left.",
        "Army of B (B) began with 9,000 men; 9,000 are left.",
        "The two armies never came to blows. Neither army broke, and after 1,200 hours the attack was abandoned.",
    )


def test_rcpt_04_a_battle_without_a_decision_has_no_worst_hour() -> None:
    assert account_of(war(), 1, rules_with(hours_most=12))[3:] == (
        "Neither army broke, and after 12 hours the attack was abandoned.",
    )


def test_rcpt_04_an_attack_that_is_abandoned_during_the_pursuit() -> None:
    """R-13: the defender wins, although none of his flanks fights any more."""
    told = account_of(war(), 3, rules_with(hours_most=40))
    assert told[0].startswith("A abandons the attack; B's hold on default: ")
    assert told[3:] == ("B had nobody left to fight after 32 hours; the attack was abandoned after 40 hours.",)


def test_r_29_without_a_pursuit_there_is_only_the_decision() -> None:
    assert account_of(war(), 1, rules_with(ends_when="retreating"))[3] == "The battle was decided after 30 hours."


def test_rcpt_04_an_attack_that_is_repelled() -> None:
    told = account_of(war(army("A", 3_000), army("B", 12_000)), 0)
    assert told[0] == "B repels the attack; B's hold on default: some districts obey, most resist."
    assert told[4] == (
        "Hour 9 cost the loser most: A's left flank fled from B's left flank; A's fighting men fell from 1,488 to 716."
    )


def test_r_92_in_the_lowest_band_nobody_occupies() -> None:
    attacked = poor(war(army("A", 400), army("B", 300)), "attacker")
    assert account_of(attacked, 3)[0] == (
        "A wins the battle, but nobody occupies default: nothing is held beyond the battlefield."
    )
    defended = poor(war(army("A", 300), army("B", 400)), "defender")
    assert account_of(defended, 2)[0] == (
        "B repels the attack, and nobody occupies default: nothing is held beyond the battlefield."
    )


def test_rcpt_04_an_army_of_one_flank_that_is_wiped_out() -> None:
    told = account_of(war(army("A"), army("B", 60, flanks=ONE_FLANK)), 0)
    assert told[2:] == (
        "Army of B (B) began with 60 men; nobody is left.",
        "The battle was decided after 3 hours.",
        "Hour 3 cost the loser most: B's army laid down its arms to A's right flank; "
        "B's fighting men fell from 60 to none.",
    )


def test_rcpt_04_an_army_without_men() -> None:
    """A size up to the tolerance may be ordered away (STRAT-07)."""
    told = account_of(war(army("A"), army("B", 5, flanks=(FlankOrder(x=200, y=200, infantry=0),))), 0)
    assert told[2:] == (
        "Army of B (B) began with 0 men; nobody is left.",
        "The battle was decided before its first hour.",
    )


def test_rcpt_04_a_generic_army_is_its_nation_s() -> None:
    sides = [replace(army(name), military=tables().defaults.military) for name in ("A", "B")]
    assert account_of(war(*sides), 1)[1].startswith("A's army began with ")


def test_rcpt_04_names_with_wiki_markup_are_escaped_as_in_the_receipt() -> None:
    name = "'''[[x]]\n{{t}}"
    flanks = tuple(FlankOrder(label=f"{name} {place}", x=place, y=200) for place in (200, 210))
    inputs = replace(
        war(army(name, 3_000, flanks=flanks), army(f"B {name}", 12_000), location=Location(name=f"C {name}")),
        name=name,
    )
    receipt = receipt_of(inputs, 0)
    wiki = receipt.wiki()
    told = wiki.partition("=== Account ===\n")[2].splitlines()
    assert len(told) - 1 == len(receipt.account) == 5
    assert not any(sign in "\n".join(told) for sign in ("[[", "{{", "''"))
    assert told[0].startswith("* B &#39;&#39;&#39;&#91;&#91;x&#93;&#93; &#123;&#123;t&#125;&#125; repels the attack; ")
    assert receipt.account[4].count("'''[[x]] {{t}}") == 4, "both flanks, with their sides, and the side"


@pytest.mark.parametrize("seed", range(12))
def test_r_92_the_hour_that_cost_the_loser_most_is_told(seed: int) -> None:
    course: dict[int, list[int]] = {0: [9_000, 9_000]}

    def note(battle: Battle, _: object) -> None:
        fights = battle.status < RETREATING
        course[battle.hours] = [int(battle.men[fights & (battle.side == side)].sum()) for side in (0, 1)]

    battle, _, _ = fight_war(war(), seed, note)
    men = np.array([fighting[1 - battle.winner] for fighting in course.values()])
    largest = int(np.argmax(men[:-1] - men[1:])) + 1
    before, after = (f"{left:,}" if left else "none" for left in men[largest - 1 : largest + 1])
    told = account_of(war(), seed)[4]
    assert told.startswith(f"Hour {[*course][largest]} cost the loser most: ")
    assert told.endswith(f" fighting men fell from {before} to {after}.")


def test_r_92_every_way_to_break_has_its_words() -> None:
    assert WAYS_TO_BREAK.keys() == BREAKING


def test_rcpt_04_the_account_stands_only_in_the_markup() -> None:
    receipt = receipt_of(war(), 1)
    assert "Account" not in receipt.text() + receipt.markdown()
    sentences = [*receipt.account, receipt.losses["apply"]]
    assert receipt.wiki().partition("\n=== Account ===\n")[2].splitlines() == [
        f"* {sentence}" for sentence in sentences
    ]
