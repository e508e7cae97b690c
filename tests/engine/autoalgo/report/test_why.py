"""The section Why: stability, occupation and losses, term by term (R-93)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.records import Leader
from engine.autoalgo.resolve import Autoalgo
from engine.rng import Rng
from engine.ruleset import Outcome
from scripts.support.pinned_tables import tables
from scripts.support.small_battles import army, line, war

AUTOALGO = Autoalgo(tables())
KING = Leader(name="King", nation=("B",), birth_year=1560, attack=8)
ROSE, FELL = "  It rose although ", "  It fell although "


def ruled(inputs: WarInputs, seed: int) -> Outcome:
    return AUTOALGO.resolve(inputs, Rng(seed))


def section(outcome: Outcome, heading: str) -> list[str]:
    """Return the terms below a heading."""
    (start,) = (place for place, row in enumerate(outcome.why) if row.startswith(heading))
    terms = []
    for row in outcome.why[start + 1 :]:
        if not row.startswith("  "):
            break
        terms.append(row)
    return [outcome.why[start], *terms]


def total(start: float, terms: Sequence[str]) -> float:
    """Return what the terms come to, from left to right."""
    for term in terms:
        if found := re.match(r"  ([×−+]) ([\d.,]+): ", term):
            value = float(found[2].replace(",", ""))
            start = {"×": start * value, "−": start - value, "+": start + value}[found[1]]
    return start


def king_of_b(inputs: WarInputs) -> WarInputs:
    """The war for B's capital, with one person who leads B and its army."""
    nation = replace(inputs.defender.nation, capital=inputs.location.name)
    return replace(inputs, defender=replace(inputs.defender, nation=nation, military_leader=KING, national_leader=KING))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("inputs", [war(), king_of_b(war())], ids=["plain", "king"])
def test_stab_04_terms_add_up_to_the_written_stability(inputs: WarInputs, seed: int) -> None:
    outcome = ruled(inputs, seed)
    for name, change in zip(("A", "B"), outcome.updates, strict=False):
        head, *terms = section(outcome, f"{name}'s stability (STAB-04): ")
        (result,) = (term for term in terms if term.startswith("  = "))
        before, after = change.before, float(result[4:].split(",")[0])
        assert head.endswith(f": {before:g} before the war")
        assert after == change.after
        assert isinstance(before, float | int)
        assert total(before, terms) == pytest.approx(after, abs=0.15)


def test_stab_02_and_03_lost_capital_and_dead_leader_are_terms() -> None:
    outcomes = [ruled(king_of_b(war(army("A"), army("B", 3_000))), seed) for seed in range(12)]
    killed = next(found for found in outcomes if "King, killed" in found.receipt.text() and found.winner == "Attacker")
    terms = section(killed, "B's stability")
    assert "  × 0.6: its capital is lost (STAB-02)" in terms
    assert any(re.fullmatch(r"  × 0\.(7|55): its national leader is killed \(STAB-03\)", term) for term in terms)
    assert not any(term.startswith((ROSE, FELL)) for term in terms), "no wonder"


def with_stability(inputs: WarInputs, stability: float) -> WarInputs:
    return replace(
        inputs,
        attacker=replace(inputs.attacker, nation=replace(inputs.attacker.nation, stability=stability)),
        defender=replace(inputs.defender, nation=replace(inputs.defender.nation, stability=stability)),
    )


def test_r_93_a_defeat_that_raises_stability_gets_a_remark() -> None:
    outcome = ruled(with_stability(war(army("A"), army("B", 60)), 1), 1)
    assert section(outcome, "B's stability")[-1] == f"{ROSE}56 of 60 men were lost: luck added 3.94 points."
    beaten = ruled(with_stability(war(army("A"), army("B", 3_000)), 0), 0)
    assert section(beaten, "B's stability")[-1].startswith(f"{ROSE}the battle was lost: ")


def test_r_93_a_victory_that_lowers_stability_gets_a_remark() -> None:
    outcome = ruled(with_stability(war(army("A"), army("B", 60)), 190), 0)
    last = section(outcome, "A's stability")[-1]
    assert re.fullmatch(rf"{FELL}the battle was won: Innate Stability cost [\d.]+ points\.", last)


def test_r_93_stability_at_its_bound_gets_a_remark() -> None:
    outcome = ruled(with_stability(war(army("A"), army("B", 60)), 0), 0)
    assert not any("kept within" in row for row in outcome.why)
    broken = with_stability(war(army("A", 500_000), army("B", 400_000)), 0)
    rows = [row for seed in range(4) for row in ruled(broken, seed).why if "kept within" in row]
    assert "  = 0, Anarchy (kept within 0 to 200)" in rows


@pytest.mark.parametrize("seed", range(4))
def test_occ_08_factors_multiply_to_the_score(seed: int) -> None:
    outcome = ruled(king_of_b(war()), seed)
    head, *terms, result = section(outcome, "Occupation by ")
    start = re.search(r"\(OCC-08\): ([\d.]+), its Occupation Base", head)
    assert start is not None
    score = re.fullmatch(r"  = ([\d.]+); log\(\1 \+ 1\) = ([\d.]+), (.+) \((R-23|WAR-12)\)", result)
    assert score is not None
    assert total(float(start[1]), terms) == pytest.approx(float(score[1]), rel=0.01)
    assert outcome.figures["Occupation"] == f"{score[3]} ({score[2]})"
    assert (score[3] == "nothing is taken", score[4] == "WAR-12") == (outcome.winner == "Defender",) * 2
    assert any("Attack of its national leader" in term for term in terms) is (outcome.winner == "Defender")


@pytest.mark.parametrize("seed", range(4))
def test_r_29_losses_by_cause_and_phase_agree_with_the_receipt(seed: int) -> None:
    outcome = ruled(war(army("A"), army("B", 3_000)), seed)
    for name, figure in (("A", "Attacker Losses"), ("B", "Defender Losses")):
        head, *causes, decision = section(outcome, f"Losses of {name}: ")
        lost = str(outcome.figures[figure]).split()[0]
        assert head == f"Losses of {name}: {lost} of {9_000 if name == 'A' else 3_000:,} men"
        men = int(lost.replace(",", ""))
        assert sum(int(cause.split()[0].replace(",", "")) for cause in causes) == men
        found = re.fullmatch(
            r"  ([\d,]+) of them before the battle was decided, ([\d,]+) after that \(R-29\)", decision
        )
        assert found is not None
        assert sum(int(part.replace(",", "")) for part in found.groups()) == men


def test_r_13_an_undecided_battle_has_no_losses_before_the_decision() -> None:
    holding = (army(name, flanks=line("Position", y=y)) for name, y in (("A", 100), ("B", 300)))
    assert section(ruled(war(*holding), 1), "Losses of B: ") == ["Losses of B: 0 of 9,000 men"]
