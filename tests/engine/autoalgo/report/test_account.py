"""The account with which a receipt begins: who won what, how, when it turned, what it cost (RCPT-04, R-92)."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from engine.autoalgo.battle.state import RETREATING, Battle
from engine.autoalgo.inputs import FlankOrder, WarInputs
from engine.autoalgo.records import Leader, Location
from engine.autoalgo.resolve import Autoalgo
from engine.autoalgo.setup.tables import Tables
from engine.receipt import ReceiptText
from engine.rng import Rng
from scripts.support.pinned_tables import raw_tables, shipped_tables, tables
from scripts.support.small_battles import army, fight_war, fleet, line, terrain, war
from sheets_algo.pages.site_page import read_receipt
from tests.engine.autoalgo.battle.test_siege_of_history import siege_war

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


def test_rcpt_04_the_account_of_a_land_battle() -> None:
    assert account_of(war(), 2) == (
        "A takes default.",
        "The armies met in hour 3; B had nobody left to fight after 28 hours, and the pursuit lasted until hour 68.",
        "Hour 11 cost the loser most: B's right flank fled from A's centre flank; "
        "B's fighting men fell from 7,521 to 5,468.",
        "A lost 2,563 of 9,000 men, B 3,269 of 9,000 men.",
    )


def test_rcpt_04_the_account_of_a_siege_ended_by_storm() -> None:
    begun, dear = account_of(siege_war(400_000, 300, guns=0.2, works="Palisade"), 1, Autoalgo(shipped_tables()))[1:3]
    assert re.fullmatch(
        r"A siege began in hour 1, and the armies met in hour (\d+); B had nobody left to fight after \1 hours\.", begun
    )
    assert re.fullmatch(r"Hour \d+ cost the loser most: B's fighting men fell from [\d,]+ to none\.", dear)


def test_rcpt_04_the_account_of_a_naval_battle_counts_ships() -> None:
    sea = war(fleet("A"), fleet("B", 10), ground=terrain("Water"), location=STRAIT)
    told = account_of(sea, 1)
    assert told[0] == "A takes the waters of Strait."
    assert told[-1] == "A lost 58 of 4,500 men, B 543 of 1,500 men and 3 of 10 ships."
    sunk = account_of(war(fleet("A", 30), fleet("B", 3), ground=terrain("Water"), location=STRAIT), 0)
    assert re.fullmatch(r"A lost .* of 4,500 men, B .* and 1 of 3 ships\.", sunk[-1])


def test_r_92_the_winner_at_sea_holds_the_water_in_every_band() -> None:
    sea = poor(war(fleet("A"), fleet("B", 10), ground=terrain("Water"), location=STRAIT), "attacker")
    receipt = receipt_of(sea, 1)
    assert "Occupation: Foothold" in receipt.text() or "Occupation: Repulsed" in receipt.text()
    assert receipt.headline == "A takes the waters of Strait."


def test_rcpt_04_the_account_of_two_armies_that_never_meet() -> None:
    """R-13."""
    holding = (army(name, flanks=line("Position", "Position", y=y)) for name, y in (("A", 100), ("B", 300)))
    assert account_of(war(*holding), 1) == (
        "B holds default: A abandons the attack.",
        "The armies never came to blows; neither broke, and after 1,200 hours the attack was abandoned.",
        "A lost none of 9,000 men, B none of 9,000 men.",
    )


def test_rcpt_04_the_account_of_an_attack_abandoned_in_pursuit() -> None:
    """R-13: the defender wins, although none of his flanks fights any more."""
    told = account_of(war(), 3, rules_with(hours_most=40))
    assert told[0] == "B holds default: A abandons the attack."
    assert told[1].endswith("; B had nobody left to fight after 30 hours, and the attack was abandoned after 40 hours.")


def test_r_92_nothing_is_occupied_in_the_lowest_band() -> None:
    attacked = poor(war(army("A", 400), army("B", 300)), "attacker")
    assert account_of(attacked, 3)[0] == "A wins the battle, but cannot hold default."


def test_rcpt_04_the_account_of_a_destroyed_army_of_one_flank() -> None:
    told = account_of(war(army("A"), army("B", 60, flanks=ONE_FLANK)), 6)
    assert told[1:] == (
        "The armies met in hour 2; B had nobody left to fight after 2 hours.",
        "Hour 2 cost the loser most: B's army laid down its arms to A's centre flank; "
        "B's fighting men fell from 60 to none.",
        "A lost 10 of 9,000 men, B all 60 men.",
    )


def test_rcpt_04_the_account_of_an_army_without_men() -> None:
    """A size up to the tolerance may be ordered away (STRAT-07)."""
    told = account_of(war(army("A"), army("B", 5, flanks=(FlankOrder(x=200, y=200, infantry=0),))), 0)
    occupied = "Nobody defended the place, so it is occupied without a battle."
    assert told[1:] == (occupied, "A lost none of 9,000 men, B had no men.")


def test_rcpt_04_names_with_wiki_markup_are_escaped_as_in_the_receipt() -> None:
    name = "'''[[x]]\n{{t}}"
    flanks = tuple(FlankOrder(label=f"{name} {place}", x=place, y=200) for place in (200, 210))
    inputs = replace(
        war(army(name, 3_000, flanks=flanks), army(f"B {name}", 12_000), location=Location(name=f"C {name}")),
        name=name,
    )
    receipt = receipt_of(inputs, 0)
    wiki = receipt.wiki()
    told = wiki.splitlines()[1:5]
    assert len(receipt.account) == 4
    assert not any(sign in "\n".join(told)[3:].replace("'''\n", "\n") for sign in ("[[", "{{", "''"))
    assert told[0].startswith("'''B &#39;&#39;&#39;&#91;&#91;x&#93;&#93; &#123;&#123;t&#125;&#125; holds C ")
    assert receipt.account[2].count("'''[[x]] {{t}}") == 4, "both flanks, with their sides, and the side"
    assert read_receipt(wiki) == receipt


@pytest.mark.parametrize("seed", range(12))
def test_r_92_the_account_names_the_loser_s_worst_hour(seed: int) -> None:
    course: dict[int, list[int]] = {0: [9_000, 9_000]}

    def note(battle: Battle, _: object) -> None:
        fights = battle.status < RETREATING
        course[battle.hours] = [int(battle.men[fights & (battle.side == side)].sum()) for side in (0, 1)]

    battle, _, _ = fight_war(war(), seed, note)
    men = np.array([fighting[1 - battle.winner] for fighting in course.values()])
    largest = int(np.argmax(men[:-1] - men[1:])) + 1
    before, after = (f"{left:,}" if left else "none" for left in men[largest - 1 : largest + 1])
    told = account_of(war(), seed)[2]
    assert told.startswith(f"Hour {[*course][largest]} cost the loser most: ")
    assert told.endswith(f" fighting men fell from {before} to {after}.")


@pytest.mark.parametrize("name", ["Killed 5", "= A", "* B", "بريطانيا", "Lost 3 of 4 men, B", "''x'' Corp."])
def test_rcpt_04_a_receipt_with_odd_names_is_read_back(name: str) -> None:
    """Numbers, markup, signs of a wiki's lists and writing from right to left."""
    receipt = receipt_of(war(army(name, 3_000), army(f"{name}, too", 12_000), location=Location(name=name)), 0)
    assert read_receipt(receipt.wiki()) == receipt
    assert receipt.headline == f"{name}, too holds {name}: {name}'s attack is beaten off."


def test_rcpt_04_the_headline_names_fallen_leaders() -> None:
    leaders = [Leader(name=name, nation=(own,)) for name, own in (("Anna", "A"), ("Bruno", "B"))]
    armies = (army(own, 400, flanks=line("Normal", y=y)) for own, y in (("A", 182), ("B", 218)))
    sides = [replace(own, military_leader=leader) for own, leader in zip(armies, leaders, strict=True)]
    found = {receipt_of(war(*sides), seed).headline.partition("; ")[2] for seed in range(60)}
    assert found == {"", "Anna is killed.", "Bruno is killed.", "Anna and Bruno are killed."}
