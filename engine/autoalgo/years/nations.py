"""Nations at the end of a year, and their leaders: Stability, people, Revenue, revolts, heirs (YRS-06 to YRS-11)."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from engine.autoalgo.names import year_text
from engine.autoalgo.new_leader import SKILLS, drawn_skills, header, leader_row
from engine.autoalgo.records import Leader
from engine.autoalgo.setup.dates import age
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.years.world import (
    DIE,
    GROW,
    INHERIT,
    REVOLT,
    NationState,
    Revolt,
    YearWorld,
    by_age,
    by_band,
    is_same,
)
from engine.columns import loosely
from engine.receipt import counted

REBELS_LEAST = 100
"""Minimum number of rebels in a revolt; fewer are a riot."""


def drift(world: YearWorld, state: NationState, innate: float) -> None:
    """Move Stability towards a target by innate Stability and occupied land (YRS-06)."""
    numbers, bounds = world.tables.years, world.tables.constants.stab_01
    aim = 100.0 * innate * numbers.innate + numbers.mean * (1.0 - numbers.innate)
    aim *= 1.0 - numbers.occupied * world.occupied_share(state.name)
    before = state.nation.stability
    after = before + (aim - before) * (numbers.rise if aim > before else numbers.fall)
    state.change(stability=round(min(max(after, bounds.least), bounds.most), 1))


def grow(world: YearWorld, state: NationState, year: int, index: int, group: str) -> None:
    """Let the population grow, less in war or under occupation (YRS-07)."""
    numbers = world.tables.years
    peace = 1.0 - numbers.war if year in state.fought else 1.0
    people = state.nation.population
    more = people * numbers.growth[group] * peace * (1.0 - world.occupied_share(state.name))
    state.change(population=min(people + world.whole(more, GROW, index), 8_000_000_000))


def tax(world: YearWorld, state: NationState, year: int) -> None:
    """Lower Revenue a step in a long war, raise it in long peace; a lost capital is a crisis (YRS-09)."""
    numbers, nation = world.tables.years, state.nation
    if state.given.has_lost_capital and numbers.capital and world.hour == 0 and nation.year_crisis != year:
        state.change(year_crisis=year)
        world.tell(state.name, "crisis", year, "YRS-09", f"the defeat at {nation.capital} is a crisis of the state")
    steps = world.tables.lists["Revenue"].values
    place = steps.index(nation.revenue)
    usual = steps.index(state.given.usual_revenue or nation.revenue)
    war = peace = 0
    while year - war in state.fought:
        war += 1
    while state.fought and year - peace not in state.fought and year - peace > min(state.fought):
        peace += 1
    if war and numbers.war_years and war % numbers.war_years == 0 and place > 0:
        _set_revenue(world, state, steps[place - 1], f"after {counted(war, 'year')} of war")
    elif peace and numbers.peace_years and peace % numbers.peace_years == 0 and place < usual:
        _set_revenue(world, state, steps[place + 1], f"after {counted(peace, 'year')} of peace")


def _set_revenue(world: YearWorld, state: NationState, revenue: str, why: str) -> None:
    world.tell(state.name, "revenue", None, "YRS-09", f"Revenue {state.nation.revenue} → {revenue} {why}")
    state.change(revenue=revenue)


def revolt(world: YearWorld, state: NationState, year: int, index: int) -> None:
    """Start a revolt against a weak state, at most once in a ruling (YRS-11)."""
    numbers, bands, stability = world.tables.years, world.tables.stability_bands, state.nation.stability
    chance = 0.0 if state.is_rebel else by_band(numbers.revolt, bands, stability)
    if world.rng.uniform(REVOLT, world.hour, 2 * index) >= chance or any(
        revolt.against == state.name for revolt in world.revolts
    ):
        return
    luck = world.rng.uniform(REVOLT, world.hour, 2 * index + 1, low=0.5, high=1.5)
    weakness = 1.0 - stability / max(stability + 1.0, calm(world.tables))
    men = min(numbers.rebels_most, round(state.nation.population * numbers.rebels * weakness * luck))
    if men >= REBELS_LEAST:
        world.revolts.append(Revolt(state.name, men, year))
        text = f"{counted(men, 'man', 'men')} revolt in {year_text(year)}, at Stability {stability:g}"
        world.tell(state.name, "revolt", men, "YRS-11", text)


def calm(tables: Tables) -> float:
    """Return the Stability from which on there are no revolts."""
    restless = [place for place, band in enumerate(tables.stability_bands) if tables.years.revolt.get(band.name)]
    if not restless or restless[-1] + 1 == len(tables.stability_bands):
        return tables.constants.stab_01.most
    return tables.stability_bands[restless[-1] + 1].first


NUMERALS = (
    ("C", 100),
    ("XC", 90),
    ("L", 50),
    ("XL", 40),
    ("X", 10),
    ("IX", 9),
    ("V", 5),
    ("IV", 4),
    ("I", 1),
)


def age_leaders(world: YearWorld, year: int) -> None:
    """Let living leaders die by the life table, and draw an heir for each dead leader of a nation (YRS-08)."""
    numbers, assumed = world.tables.years, world.tables.constants.lead_08.age_assumed
    for index, leader in enumerate([*world.leaders]):
        years = age(year, leader.birth_year, assumed)
        is_unborn = leader.birth_year is not None and leader.birth_year > year
        chance = 0.0 if leader.status or is_unborn else by_age(numbers.life, years)
        if world.rng.uniform(DIE, world.hour, index) < chance:
            world.leaders[index] = leader = replace(leader, status=f"died in {year_text(year)}")
            text = f"{leader.name} died" + (f" at the age of {years}" if leader.birth_year is not None else "")
            world.tell(_nation_of(world, leader), "death", years, "YRS-08", text)
        if leader.status:
            _inherit(world, leader, year)


def _nation_of(world: YearWorld, leader: Leader) -> str:
    """Return the nation led by a leader, else the first one served."""
    led = next((state.name for state in world.nations if is_same(state.nation.leader, leader.name)), "")
    return led or (leader.nation[0] if leader.nation else "")


def _inherit(world: YearWorld, dead: Leader, year: int) -> None:
    """Draw an heir for a dead head of state or commander, and name him in the same post."""
    heads = [state for state in world.nations if is_same(state.nation.leader, dead.name)]
    commands = [army for army in world.armies if is_same(army.leader, dead.name)]
    if not heads and not commands:
        return
    numbers, index = world.tables.years, len(world.leaders)
    years = world.rng.whole(INHERIT, numbers.heir_least, numbers.heir_most, world.hour, 4 * index)
    trait = SKILLS[world.rng.whole(INHERIT, 0, len(SKILLS) - 1, world.hour, 4 * index + 1)]
    skills = drawn_skills(
        header(trait), numbers.trait, numbers.others, world.rng, hour=world.hour, first=len(SKILLS) * index
    )
    name = _free_name(world, dead, 4 * index + 2)
    ratings = {attribute: float(skills[header(attribute)]) for attribute in SKILLS}
    heir = Leader(name=name, nation=dead.nation, birth_year=year - years, **ratings)  # type: ignore[arg-type]
    world.leaders.append(heir)
    world.heirs.append(leader_row(name, dead.nation, year - years, skills))
    for state in heads:
        state.change(leader=name)
    for army in commands:
        army.leader = name
    text = f"{name} follows {dead.name}, {counted(years, 'year')} old"
    world.tell(_nation_of(world, heir), "heir", years, "YRS-08", text)


def _free_name(world: YearWorld, dead: Leader, index: int) -> str:
    """Return a free name: one of the culture with a number, or an heir's."""
    state = world.find(dead.nation[0]) if dead.nation else None
    names = world.tables.years.names.get(state.nation.ethnicity, ()) if state else ()
    base = names[world.rng.whole(INHERIT, 0, len(names) - 1, world.hour, index)] if names else f"Heir of {dead.name}"
    taken = {loosely(leader.name) for leader in world.leaders}
    numbered = (f"{base} {numeral(number)}" if number > 1 else base for number in count(1))
    return next(name for name in numbered if loosely(name) not in taken)


def numeral(number: int) -> str:
    """Return a Roman numeral."""
    text = ""
    for sign, value in NUMERALS:
        text += sign * (number // value)
        number %= value
    return text
