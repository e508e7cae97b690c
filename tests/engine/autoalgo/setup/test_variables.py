"""The variables, by rule id, against numbers worked out by hand for the war in `tests/helpers/hand_made_war.py`."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.autoalgo.inputs import WarInputs
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import SideVariables, drill, side_variables, training_mean, weighted_average
from engine.explained import Explanation, Term
from scripts.support.pinned_tables import tables, tables_with
from tests.helpers.example_budget import BUDGET, LAW
from tests.helpers.hand_made_war import CATAPULT, HEAD, MILITARY, PINNED, SHIP, SIDE, SPEARMAN, TABLES, WAR
from tests.helpers.random_wars import wars

INFANTRY, CAVALRY, ARTILLERY, SHIPS = range(4)


def attacker(war: WarInputs = WAR, numbers: Tables = TABLES) -> SideVariables:
    return side_variables(war, 0, numbers)


def defender(war: WarInputs = WAR, numbers: Tables = TABLES) -> SideVariables:
    return side_variables(war, 1, numbers)


def with_nation(**columns: Any) -> WarInputs:
    return replace(WAR, attacker=replace(SIDE, nation=replace(SIDE.nation, **columns)))


def term(variable: Explanation, name: str) -> Term:
    return next(part for part in variable.terms if name in part.input)


def test_var_01_a_variable_is_the_weighted_average_of_its_terms() -> None:
    terms = [Term("Trenches", "", 0.3, 3), Term("Castle", "", 0.55, 3), Term("u", "", 0.4, 2), Term("t", "", 0.5, 2)]

    assert weighted_average(terms, 0, 1).value == pytest.approx(0.435)


def test_r_01_weights_are_numbers_of_a_table() -> None:
    """Minor terms alone: with majors and moderates at almost nothing the six minor terms make the average."""
    light = tables_with(PINNED | {"weights/major": 1e-12, "weights/moderate": 1e-12})

    # (0.96 + 0.97 + 0.94 + 0.93 + 0.94 + 0.93) / 6
    assert attacker(numbers=light).innate_stability.value == pytest.approx(0.945)


def test_var_03_a_pair_is_looked_up_by_both_values() -> None:
    pair = term(attacker().innate_stability, "Federal Government–State Government")

    assert (pair.found, pair.value, pair.weight) == ("Monarchy, Feudal", 0.93, 3)


def test_var_04_terms_are_clamped_before_averaging() -> None:
    """Steel for 400,000 men counts 1, not 80."""
    efficiency = attacker(with_nation(steel_production=400_000)).efficiency[INFANTRY]

    assert term(efficiency, "Steel").value == 1
    assert efficiency.value == pytest.approx(
        (0.64 * 3 + 0.6 * 3 + 1 * 2 + 0.3 * 2 + 0.4 * 2 + 0.5 * 2 + 0.5 + 0.6) / 16
    )


def test_var_04_the_variable_is_clamped_after_the_bonus() -> None:
    led = replace(WAR, attacker=replace(SIDE, national_leader=replace(HEAD, authority=10)))

    innate = attacker(led).innate_stability  # 0.938 + 0.1

    assert innate.value == 1
    assert "VAR-04" in innate.note


def test_var_05_terms_add_up_to_the_number() -> None:
    """The log prints input, value, number and weight of each term as they were computed."""
    defense = defender().defense[INFANTRY]

    assert [(part.input, part.found, part.value, part.weight) for part in defense.terms] == [
        ("Mobile Defenses", "Trenches", 0.3, 3),
        ("Fortifications", "Castle", 0.55, 3),
        ("Defense (unit)", "Spearman", 0.4, 2),
        ("Training/10", "6.4", 0.64, 2),
    ]
    assert defense.line().startswith('Defense, infantry 0.463 = (Mobile Defenses "Trenches" 0.3 ×3 + ')


def test_var_06_each_unit_type_has_four_variables() -> None:
    variables = attacker(replace(WAR, attacker=replace(SIDE, units=(None, SPEARMAN, CATAPULT, SHIP))))

    for variable in (variables.efficiency, variables.limitation, variables.defense, variables.effectiveness):
        assert [bool(of_type.terms) for of_type in variable] == [False, True, True, True]
        assert variable[INFANTRY].value == 0
    assert len(variables.all()) == 4 * 4 + 3 + 8  # three types have a Defense without the field works too


def test_var_stab_innate_stability_has_its_terms() -> None:
    expected = 0.94 * 3 + 0.93 * 3 + 0.88 * 2 + 0.99 * 2 + 0.93 * 2 + 0.96 + 0.97 + 0.94 + 0.93 + 0.94 + 0.93

    assert attacker().innate_stability.value == pytest.approx(expected / 18)
    assert attacker().innate_stability.value == pytest.approx(0.937777777)


def test_var_econ_economy_has_its_terms() -> None:
    """Income log(100,000,000/100,000)/6 = 0.5; harvest log(10,000)/7; herds log(10,000)/7; awakening 0.6."""
    assert attacker().economy.value == pytest.approx((0.5 * 3 + 4 / 7 * 2 + 4 / 7 * 2 + 0.6) / 8)


def test_var_eff_efficiency_has_its_terms() -> None:
    """Steel 4000/(1000·1·0.5·10) = 0.8; budget 300,000/(1000·1·1000) = 0.3."""
    assert attacker().efficiency[INFANTRY].value == pytest.approx(8.82 / 16)


def test_var_lim_limitation_has_its_terms() -> None:
    """Root of 0.64 is 0.8; 2.5·300,000/100,000,000 = 0.0075."""
    expected = (0.8 * 3 + 0.45 * 3 + 0.0075 * 2 + 0.5 + 0.5 + 0.5 + 0.58) / 12

    assert attacker().limitation[INFANTRY].value == pytest.approx(expected)


def test_var_def_defense_has_its_terms() -> None:
    assert defender().defense[INFANTRY].value == pytest.approx(0.463)


def test_r_03_only_the_defender_has_fortifications() -> None:
    """The attacker's fortification term counts as none, with its weight."""
    defense = attacker().defense[INFANTRY]

    assert defense.value == pytest.approx((0.3 * 3 + 0 * 3 + 0.4 * 2 + 0.64 * 2) / 10)
    assert term(defense, "Fortifications").found == "none"
    assert term(attacker().capacity, "Fortifications").value == 0.08


def test_r_121_without_field_works_their_term_counts_as_none() -> None:
    """With its weight; under `source` they are part of every Defense."""
    found = defender()
    source = defender(numbers=tables_with(PINNED | {"constants/R-121/applies": 0}))

    assert found.open_defense[INFANTRY].value == pytest.approx((0 * 3 + 0.55 * 3 + 0.4 * 2 + 0.64 * 2) / 10)
    assert [one.name for one in found.all() if "works" in one.name] == [
        "Defense, infantry, without field works",
        "Defense, ship, without field works",
    ]
    assert source.open_defense == source.defense
    assert len(source.all()) == len(found.all()) - 2


def test_var_cap_capacity_has_its_terms() -> None:
    assert defender().capacity.value == pytest.approx((0.14 * 3 + 0.12 * 3 + 0.08 * 3 + 0.11 * 3 + 0.1 + 0.12) / 14)


def test_var_cap_logistics_are_the_best_of_the_land_types() -> None:
    with_catapult = replace(WAR, attacker=replace(SIDE, units=(CATAPULT, SPEARMAN, None, SHIP)))
    navy = replace(WAR, attacker=replace(SIDE, units=(None, None, None, SHIP)))

    assert term(attacker(with_catapult).capacity, "Logistics").found == "Rural, Foraging"
    assert term(attacker(navy).capacity, "Logistics").found == "Rural, Uses roads"


def test_var_mor_morale_bonus_has_its_terms() -> None:
    expected = (1 * 3 + 1.08 + 1.05 + 1.1 + 1 + 1 + 1 + 1 + 1.04 + 1.02) / 12

    assert attacker().morale_bonus.value == pytest.approx(expected)


def test_var_efv_effectiveness_is_a_product() -> None:
    """(1 + 0.3) · 3, above 1 and not clamped."""
    assert attacker().effectiveness[INFANTRY].value == pytest.approx(3.9)


def test_var_siege_depends_on_location_and_artillery() -> None:
    """R-04: the highest of 3, 0, 0 over 10."""
    war = replace(WAR, attacker=replace(SIDE, units=(SPEARMAN, None, CATAPULT, SHIP)))

    assert attacker(war).siege_rate.value == pytest.approx(0.01 + 0.3)


def test_r_04_the_siege_rate_is_limited_to_0_to_1() -> None:
    bombard = replace(CATAPULT, power=(0, 10, 6))
    war = replace(WAR, attacker=replace(SIDE, units=(SPEARMAN, None, bombard, SHIP)))

    assert attacker(war).siege_rate.value == 1


def test_var_occ_is_the_product_of_its_factors() -> None:
    assert defender().occupation_base.value == pytest.approx(12182.567957)
    assert attacker().occupation_base.value == pytest.approx(10635.575200)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("Population", 100, id="OCCB-1"),  # cube root of a million
        pytest.param("Urban^", 0.7810712188, id="OCCB-2"),  # 0.1^1.10731 · 10
        pytest.param("Power", 3, id="OCCB-3"),  # log(8,751,240/8760 + 1)
        pytest.param("Arable", 6.9968968063, id="OCCB-4"),  # 2·log(1,000,000·630·0.5/100,000 + 1)
        pytest.param("Age", 2.4820155765, id="OCCB-5"),  # log(315·0.96·1·(3700/3700) + 1)
        pytest.param("Civilization", 1.8, id="OCCB-6"),
        pytest.param("Animals", 1.2, id="OCCB-6"),
        pytest.param("Writing", 1.1, id="OCCB-6"),
        pytest.param("Medicine", 1.0, id="OCCB-6"),
        pytest.param("Fortifications", 1.26, id="OCCB-7"),
    ],
)
def test_occb_1_to_occb_7_each_factor_follows_its_formula(name: str, expected: float) -> None:
    """OCCB-1, OCCB-2, OCCB-3, OCCB-4, OCCB-5, OCCB-6, OCCB-7."""
    assert term(defender().occupation_base, name).value == pytest.approx(expected)


def test_occb_7_roads_serve_the_attacker_and_works_the_defender() -> None:
    """R-41: roads for the attacker, works for the defender, the other one left out."""
    assert [part.input for part in attacker().occupation_base.terms][-1] == "Road System"
    assert [part.input for part in defender().occupation_base.terms][-1] == "Fortifications"
    assert len(attacker().occupation_base.terms) == 10


def test_r_06_factors_have_a_lower_bound() -> None:
    """No power, no land, no townspeople, a crop of yesterday: the base is small, but above 0."""
    poor = attacker(
        with_nation(power_consumption=0, arable_land=0, urban_population=0, age_of_civilization=1500)
    ).occupation_base

    assert term(poor, "Power").value == 0.1
    assert term(poor, "Arable").value == 0.1
    # 0.001^1.10731 · 10 = 0.0048
    assert term(poor, "Urban^").value == 0.1
    # Age counts 1: log(315·0.96/3700 + 1) = 0.034
    assert term(poor, "Age").value == 0.1
    assert poor.value > 0


def test_occb_4_and_occb_5_as_printed_have_the_logarithm_of_x() -> None:
    """R-06 of `source`: 2 · log(3,150) and log(315 · 0.96); what is not above 1 counts 0.1 (R-02)."""
    printed = tables_with(PINNED | {"constants/R-06/applies": 0})
    base = defender(numbers=printed).occupation_base
    assert term(base, "Arable").value == pytest.approx(6.9966211075)
    assert term(base, "Age").value == pytest.approx(2.4805817867)
    poor = attacker(with_nation(arable_land=0, age_of_civilization=1500), printed).occupation_base
    assert (term(poor, "Arable").value, term(poor, "Age").value) == (0.1, 0.1)


def test_r_02_logarithms_of_less_than_1_count_as_0() -> None:
    """A GDP of 50,000 for 100,000 townspeople is no negative income."""
    assert term(attacker(with_nation(gdp=50_000)).economy, "GDP").value == 0
    assert term(attacker(with_nation(gdp=150_000)).economy, "GDP").value == pytest.approx(0.1760912591 / 6)


def test_r_05_power_in_efficiency_is_the_mean() -> None:
    """Powers 0, 1, 0.5: 4000/(1000·1·0.5·10)."""
    assert term(attacker().efficiency[INFANTRY], "Steel").value == pytest.approx(0.8)


def test_r_35_divisors_that_may_be_0() -> None:
    """Urban 0 counts 0.001: log(100,000,000/1000)/6 = 5/6; GDP 0 counts 1; mean power 0 counts 0.01."""
    unarmed = replace(SPEARMAN, power=(0, 0, 0))
    war = with_nation(urban_population=0, steel_production=10)
    war = replace(war, attacker=replace(war.attacker, units=(unarmed, None, None, SHIP)))

    assert term(attacker(war).economy, "GDP").value == pytest.approx(5 / 6)
    assert term(attacker(war).efficiency[INFANTRY], "Steel").value == pytest.approx(10 / (1000 * 0.01 * 10))
    broke = with_nation(gdp=0)
    broke = replace(broke, attacker=replace(broke.attacker, military=replace(MILITARY, budget=0.1)))
    assert term(attacker(broke).limitation[INFANTRY], "Budget").value == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("government", "civilization", "share"),
    [
        ("Monarchy", "Medieval", 0.07),
        ("Dictatorship", "Medieval", 0.07),
        ("Monarchy", "Nomadic", 1),
        ("Proletariat", "Industrial", 0.2),
        ("Dictatorship", "Early Modern", 0.2),
        ("Republic", "Post-Industrial", 0.1),
    ],
)
def test_max_01_the_maximum_military_follows_its_formula(government: str, civilization: str, share: float) -> None:
    """R-37: 10 % in modern states."""
    war = with_nation(federal_government=government, civilization_type=civilization)

    assert attacker(war).maximum_military.value == pytest.approx(1_000_000 * share)


def test_date_05_resistance_is_generation_times_secular_cycle() -> None:
    """Awakening 1.15 · growth 1.35."""
    assert attacker().resistance.value == pytest.approx(1.5525)
    assert attacker().phases == ("growth", "awakening")


def test_r_42_resistance_stays_within_its_bounds() -> None:
    sturdy = tables_with(PINNED | {"secular_cycles/phases/1/Disease": 4})

    assert attacker(numbers=sturdy).resistance.value == 2
    assert "0.5 to 2" in attacker(numbers=sturdy).resistance.note


def test_lead_10_training_is_the_mean_by_proportion() -> None:
    """A quarter catapults: 0.75·6.4 + 0.25·2."""
    military = replace(MILITARY, infantry_proportion=0.75, artillery_proportion=0.25)
    mixed = replace(SIDE, military=military, units=(SPEARMAN, None, CATAPULT, SHIP))

    assert training_mean(mixed) == pytest.approx(5.3)
    assert training_mean(replace(SIDE, units=(None, None, None, SHIP))) == 3


def test_r_39_types_with_proportion_0_count_equally() -> None:
    military = replace(MILITARY, infantry_proportion=0)

    assert training_mean(replace(SIDE, military=military, units=(SPEARMAN, None, CATAPULT, SHIP))) == pytest.approx(4.2)


def test_mil_15_drill_is_the_root_of_training_over_that_of_the_catalogue() -> None:
    """Three quarters foot of 5 in the catalogue who have 9, a quarter guns of 2: 0.75·9 + 0.25·2 = 7.25 to 4.25."""
    military = replace(MILITARY, infantry_proportion=0.75, artillery_proportion=0.25)
    listed = replace(tables(), units={SPEARMAN.name: replace(SPEARMAN, tactical_training=5.0)})
    trained = replace(SIDE, military=military, units=(replace(SPEARMAN, tactical_training=9.0), None, CATAPULT, SHIP))

    assert drill(trained, listed) == pytest.approx(math.sqrt(8.25 / 5.25))
    assert drill(trained, tables_with({"constants/MIL-15/applies": 0})) == 1


@given(trained=st.floats(0, 10), listed=st.floats(0, 10))
def test_mil_15_better_training_never_lowers_morale(trained: float, listed: float) -> None:
    numbers = replace(tables(), units={SPEARMAN.name: replace(SPEARMAN, tactical_training=listed)})
    values = [
        drill(replace(SIDE, units=(replace(SPEARMAN, tactical_training=of), None, None, SHIP)), numbers)
        for of in sorted((trained, listed, min(trained + 0.1, 10)))
    ]
    assert values == sorted(values)
    assert 1.0 in values


@settings(LAW, max_examples=round(60 * BUDGET))
@given(war=wars(), side=st.sampled_from((0, 1)))
def test_invariant_10_every_variable_is_inside_its_range(war: WarInputs, side: int) -> None:
    variables = side_variables(war, side, tables())

    within_1 = (
        *variables.efficiency,
        *variables.limitation,
        *variables.defense,
        variables.innate_stability,
        variables.economy,
        variables.capacity,
        variables.siege_rate,
    )
    assert all(0 <= variable.value <= 1 for variable in within_1)
    assert 0 <= variables.morale_bonus.value <= 2
    assert all(variable.value >= 0 for variable in variables.effectiveness)
    assert variables.occupation_base.value > 0
    assert 0.5 <= variables.resistance.value <= 2
    assert 0 < variables.maximum_military.value <= war.attacker.nation.population + war.defender.nation.population
    assert 0 <= variables.training_mean <= 10
    assert all(math.isfinite(variable.value) for variable in variables.all())


@settings(LAW, max_examples=round(60 * BUDGET))
@given(war=wars(), side=st.sampled_from((0, 1)))
def test_var_05_the_terms_of_every_average_give_its_value(war: WarInputs, side: int) -> None:
    """Anybody can add up the printed terms; with the bonus and the range they give the printed value."""
    for variable in side_variables(war, side, tables()).all():
        if variable.how == "average" and variable.terms:
            high = 2 if variable.id == "VAR-MOR" else 1
            mean = math.fsum(part.value * part.weight for part in variable.terms) / math.fsum(
                part.weight for part in variable.terms
            )
            bonus = variable.bonus.value if variable.bonus else 0
            assert variable.value == pytest.approx(min(max(mean + bonus, 0), high))


def _changed(before: SideVariables, after: SideVariables) -> list[str]:
    """Return the ids of the variables that differ."""
    return sorted({a.id for b, a in zip(before.all(), after.all(), strict=True) if a.value != b.value})


def test_md_10_field_works_serve_defense_and_budget_efficiency_and_limitation() -> None:
    def equipped(**columns: Any) -> SideVariables:
        return attacker(replace(WAR, attacker=replace(SIDE, military=replace(MILITARY, **columns))))

    assert _changed(attacker(), equipped(mobile_defenses="Gabions")) == ["VAR-DEF"]
    assert _changed(attacker(), equipped(budget=400_000)) == ["VAR-EFF", "VAR-LIM"]


def test_qn_08_weight_classes_are_those_of_the_mapping_tables() -> None:
    """Attrition major, a unit's own Defense moderate, Year Founded moderate."""
    weights = {rule: dict(variable.terms) for rule, variable in TABLES.variables.items()}

    assert weights["VAR-EFF"]["attrition"] == weights["VAR-CAP"]["attrition"] == weights["VAR-MOR"]["attrition"] == 3
    assert weights["VAR-DEF"]["unit_defense"] == 2
    assert weights["VAR-STAB"]["secular_cycle"] == 2
    assert {rule: len(terms) for rule, terms in weights.items()} == {
        "VAR-STAB": 11,
        "VAR-ECON": 4,
        "VAR-EFF": 8,
        "VAR-LIM": 7,
        "VAR-DEF": 4,
        "VAR-CAP": 6,
        "VAR-MOR": 10,
    }


BETTER = {
    "trade": ("innate_stability", "economy"),
    "revenue": ("innate_stability",),
    "writing": ("occupation_base",),
    "medicine": ("occupation_base",),
    "domesticated_animals": ("economy", "occupation_base"),
    "civilization_type": ("occupation_base",),
    "fortifications": ("capacity", "occupation_base", "defense"),
    "road_system": ("capacity", "occupation_base"),
    "attrition": ("capacity", "morale_bonus", "efficiency"),
    "urbanization": ("limitation",),
    "mobile_defenses": ("defense",),
    "soldier_type": ("effectiveness",),
}
"""Ordered columns and the variables that a better value raises."""


@settings(LAW, max_examples=round(60 * BUDGET))
@given(war=wars(), attribute=st.sampled_from(sorted(BETTER)), side=st.sampled_from((0, 1)), data=st.data())
def test_var_02_a_better_value_never_lowers_a_variable(
    war: WarInputs, attribute: str, side: int, data: st.DataObject
) -> None:
    """R-40: rank is one and the same in every variable."""
    header = attribute.replace("_", " ").title()
    ranks = tables().scores.ranks[header]
    by_rank = sorted(ranks, key=ranks.__getitem__)
    worse = data.draw(st.integers(0, len(by_rank) - 2))
    better = data.draw(st.integers(worse + 1, len(by_rank) - 1))

    low = side_variables(_with(war, side, attribute, by_rank[worse]), side, tables())
    high = side_variables(_with(war, side, attribute, by_rank[better]), side, tables())

    for name in BETTER[attribute]:
        assert all(a >= b - 1e-12 for a, b in zip(_values(high, name), _values(low, name), strict=True)), name


def _values(variables: SideVariables, name: str) -> list[float]:
    found = getattr(variables, name)
    return [variable.value for variable in found] if isinstance(found, tuple) else [found.value]


def _with(war: WarInputs, side: int, attribute: str, value: str) -> WarInputs:
    """Return the war with one word of one side, or of the location, replaced."""
    own = (war.attacker, war.defender)[side]
    change: dict[str, Any] = {attribute: value}
    if hasattr(war.location, attribute):
        return replace(war, location=replace(war.location, **change))
    if hasattr(own.nation, attribute):
        own = replace(own, nation=replace(own.nation, **change))
    elif hasattr(own.military, attribute):
        own = replace(own, military=replace(own.military, **change))
    else:
        infantry, cavalry, artillery, ship = (unit and replace(unit, **change) for unit in own.units)
        own = replace(own, units=(infantry, cavalry, artillery, ship))
    return replace(war, attacker=own) if side == 0 else replace(war, defender=own)
