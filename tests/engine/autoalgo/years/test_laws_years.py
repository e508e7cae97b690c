"""Laws of a year, for any state of the world (YRS-04 to YRS-13)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.autoalgo.records import Leader, Nation
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.years.armies import prisoners_after
from engine.autoalgo.years.nations import numeral
from engine.autoalgo.years.world import Peace, YearArmy, YearInputs, YearNation, YearPlace, between
from engine.autoalgo.years.year import YearRules
from engine.rng import Rng
from engine.ruleset import Outcome
from scripts.support.pinned_tables import SHIPPED, raw_tables, shipped_tables
from tests.engine.autoalgo.years.small_world import receipt

HOME = Path(__file__).parents[4]

TABLES = shipped_tables()
RULES = YearRules(TABLES)
NAMES = ("Arva", "Brod", "Corv")
PLACES = ("Ford", "Heath", "Moor", "Peak")


def zeroed(value: Any) -> Any:
    """Return a table with each number 0."""
    if isinstance(value, Mapping):
        return {name: zeroed(each) for name, each in value.items() if name != "names"}
    if isinstance(value, list):
        return [zeroed(each) | ({"age": each["age"]} if "age" in each else {}) for each in value]
    return value if isinstance(value, str) else 0


def nothing() -> YearRules:
    """Return the rules of years in which nothing happens."""
    raw = raw_tables(config=SHIPPED)
    years = zeroed(raw["years"])
    years["YRS-05"]["obedience"], years["YRS-08"]["names"] = 1, {}
    constants = {**raw["constants"], "R-125": {**raw["constants"]["R-125"], "returning": 0}}
    return YearRules(Tables.of({**raw, "years": years, "constants": constants}))


@st.composite
def worlds(draw: st.DrawFn) -> YearInputs:
    """Draw the inputs of a year, with extremes."""
    stability = st.sampled_from((0.0, 14.9, 40.0, 100.0, 200.0))
    men = st.sampled_from((0, 1, 400, 9_000, 15_000_000))
    nations, armies, leaders = [], [], []
    for name in NAMES:
        fought = draw(st.sets(st.integers(1590, 1600), max_size=11))
        nation = Nation(
            name=name,
            stability=draw(stability),
            population=draw(st.sampled_from((1, 900, 1_000_000, 300_000_000))),
            leader=draw(st.sampled_from(("", f"King of {name}"))),
            year_founded=draw(st.sampled_from((-3500, 1500, 1600, 1700))),
            year_crisis=draw(st.sampled_from((1400, 1600, 1650))),
            capital=draw(st.sampled_from(("", *PLACES))),
            civilization_type=draw(st.sampled_from(TABLES.lists["Civilization Type"].values)),
            ethnicity=draw(st.sampled_from(TABLES.lists["Ethnicity"].values)),
            revenue=draw(st.sampled_from(TABLES.lists["Revenue"].values)),
        )
        usual = draw(st.sampled_from(("", "Balanced", "High surplus")))
        lost = draw(st.booleans())
        nations.append(
            YearNation(nation=nation, fought=tuple(sorted(fought)), has_lost_capital=lost, usual_revenue=usual)
        )
        army = YearArmy(
            name=f"Host of {name}",
            nation=(name,),
            size=draw(men),
            leader=draw(st.sampled_from(("", f"General of {name}"))),
            keep=draw(st.none() | men),
            usual_size=draw(st.none() | men),
            wounded=draw(st.sampled_from((0, 10, 5_000))),
            captured=draw(st.sampled_from(((), ((NAMES[0], 900),)))),
        )
        armies += [army] * draw(st.integers(0, 1))
        for title in ("General", "King"):
            born = draw(st.none() | st.sampled_from((1480, 1530, 1570, 1601)))
            status = draw(st.sampled_from(("", "", "killed in a war")))
            leaders.append(Leader(name=f"{title} of {name}", nation=(name,), birth_year=born, status=status))
    owners = st.sampled_from(NAMES)
    places = [
        YearPlace(name=name, owner=draw(owners), occupied_by=draw(st.just("") | owners), people=draw(men))
        for name in PLACES
    ]
    peace = Peace(
        war="Kings",
        winners=NAMES[:1],
        losers=NAMES[1:],
        is_won=draw(st.booleans()),
        terms=draw(st.sampled_from(("", "status quo", "Ford to Arva; tribute", "prisoners kept; Nowhere to Brod"))),
    )
    leaders = sorted(leaders, key=lambda leader: leader.name)
    return YearInputs(
        year=1600,
        since=draw(st.sampled_from((1600, 1598, 1580))),
        nations=tuple(nations),
        armies=tuple(armies),
        leaders=tuple(leaders),
        places=tuple(places),
        peaces=draw(st.sampled_from(((), (peace,)))),
        has_keep=draw(st.booleans()),
    )


def after(outcome: Outcome, tab: str, field: str) -> dict[str, Any]:
    return {update.row: update.after for update in outcome.updates if (update.tab, update.field) == (tab, field)}


@given(worlds(), st.integers(0, 2**64 - 1))
def test_every_world_stays_within_its_bounds_after_a_year(inputs: YearInputs, seed: int) -> None:
    outcome = RULES.resolve(inputs, Rng(seed))

    assert all(0 <= each <= 200 for each in after(outcome, "Nations", "Stability").values())
    assert all(1 <= each <= 8_000_000_000 for each in after(outcome, "Nations", "Population").values())
    assert all(0 <= each <= 15_000_000 for each in after(outcome, "Militaries", "Size").values())
    assert outcome == RULES.resolve(inputs, Rng(seed))
    cells = [(update.tab, update.row, update.field) for update in outcome.updates]
    assert len(cells) == len(set(cells))


@given(worlds(), st.integers(0, 2**64 - 1))
def test_yrs_08_dead_leaders_lead_no_nation_after_a_year(inputs: YearInputs, seed: int) -> None:
    outcome = RULES.resolve(inputs, Rng(seed))

    dead = {leader.name for leader in inputs.leaders if leader.status} | {*after(outcome, "Leaders", "Status")}
    heads = {each.nation.name: each.nation.leader for each in inputs.nations} | after(outcome, "Nations", "Leader")
    new = [str(row.values["Name"]) for row in outcome.rows if row.tab == "Leaders"]
    assert dead.isdisjoint(heads.values())
    assert len(new) == len({*new} - {leader.name for leader in inputs.leaders})


@given(worlds(), st.integers(0, 2**64 - 1))
def test_setting_a_number_to_0_switches_its_effect_off(inputs: YearInputs, seed: int) -> None:
    living = tuple(replace(leader, status="") for leader in inputs.leaders)
    outcome = NOTHING.resolve(replace(inputs, leaders=living, peaces=()), Rng(seed))

    assert outcome.updates == ()
    assert outcome.rows == ()


NOTHING = nothing()


@given(worlds(), st.integers(0, 2**64 - 1))
def test_yrs_13_a_peace_moves_people_without_changing_their_total(inputs: YearInputs, seed: int) -> None:
    outcome = NOTHING.resolve(inputs, Rng(seed))

    before = sum(each.nation.population for each in inputs.nations)
    people = {each.nation.name: each.nation.population for each in inputs.nations}
    assert sum((people | after(outcome, "Nations", "Population")).values()) == before
    assert {*after(outcome, "Locations", "Owner").values()} <= {*NAMES}


@pytest.mark.parametrize(("at", "value"), [(-5, 1.0), (0, 1.0), (5, 0.75), (10, 0.5), (30, 0.5)])
def test_numbers_are_interpolated_between_rows_of_a_table(at: float, value: float) -> None:
    assert between([(0, 1.0), (10, 0.5)], at) == value


def test_yrs_08_heirs_are_numbered_like_kings() -> None:
    cases = {1: "I", 4: "IV", 9: "IX", 14: "XIV", 38: "XXXVIII", 40: "XL", 50: "L", 94: "XCIV", 149: "CXLIX"}
    assert {number: numeral(number) for number in cases} == cases


WITHOUT_NUMPY = """
import sys

sys.modules["PIL"] = sys.modules["numpy"] = None  # an import of them fails
from engine import plain_numpy

plain_numpy.install()
from tests.engine.autoalgo.years.small_world import receipt

print(receipt(), end="")
"""


def test_yrs_01_a_year_without_numpy_gives_the_same_receipt() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], cwd=HOME, capture_output=True, text=True, check=False)

    assert done.stdout == receipt(), done.stderr
    assert "follows" in done.stdout


CAPTOR = YearArmy(name="Host of Brod", nation=("Brod",), size=5_000, keep=5_000)
BEATEN = YearArmy(name="Host of Arva", nation=("Arva",), size=2_000, keep=2_000, captured=(("Brod", 1_000),))


def captive(inputs: YearInputs) -> tuple[int, int]:
    """Return how many prisoners a year frees, and how many are held after it."""
    left = sum(men for _, _, men in prisoners_after(inputs, TABLES.years))
    return int(str(RULES.resolve(inputs, Rng(1)).figures["Returned"])), left


def captivity(*armies: YearArmy, year: int = 1600, since: int = 1600, **peace: Any) -> YearInputs:
    terms = {"winners": ("Brod",), "losers": ("Arva",), "is_won": True, **peace}
    peaces = (Peace(war="War", **terms),) if peace else ()
    return YearInputs(year=year, since=since, armies=armies, peaces=peaces)


def test_yrs_04_prisoners_return_year_by_year_without_a_peace() -> None:
    army, home = BEATEN, []
    for year in range(1600, 1620):
        freed, left = captive(captivity(CAPTOR, army, year=year, since=year))
        home.append(freed)
        army = replace(army, captured=(("Brod", left),) if left else ())

    assert home[:3] == [300, 210, 147]
    assert sum(home) + left == 1_000
    assert left <= 1
    assert captive(captivity(CAPTOR, BEATEN, year=1602)) == (sum(home[:3]), 1_000 - sum(home[:3]))


def test_yrs_04_a_peace_frees_prisoners_unless_its_terms_keep_them() -> None:
    assert captive(captivity(CAPTOR, BEATEN, terms="tribute")) == (800, 0)
    assert captive(captivity(CAPTOR, BEATEN, terms="Prisoners kept; Ford to Brod")) == (0, 0)
    assert captive(captivity(CAPTOR, BEATEN, winners=("Corv",))) == (300, 700)


def test_yrs_04_a_captor_without_men_frees_its_prisoners() -> None:
    assert captive(captivity(BEATEN)) == (800, 0)
    assert captive(captivity(replace(CAPTOR, size=0), BEATEN)) == (800, 0)
    assert captive(captivity(CAPTOR, replace(CAPTOR, name="Guard", size=0), BEATEN)) == (300, 700)
