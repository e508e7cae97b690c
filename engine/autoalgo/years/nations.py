"""Nations at the end of a year: Stability, population, Revenue, Year Crisis and revolts (YRS-06 to YRS-11)."""

from __future__ import annotations

from engine.autoalgo.names import counted, year_text
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.years.world import GROW, REVOLT, NationState, Revolt, YearWorld, by_band

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
