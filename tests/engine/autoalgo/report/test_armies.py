"""Losses of the armies in the database after a war (R-94)."""

from __future__ import annotations

from dataclasses import replace

from engine.autoalgo.inputs import FlankOrder, WarInputs
from engine.autoalgo.records import Location
from engine.autoalgo.resolve import Autoalgo
from engine.receipt import SeasonOptions
from engine.rng import Rng
from engine.ruleset import Outcome
from scripts.support.pinned_tables import tables
from scripts.support.small_battles import army, fleet, terrain, war

AUTOALGO = Autoalgo(tables())
STRAIT = Location(name="Strait", climate="Ocean", attrition="At Sea")
APPLY, TELL = SeasonOptions(losses="apply"), SeasonOptions(losses="tell")


def ruled(inputs: WarInputs, seed: int) -> Outcome:
    return AUTOALGO.resolve(inputs, Rng(seed))


def changes(outcome: Outcome) -> list[tuple[str, str, object, object]]:
    return [(update.row, update.field, update.before, update.after) for update in outcome.losses]


def left_of(outcome: Outcome, side: str) -> int:
    """The men that a side has left, by its figures."""
    lost, men = str(outcome.figures[f"{side} Losses"]).partition(" (")[0].replace(",", "").split(" of ")
    return int(men) - int(lost)


def told(outcome: Outcome) -> list[str]:
    """The events of the armies after the war."""
    return [event.text for event in outcome.events if event.id == "R-94"]


def sea(attacker_ships: int, defender_ships: int) -> WarInputs:
    return war(fleet("A", attacker_ships), fleet("B", defender_ships), ground=terrain("Water"), location=STRAIT)


def test_r_94_losses_are_subtracted_from_size() -> None:
    outcome = ruled(war(), 2)
    assert left_of(outcome, "Attacker") < 9_000
    assert changes(outcome) == [
        ("Army of A (A)", "Size", 9_000, left_of(outcome, "Attacker")),
        ("Army of B (B)", "Size", 9_000, left_of(outcome, "Defender")),
    ]
    assert {update.tab for update in outcome.losses} == {"Militaries"}


def test_r_94_only_a_season_that_applies_losses_changes_the_armies() -> None:
    outcome = ruled(war(), 2)
    assert outcome.in_season(TELL).updates == outcome.updates
    applied = outcome.in_season(APPLY)
    assert applied.updates == (*outcome.updates, *outcome.losses)
    assert applied.in_season(APPLY) == applied


def test_r_94_the_log_but_not_the_receipt_gives_the_armies_after_the_war() -> None:
    outcome = ruled(war(), 2)
    assert told(outcome) == ["Size of Army of A (A): 9,000 → 6,437", "Size of Army of B (B): 9,000 → 5,731"]
    assert "Army of A" not in outcome.receipt.wiki()


def test_r_94_without_changes_the_log_gives_the_sizes_to_enter_by_hand() -> None:
    """STAB-05."""
    outcome = ruled(replace(war(), commit_stability=False), 2)
    assert outcome.in_season(APPLY).updates == ()
    assert told(outcome) == told(ruled(war(), 2))


def test_r_94_an_army_on_both_sides_bears_both_losses() -> None:
    mercenaries = replace(army("A").military, nation=("A", "B"), name="Mercenaries")
    inputs = war(replace(army("A"), military=mercenaries), replace(army("B"), military=mercenaries))
    outcome = ruled(inputs, 2)
    lost = 18_000 - left_of(outcome, "Attacker") - left_of(outcome, "Defender")
    assert changes(outcome) == [("Mercenaries (A)", "Size", 9_000, 9_000 - lost)]


def test_r_94_generic_armies_and_armies_without_losses_are_unchanged() -> None:
    holding = (FlankOrder(x=200, y=100, maneuver="Position"),), (FlankOrder(x=200, y=300, maneuver="Position"),)
    apart = ruled(war(army("A", flanks=holding[0]), army("B", flanks=holding[1])), 1)
    assert apart.losses == ()
    assert told(apart) == []
    generic = ruled(war(replace(army("A"), military=tables().defaults.military), army("B")), 2)
    assert [row for row, *_ in changes(generic)] == ["Army of B (B)"]


def test_r_94_sunk_ships_are_subtracted_from_a_typed_number() -> None:
    outcome = ruled(sea(30, 3), 0)
    assert str(outcome.figures["Defender Losses"]).endswith("; 1 ship sunk)")
    assert changes(outcome)[-1] == ("Army of B (B)", "Ship Number", 3, 2)
    derived = replace(fleet("B", 3), military=replace(fleet("B", 3).military, ship_number=0))
    unnumbered = ruled(replace(sea(30, 3), defender=derived), 0)
    assert str(unnumbered.figures["Defender Losses"]).endswith("; 1 ship sunk)")
    assert [field for _, field, *_ in changes(unnumbered)] == ["Size", "Size"]


def test_r_94_losing_the_last_ship_clears_the_transport() -> None:
    """MD-05: a Ship Number of 0 would stand for as many galleys as are needed."""
    outcome = ruled(sea(60, 3), 6)
    assert changes(outcome)[1:] == [
        ("Army of B (B)", "Size", 450, 0),
        ("Army of B (B)", "Ship Number", 3, 0),
        ("Army of B (B)", "Transport", "Galley", None),
    ]
    assert told(outcome)[-1] == "Transport of Army of B (B): Galley → blank"
