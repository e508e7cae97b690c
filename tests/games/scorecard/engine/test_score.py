"""Modifiers of a sum, winner and territory."""

from fractions import Fraction
from typing import Any

import pytest

from engine.scorecard.aftermath import ScoreRuling, ruling
from engine.scorecard.general import CommanderRolls
from engine.scorecard.inputs import Override, ScoreBelligerent, ScoreInputs
from engine.scorecard.score import scores
from engine.settings import Setting
from tests.games.scorecard.engine.wars import TABLES, attacker, defender, leader, nation, war

DISARRAY = nation("France", civil_disarray=True)
KILLED, FINE = 9, 0


def ruled(inputs: ScoreInputs, attackers: int | None = FINE, defenders: int | None = FINE) -> ScoreRuling:
    tables = TABLES.having(inputs.settings)
    rolls = CommanderRolls(attackers, 4), CommanderRolls(defenders, 4)
    return ruling(inputs, *scores(inputs, *rolls, tables), tables)


def totals(inputs: ScoreInputs, **fates: Any) -> tuple[object, object]:
    found = ruled(inputs, **fates)
    return found.attacker.total, found.defender.total


def test_sc_ex_13_sc_20_sc_23_sc_op_09_modifiers_multiply_then_subtract() -> None:
    """Factor sum 60, in civil disarray, ruler killed: 60 × 1.5 − 10 = 80."""
    ruler = leader(role="Ruler")
    side = defender(nation=DISARRAY, general=ruler, overrides=(Override("SC-06", 42),))
    found = ruled(war(defender=side), defenders=KILLED).defender

    assert found.sum == 60
    assert [(modifier.explained.id, modifier.text, modifier.total) for modifier in found.modifiers] == [
        ("SC-20", "× 1.5", Fraction(90)),
        ("SC-23", "−10", Fraction(80)),
    ]
    assert found.total == 80


def test_sc_20_disarray_helps_only_a_defender() -> None:
    inputs = war(attacker=attacker(nation=nation("Spain", civil_disarray=True)), defender=defender(nation=DISARRAY))

    assert totals(inputs) == (18, 27)


@pytest.mark.parametrize(
    ("role", "fate", "leader_killed", "total"),
    [
        ("General", KILLED, False, 18),
        ("Ruler", KILLED, False, 8),
        ("Ruler", FINE, False, 23),
        ("General", FINE, True, 13),
        ("Ruler", FINE, True, 13),
        ("Ruler", KILLED, True, 8),
    ],
)
def test_sc_23_sc_op_07_sc_op_24_a_killed_leader_costs_ten_points_once(
    role: str, fate: int, leader_killed: bool, total: int
) -> None:
    """A plain side has 18; its general, when alive, adds 5."""
    side = defender(general=leader(role=role), leader_killed=leader_killed)

    assert totals(war(defender=side), defenders=fate)[1] == total


def test_sc_op_07_a_leader_not_in_command_can_be_killed() -> None:
    assert totals(war(attacker=attacker(leader_killed=True))) == (8, 18)


def test_sc_24_the_higher_total_wins() -> None:
    found = ruled(war(attacker=attacker(location=5)))

    assert (found.winner.side.side, found.margin, found.is_tie) == ("Attacker", Fraction(5), False)


def test_sc_op_14_at_equal_totals_the_defender_holds() -> None:
    found = ruled(war())

    assert (found.winner.side.side, found.margin, found.is_tie) == ("Defender", Fraction(0), True)


def test_sc_op_29_totals_are_compared_unrounded() -> None:
    found = ruled(war(attacker=attacker(nation=nation("Spain", stability=0.0002))))

    assert (found.winner.side.side, found.margin) == ("Attacker", Fraction(1, 10_000))


def test_sc_21_attacking_countries_set_the_threshold() -> None:
    cases = [(1, "100/3"), (2, "50"), (3, "60"), (4, "200/3"), (5, "500/7"), (6, "75")]
    assert [
        (countries, percent, ruled(war(attacking_countries=countries)).threshold, Fraction(percent))
        for countries, percent in cases
        if ruled(war(attacking_countries=countries)).threshold != Fraction(percent)
    ] == []


def test_sc_op_10_suppliers_and_withdrawn_nations_do_not_attack() -> None:
    listed = [("A", "L"), ("B", "M"), ("C", "S"), ("D", "MW"), ("E", "SM"), ("F", "V"), ("G", "")]
    side = attacker(belligerents=tuple(ScoreBelligerent(*cells) for cells in listed))

    assert ruled(war(attacker=side)).countries == 3
    assert ruled(war(attacker=side, attacking_countries=7)).countries == 7
    assert ruled(war()).countries == 1
    assert ruled(war(attacker=attacker(belligerents=(ScoreBelligerent("A", "LW"),)))).countries == 1


@pytest.mark.parametrize(
    ("base", "united", "disarray", "taken", "is_transplant"),
    [
        (30, True, False, "30", False),
        (30, False, False, "45", True),
        (80, False, False, "100", True),
        (33.33, True, False, "33.33", False),
        (33.34, True, False, "33.34", True),
        (90, False, True, "0", False),
    ],
)
def test_sc_22_sc_op_15_an_attacker_takes_territory(
    base: float, united: bool, disarray: bool, taken: str, is_transplant: bool
) -> None:
    inputs = war(
        attacker=attacker(location=5, nation=nation("Spain", civil_disarray=disarray)),
        defender=defender(nation=nation("France", fully_united=united)),
        territory_taken=base,
    )
    found = ruled(inputs).territory

    assert found is not None
    assert (found.taken, found.is_transplant) == (Fraction(taken), is_transplant)


def test_sc_op_28_a_defender_s_gain_is_not_a_transplant() -> None:
    inputs = war(
        attacker=attacker(nation=nation("Spain", fully_united=False)), defender=defender(location=5), territory_taken=40
    )
    found = ruled(inputs).territory

    assert found is not None
    assert (found.taken, found.is_transplant) == (Fraction(60), None)


def test_sc_op_23_a_stalemate_moves_no_border() -> None:
    assert ruled(war(territory_taken=40)).territory is None


def test_a_workbook_s_numbers_replace_the_tables() -> None:
    own = (
        Setting(name="constants/SC-07/army_factor", value=7),
        Setting(name="constants/SC-23/leader_killed_points", value=-20),
    )
    inputs = war(attacker=attacker(nation=nation("Spain", army_score=2), leader_killed=True), settings=own)

    assert totals(inputs) == (18 + 14 - 20, 18)
