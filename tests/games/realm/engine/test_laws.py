"""The rules' invariants, numbered as there, over realms of every kind."""

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.exact import exact
from engine.realm.rating import rate
from engine.realm.setup import formulas
from engine.realm.setup import inputs as orders
from engine.realm.setup.inputs import OrderInputs, Surroundings
from engine.realm.setup.records import City, Realm, RealmLeader, RealmUnit
from engine.rng import Rng
from engine.ruleset import Outcome
from tests.games.realm.engine.courts import NUMBERS, ORDERS, TYPES, city, hero, nation, prisoner, realm, unit
from tests.helpers.example_budget import LAW
from tests.helpers.school_rules import disagreement

REALMS = ("Rome", "Gaul", "Germania", "Carthage")
SEEDS = st.integers(0, 2**64 - 1)


@st.composite
def realms(draw: st.DrawFn, name: str = "Rome") -> Realm:
    return realm(
        name,
        tax_rate=draw(st.integers(0, 100)),
        happiness=draw(st.floats(-60, 100).map(lambda value: round(value, 3))),
        treasury=draw(st.integers(0, 40)),
        fame=draw(st.integers(0, 40)),
        agents=draw(st.integers(1, 30)),
    )


@st.composite
def leaders(draw: st.DrawFn, name: str, **more: Any) -> RealmLeader:
    most = draw(st.integers(1, 8))
    plain: dict[str, Any] = {
        "kind": draw(st.sampled_from(["Hero", "Legend"])),
        "loyalty": draw(st.integers(0, 100)),
        "initial_loyalty": draw(st.integers(0, 100)),
        "pay": draw(st.floats(0, 40).map(lambda value: round(value, 1))),
        "experience": draw(st.integers(0, 120)),
        "health": draw(st.integers(0, most)),
        "max_health": most,
        "former_rulers": tuple(draw(st.sets(st.sampled_from(REALMS[1:])))),
    }
    return hero(name, **plain | more)


@st.composite
def turns(draw: st.DrawFn) -> OrderInputs:
    staff = tuple(draw(leaders(f"Leader {number}")) for number in range(draw(st.integers(0, 4))))
    ruler = hero("Livia", kind="Ruler", loyalty=None, initial_loyalty=None)
    cities = tuple(
        city(f"City {number}", population=draw(st.integers(0, 10**6))) for number in range(draw(st.integers(0, 3)))
    )
    units = tuple(
        unit(f"Unit {number}", type=draw(st.sampled_from(TYPES)).name, health=draw(st.integers(0, 2)))
        for number in range(draw(st.integers(0, 6)))
    )
    first, *rest = draw(st.permutations(REALMS[1:]))
    enemies = ((first,), tuple(rest)) if draw(st.booleans()) else ((first, *rest),)
    names = tuple(troop.name for troop in units)
    return OrderInputs(
        order=orders.PROCESS_TURN,
        turn=draw(st.integers(1, 50)),
        realm=draw(realms()),
        nation=nation(
            loyalty=float(draw(st.integers(-2, 1))), growth=float(draw(st.integers(-5, 5))), mercenaries=("Legion",)
        ),
        battles_won=draw(st.integers(0, 20)),
        battles_lost=draw(st.integers(0, 20)),
        cities_captured=draw(st.integers(0, 2)),
        cities_lost=draw(st.integers(0, 2)),
        rivals=REALMS[1:],
        cities=cities,
        leaders=(ruler, *staff),
        units=units,
        types=TYPES,
        near=tuple(
            Surroundings(leader=leader.name, enemies=enemies, commanders=enemies[:1], units=(names,) if names else ())
            for leader in staff
        ),
        heroes=tuple(draw(st.sets(st.sampled_from(["Atilius", "Norbanus"])))),
    )


@st.composite
def missions(draw: st.DrawFn) -> OrderInputs:
    agents = draw(st.integers(1, 20))
    own = dataclasses.replace(draw(realms()), agents=agents + draw(st.integers(0, 5)), treasury=100)
    others = tuple(draw(leaders(f"Other {number}", employer="Gaul")) for number in range(draw(st.integers(1, 3))))
    return OrderInputs(
        order=draw(st.sampled_from(orders.ESPIONAGE)),
        turn=3,
        realm=own,
        nation=nation(),
        target_realm=draw(realms("Gaul")),
        target=others[0].name,
        agents=agents,
        rivals=REALMS[2:],
        leaders=others,
        types=TYPES,
    )


@st.composite
def captives(draw: st.DrawFn) -> OrderInputs:
    captive = prisoner(
        **{field: getattr(draw(leaders("Brennus")), field) for field in ("kind", "loyalty", "initial_loyalty")}
    )
    captive = dataclasses.replace(captive, former_rulers=draw(st.sampled_from([(), ("Rome",), ("Germania",)])))
    return OrderInputs(
        order=draw(st.sampled_from(orders.DUNGEON)),
        turn=3,
        realm=dataclasses.replace(draw(realms()), treasury=draw(st.integers(3, 20))),
        nation=nation(),
        target_realm=draw(realms("Gaul")),
        target="Brennus",
        leaders=(captive, draw(leaders("Own"))),
        types=TYPES,
    )


def anything() -> st.SearchStrategy[OrderInputs]:
    return st.one_of(turns(), missions(), captives())


def end(inputs: OrderInputs, outcome: Outcome) -> dict[tuple[str, str], dict[str, Any]]:
    """Every row's changed fields."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for update in outcome.updates:
        found.setdefault((update.tab, update.row), {})[update.field] = update.after
    return found


@LAW
@given(inputs=anything(), seed=SEEDS)
def test_1_every_roll_fits_its_die_and_names_its_rule(inputs: OrderInputs, seed: int) -> None:
    for event in ORDERS.resolve(inputs, Rng(seed)).events:
        assert event.id.startswith("RL-")
        if event.kind == "die":
            assert event.amount is not None
            assert 1 <= event.amount <= int(event.text.rpartition(" of ")[2])


@LAW
@given(inputs=anything(), seed=SEEDS)
def test_2_7_14_loyalty_happiness_treasury_health_and_experience_keep_their_bounds(
    inputs: OrderInputs, seed: int
) -> None:
    for update in ORDERS.resolve(inputs, Rng(seed)).updates:
        match update.field:
            case "Loyalty":
                assert isinstance(update.after, int)
                assert 0 <= update.after <= 100
            case "Happiness":
                assert isinstance(update.after, int | float)
                assert update.after <= 100
            case "Treasury" | "Agents" | "Population" | "Agents used":
                assert isinstance(update.after, int)
                assert update.after >= 0
            case "Health" | "Experience":
                assert isinstance(update.after, int)
                assert update.after > (update.before or 0)


@LAW
@given(inputs=turns(), seed=SEEDS)
def test_3_happiness_rises_by_five_at_most_and_falls_to_its_base(inputs: OrderInputs, seed: int) -> None:
    quiet = dataclasses.replace(inputs, fixed=())
    assert quiet.realm is not None
    found = ORDERS.resolve(quiet, Rng(seed))
    taxed = next(event for event in found.events if event.id == "RL-TAX-05")
    base = formulas.base_happiness(quiet.realm.tax_rate, NUMBERS)
    base += formulas.battle_points(quiet.battles_won, quiet.battles_lost, NUMBERS)
    base += formulas.city_points(quiet.cities_captured, quiet.cities_lost, NUMBERS)
    before, after = exact(quiet.realm.happiness), exact(taxed.amount or 0)
    assert after <= before + 5
    if base < before:
        assert abs(after - base) < 1e-9


@LAW
@given(tax=st.integers(0, 99))
def test_4_higher_taxes_lower_the_base(tax: int) -> None:
    assert formulas.base_happiness(tax + 1, NUMBERS) < formulas.base_happiness(tax, NUMBERS)


@LAW
@given(tax=st.integers(0, 100), towns=st.lists(st.integers(0, 10**7), min_size=1))
def test_5_income_is_proportional(tax: int, towns: list[int]) -> None:
    whole = formulas.income(tax, sum(towns), NUMBERS)
    assert whole == sum(formulas.income(tax, people, NUMBERS) for people in towns)
    assert formulas.income(2 * tax, sum(towns), NUMBERS) == 2 * whole


@LAW
@given(people=st.integers(0, 10**9))
def test_6_half_happiness_keeps_the_population_constant(people: int) -> None:
    assert people * formulas.growth_factor(exact(50), exact(0), NUMBERS) == people


@LAW
@given(inputs=missions(), seed=SEEDS)
def test_8_9_agents_are_accounted_for_and_nobody_else_is_blamed(inputs: OrderInputs, seed: int) -> None:
    found = ORDERS.resolve(inputs, Rng(seed))
    assert inputs.realm is not None
    own = end(inputs, found).get(("Realms", "Rome"), {})
    lost = inputs.realm.agents - own.get("Agents", inputs.realm.agents)
    assert 0 <= lost <= inputs.agents
    assert own.get("Agents used", 0) == inputs.agents - lost
    blamed = [line for line in found.receipt.text().splitlines() if "Blamed: " in line]
    if blamed:
        assert blamed[0].rpartition(" ")[2] in REALMS[2:]
        assert "not detected" in found.summary


@LAW
@given(inputs=anything(), seed=SEEDS)
def test_10_11_leaders_do_not_return_and_their_loyalty_starts_anew(inputs: OrderInputs, seed: int) -> None:
    changed = end(inputs, ORDERS.resolve(inputs, Rng(seed)))
    for leader in inputs.leaders:
        fields = changed.get(("Realm Leaders", leader.name), {})
        if "Employer" in fields:
            assert fields["Employer"] not in leader.former_rulers
            assert fields.get("Loyalty", leader.loyalty) == leader.initial_loyalty
            assert leader.employer in fields["Former rulers"].split("; ")


@LAW
@given(inputs=anything(), seed=SEEDS)
def test_var_05_numbers_of_the_log_are_computed_by_the_rules_that_it_names(inputs: OrderInputs, seed: int) -> None:
    """RL-TAX-03, RL-TAX-04, RL-TAX-05, RL-LOY-02, RL-LOY-04, RL-GEN-03, RL-OP-14."""
    for event in ORDERS.resolve(inputs, Rng(seed)).events:
        if event.kind not in ("happiness", "loyalty", "disloyalty"):
            continue
        *_, last = lines = [*event.calculations()]
        assert [error for each in lines if (error := disagreement(each.line()))] == []
        assert event.amount is not None
        if event.amount < 0 and event.kind == "loyalty":  # nobody loses more than there is
            assert last.value >= -event.amount
        else:
            assert last.value == pytest.approx(event.amount)


@LAW
@given(inputs=turns(), seed=SEEDS)
def test_12_rulers_are_never_checked(inputs: OrderInputs, seed: int) -> None:
    found = ORDERS.resolve(inputs, Rng(seed))
    assert not [event for event in found.events if event.id.startswith("RL-LOY") and "Livia" in event.text]
    assert "Loyalty" not in end(inputs, found).get(("Realm Leaders", "Livia"), {})


@LAW
@given(ratings=st.lists(st.integers(-200, 3000), min_size=2, max_size=9))
def test_13_a_game_keeps_the_sum_of_ratings(ratings: list[int]) -> None:
    standing = [realm(str(number), rating=rating) for number, rating in enumerate(ratings)]
    assert sum(rated.change for rated in rate(standing, NUMBERS)) == 0
    equals = [realm(str(number)) for number in range(len(ratings))]
    there = {rated.name: rated.change for rated in rate(equals, NUMBERS)}
    back = {rated.name: rated.change for rated in rate(equals[::-1], NUMBERS)}
    assert back == {name: -change for name, change in there.items()}


@LAW
@given(inputs=anything(), seed=SEEDS)
def test_15_equal_inputs_and_seed_give_an_equal_ruling(inputs: OrderInputs, seed: int) -> None:
    assert ORDERS.resolve(inputs, Rng(seed)) == ORDERS.resolve(dataclasses.replace(inputs), Rng(seed))


@LAW
@given(inputs=anything(), seed=SEEDS)
def test_updates_are_real_and_unique_per_field(inputs: OrderInputs, seed: int) -> None:
    updates = ORDERS.resolve(inputs, Rng(seed)).updates
    assert all(update.before != update.after for update in updates)
    assert len({(update.tab, update.row, update.field) for update in updates}) == len(updates)
    tabs = {record.tab.name for record in (Realm, City, RealmLeader, RealmUnit)}
    assert {update.tab for update in updates} <= tabs
