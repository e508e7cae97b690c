"""Bonuses of leaders: Ada commands (8, 9, 5, 7, 5, 6, 6), Bo is head of state (Attack 3, Authority 2, Cunning 4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.setup.leaders import leader_age, occupation_factor, skill
from engine.autoalgo.setup.variables import SideVariables, side_variables
from engine.explained import Term
from tests.helpers.hand_made_war import COMMANDER, HEAD, LED, SIDE, TABLES, WAR

PLAIN = side_variables(WAR, 0, TABLES)
WITH_LEADERS = side_variables(LED, 0, TABLES)
INFANTRY = 0


def test_lead_b1_attack_multiplies_effectiveness() -> None:
    """(1 + 0.3)·3·(0.8 + 1)."""
    assert WITH_LEADERS.effectiveness[INFANTRY].value == pytest.approx(7.02)


def test_lead_b1_attack_of_the_head_of_state_multiplies_the_occupation() -> None:
    """(0.3 + 0.1)·10; the base itself stays as it is (OCC-08)."""
    factor = occupation_factor(HEAD, TABLES.constants)

    assert factor is not None
    assert factor.value == pytest.approx(4)
    assert WITH_LEADERS.occupation_base == PLAIN.occupation_base


BONUSES = [
    ("LEAD-B2", "defense", 0.09),
    ("LEAD-B4", "capacity", 0.07),  # of the commander
    ("LEAD-B4", "innate_stability", 0.02),  # of the head of state
    ("LEAD-B5", "limitation", 0.05),
    ("LEAD-B5", "economy", 0.04),
    ("LEAD-B6", "morale_bonus", 0.16),  # (0.6 + 1)/10
    ("LEAD-B7", "efficiency", 0.06),
]


def test_each_skill_raises_its_variables() -> None:
    found = []
    for rule, name, _ in BONUSES:
        values = [getattr(variables, name) for variables in (WITH_LEADERS, PLAIN)]
        led, plain = (value[INFANTRY] if isinstance(value, tuple) else value for value in values)
        found.append((rule, name, round(led.value - plain.value, 9)))
    assert found == BONUSES


def test_r_07_a_skill_is_a_tenth_of_its_rating() -> None:
    assert skill(7, TABLES.constants) == pytest.approx(0.7)


def test_r_33_a_side_without_leaders_gets_no_bonus_at_all() -> None:
    """Not even the base of LEAD-B1 and LEAD-B6."""
    assert all(variable.bonus is None for variable in PLAIN.all())
    assert occupation_factor(None, TABLES.constants) is None


def test_lead_09_one_person_in_both_posts_gives_both_sets() -> None:
    both = replace(WAR, attacker=replace(SIDE, military_leader=COMMANDER, national_leader=COMMANDER))

    variables = side_variables(both, 0, TABLES)

    assert variables.capacity.bonus == variables.innate_stability.bonus == Term("Authority of Ada", "7", 0.7 / 10)
    assert variables.limitation[INFANTRY].bonus == variables.economy.bonus == Term("Cunning of Ada", "5", 0.5 / 10)


def test_var_05_the_leaders_bonus_is_shown() -> None:
    def bonuses(variables: SideVariables) -> list[str]:
        return sorted({one.bonus.input for one in variables.all() if one.bonus})

    assert bonuses(WITH_LEADERS) == [
        "Attack of Ada",
        "Authority of Ada",
        "Authority of Bo",
        "Cunning of Ada",
        "Cunning of Bo",
        "Defense of Ada",
        "Martial of Ada",
        "Zeal of Ada",
    ]


@pytest.mark.parametrize(
    ("birth_year", "age"), [(960, 40), (1000, 0), (-20, 1020), (None, 30), (1001, 30)], ids=lambda number: str(number)
)
def test_lead_08_age_is_30_where_the_birth_year_is_missing_or_impossible(birth_year: int | None, age: int) -> None:
    war: WarInputs = WAR

    assert leader_age(replace(COMMANDER, birth_year=birth_year), war.year, TABLES.constants) == age
