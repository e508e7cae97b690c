"""Arms of later ages against earlier ones: a sample of all, and each that replaced another."""

from __future__ import annotations

from itertools import combinations

from plausibility.adapter import adapter_numbers
from plausibility.ages import duels, eras

from tests.history.rows import DATA, arena, library

SUCCESSIONS = (DATA / "successions.txt").read_text("utf-8").split("\n\n")
"""Units of foot, horse, guns and ships that the same armies had one after the other, or that others beat them with."""
RAW = library().raw("autoalgo")
SAMPLE = (
    ("Gendarme", "Horse archer and cataphract"),
    ("Reiter", "Horse archer and cataphract"),
    ("Dragoon", "Horse archer and cataphract"),
    ("Norman Knight", "Auxiliary horse"),
    ("Sabre cavalry", "Gallic horse"),
    ("Late Roman foot (comitatenses)", "Mixed African, Gallic and Iberian foot"),
    ("Late Roman foot (comitatenses)", "Legionary (manipular)"),
    ("Caravel", "Quinquereme with boarding bridge"),
)


def test_unit_16_units_before_firearms_have_no_open_order() -> None:
    """Ten units of Rome and its enemies did, and hit so much harder for it."""
    early = {era.unit for era in eras(RAW) if era.first < 1400}
    dispersions = {unit["Name"]: unit.get("Dispersion", 1) for unit in RAW["units"]["units"]}

    assert len(early) > 80
    assert {unit for unit in early if dispersions[unit] != 1} == set()


def test_unit_16_the_later_unit_of_a_pair_has_a_chance() -> None:
    """Each won at most one battle of ten before."""
    odds = duels(arena(), RAW, adapter_numbers(), SAMPLE, 60, 0)

    assert {pair: p for pair, p in odds.items() if p < 0.12} == {}


def replaced(arm: str) -> list[tuple[str, str]]:
    """Return each unit of an arm with every earlier one of its line, the later one first."""
    chains = [line.split(" > ") for line in arm.strip().splitlines()]
    return sorted({(later, earlier) for chain in chains for earlier, later in combinations(chain, 2)})


def test_unit_16_no_arm_loses_to_one_that_it_replaced() -> None:
    """Legionaries won 23 of 100 battles against hoplites before, and a fifth of all such pairs was upside down."""
    wanted = [pair for arm in SUCCESSIONS for pair in replaced(arm)]
    assert len(wanted) > 350
    assert {("Legionary", "Hoplite"), ("Ship of the Line", "Longship")} <= {*wanted}

    odds = duels(arena(), RAW, adapter_numbers(), wanted, 200, 0)

    assert {pair: p for pair, p in odds.items() if p < 0.35} == {}
    assert sum(p < 0.45 for p in odds.values()) < 0.06 * len(odds)  # of 1,000 battles a pair .02 are
