"""Peace at the end of a year: places, capitals and tribute (YRS-13)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from engine.autoalgo.years.inputs import Peace, YearPlace
from engine.autoalgo.years.world import YearWorld, is_same

GIVEN = re.compile(r"(?:^|[;,.])\s*([^;,.]+?)\s+to\s+([^;,.]+?)\s*(?=$|[;,.])", re.IGNORECASE)
"""A place ceded by the terms to a nation: `Kreva to Norden`."""
STATUS_QUO = "status quo"
"""Terms that return occupied places to their owners."""
TRIBUTE = "tribute"
MOVED_MOST = 0.5
"""Maximum share of a nation's people lost with a place."""


def conclude(world: YearWorld, peace: Peace) -> None:
    """Carry out a peace: the winners keep their conquests or gain by the terms; the rest is returned (YRS-13)."""
    terms = dict(_given(world, peace))
    sides = (*peace.winners, *peace.losers)
    for index, place in enumerate(world.places):
        if not any(is_same(place.owner, name) for name in sides):
            continue
        holder = next((name for name in sides if is_same(place.occupied_by, name)), "")
        keeps = peace.is_won and STATUS_QUO not in peace.terms.lower() and _is_of(holder, peace.winners)
        owner = terms.get(place.name) or (holder if keeps and _is_of(place.owner, peace.losers) else place.owner)
        if not is_same(owner, place.owner):
            _move_people(world, place, owner)
            text = f"{place.name} of {place.owner} is {owner}'s by the peace of {peace.war}"
            world.tell(owner, "peace", None, "YRS-13", text)
        elif holder:
            world.tell(place.owner, "peace", None, "YRS-13", f"{place.name} is free by the peace of {peace.war}")
        is_over = holder or not is_same(owner, place.owner)
        world.places[index] = replace(place, owner=owner, occupied_by="" if is_over else place.occupied_by)
    if TRIBUTE in peace.terms.lower() and peace.is_won:
        _pay(world, peace)
    for name in sides:
        _move_capital(world, name)


def _is_of(name: str, side: tuple[str, ...]) -> bool:
    return any(is_same(name, other) for other in side)


def _given(world: YearWorld, peace: Peace) -> Iterator[tuple[str, str]]:
    """Yield the places ceded by the terms, with the names as the database spells them."""
    for typed, nation in GIVEN.findall(peace.terms):
        place = next((place for place in world.places if is_same(place.name, typed)), None)
        state = world.find(nation)
        if place and state:
            yield place.name, state.name


def _move_people(world: YearWorld, place: YearPlace, owner: str) -> None:
    """Move the residents of a place, and their share of GDP and land, to its new owner."""
    loser, winner = world.find(place.owner), world.find(owner)
    if loser is None or winner is None or not place.people:
        return
    people = min(place.people, int(loser.nation.population * MOVED_MOST))
    share = people / loser.nation.population
    gdp, land = loser.nation.gdp * share, loser.nation.arable_land * share
    loser.change(
        population=loser.nation.population - people,
        gdp=loser.nation.gdp - gdp,
        arable_land=loser.nation.arable_land - land,
    )
    winner.change(
        population=winner.nation.population + people,
        gdp=winner.nation.gdp + gdp,
        arable_land=winner.nation.arable_land + land,
    )


def _pay(world: YearWorld, peace: Peace) -> None:
    """Move Revenue by a step: the losers pay tribute to the winners."""
    steps = world.tables.lists["Revenue"].values
    for names, step in ((peace.losers, -1), (peace.winners, 1)):
        for state in filter(None, map(world.find, names)):
            place = min(max(steps.index(state.nation.revenue) + step, 0), len(steps) - 1)
            what = "receives" if step > 0 else "pays"
            text = f"{state.name} {what} tribute by the peace of {peace.war}: Revenue {steps[place]}"
            world.tell(state.name, "tribute", None, "YRS-13", text)
            state.change(revenue=steps[place])


def _move_capital(world: YearWorld, name: str) -> None:
    """Move the capital of a nation that lost it to the largest place it still owns."""
    state, owned = world.find(name), world.places_of(name)
    if state is None or not state.nation.capital or any(is_same(state.nation.capital, place.name) for place in owned):
        return
    is_lost = any(is_same(state.nation.capital, place.name) for place in world.places)
    if is_lost and owned:
        largest = max(owned, key=lambda place: (place.people, place.name))
        world.tell(state.name, "capital", None, "YRS-13", f"the capital of {name} moves to {largest.name}")
        state.change(capital=largest.name)
