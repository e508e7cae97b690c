"""Ruling of a year: returns, recruitment, changes of nations and leaders, and peace (YRS)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engine.autoalgo.names import year_text
from engine.autoalgo.records import SIZE_MOST, Location, Military, Nation
from engine.autoalgo.setup.source import RULE_SETS
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import nation_variables
from engine.autoalgo.years import armies, nations
from engine.autoalgo.years.world import (
    REBELS,
    ArmyState,
    NationState,
    Peace,
    YearEvent,
    YearInputs,
    YearPlace,
    YearWorld,
    is_same,
)
from engine.columns import column, row_label
from engine.receipt import Block, Line, ReceiptText, counted, on_one_line
from engine.rng import Rng
from engine.ruleset import Event, LogSink, NewRow, Outcome, Plain, Ruleset, Update, no_op

WRITTEN = ("stability", "population", "revenue", "year_crisis", "capital", "leader", "gdp", "arable_land")
"""Attributes of a nation that a year may change."""
COPIED = (
    *("ideology", "religion", "ethnicity", "federal_government", "state_government", "civilization_type", "diet"),
    *("domesticated_animals", "medicine", "writing", "urban_population"),
)
"""Attributes that rebels share with their nation."""
KEEP, OWNER, OCCUPIED_BY = "Keep", "Owner", "Occupied By"
"""Optional columns of a season."""


@dataclass(frozen=True, slots=True)
class YearRules(Ruleset[YearInputs]):
    """Ruleset of years."""

    tables: Tables

    def resolve(self, inputs: YearInputs, rng: Rng, log: LogSink = no_op) -> Outcome:
        """Apply the years of the inputs.

        Raises:
            ValueError: The tables refuse a setting (SET-03).
        """
        tables = self.tables.having(inputs.settings)
        world = YearWorld.of(inputs, tables, rng)
        for peace in inputs.peaces:  # YRS-13
            conclude(world, peace)
        armies.return_men(world, inputs)  # YRS-04
        for hour, year in enumerate(range(inputs.since, inputs.year + 1)):
            world.hour = hour
            end_year(world, year)
        events = tuple(
            Event(None, "", "", event.kind, event.amount, event.id, f"{on_one_line(event.nation)}: {event.text}")
            for event in world.happenings
        )
        log(map(Event.brief_line, events))
        figures = _figures(world)
        return Outcome(
            winner="",
            summary=_summary(inputs, world),
            receipt=_receipt(inputs, world, rng.seed),
            figures=figures,
            updates=tuple(_updates(inputs, world)),
            rows=tuple(_rows(inputs, world)),
            events=events,
        )

    def rules_name(self, inputs: YearInputs) -> str:
        """Return the name of the rule set; years follow the same rules under both."""
        name = self.tables.having(inputs.settings).strategy.rules
        return name if name in RULE_SETS else ""


def end_year(world: YearWorld, year: int) -> None:
    """End a year: leaders first, then each nation by itself."""
    nations.age_leaders(world, year)  # YRS-08
    for index, state in enumerate(world.nations):
        if state.nation.year_founded > year:
            continue
        head = world.leader(state.nation.leader) if state.nation.leader else None
        nation = replace(state.nation, year_crisis=min(state.nation.year_crisis, year))
        innate, maximum = nation_variables(nation, head, year, world.tables)
        group = world.tables.max_military.groups[state.nation.civilization_type]
        armies.desert(world, state)  # YRS-10
        armies.recruit(world, state, maximum, group)  # YRS-05
        nations.drift(world, state, innate)  # YRS-06
        nations.grow(world, state, year, index, group)  # YRS-07
        nations.tax(world, state, year)  # YRS-09
        nations.revolt(world, state, year, index)  # YRS-11


def _updates(inputs: YearInputs, world: YearWorld) -> Iterator[Update]:
    """Yield the changes of existing rows."""
    for state in world.nations:
        for attribute in WRITTEN:
            before, after = getattr(state.given.nation, attribute), getattr(state.nation, attribute)
            if before != after:
                yield Update("Nations", state.name, column(Nation, attribute).header, before, after)
    rebels = {f"{REBELS}{revolt.against}": revolt.men for revolt in world.revolts}
    for army in world.armies:
        given = army.army
        label = row_label(given.name, given.nation[0]) if given.nation else given.name
        is_risen = any(is_same(given.name, name) and given.nation[:1] == (name,) for name in rebels)
        size = min(army.size + (rebels.get(given.name, 0) if is_risen else 0), SIZE_MOST)
        if size != given.size:
            yield Update("Militaries", label, "Size", given.size, size)
        if army.leader != given.leader:
            yield Update("Militaries", label, column(Military, "leader").header, given.leader, army.leader)
    for was, leader in zip(inputs.leaders, world.leaders, strict=False):
        if was.status != leader.status:
            yield Update("Leaders", leader.name, "Status", was.status, leader.status)
    for place, now in zip(inputs.places, world.places, strict=True):
        for header_, before, after in (
            (OWNER, place.owner, now.owner),
            (OCCUPIED_BY, place.occupied_by, now.occupied_by),
        ):
            if before != after:
                yield Update(Location.tab.name, place.name, header_, before, after or None)


def _rows(inputs: YearInputs, world: YearWorld) -> Iterator[NewRow]:
    """Yield the rows of heirs and of rebels."""
    yield from world.heirs
    for revolt in world.revolts:
        name, state = f"{REBELS}{revolt.against}", world.find(revolt.against)
        assert state is not None
        if world.find(name) is None:
            yield NewRow(Nation.tab.name, _rebel_cells(name, state, revolt.men, revolt.year))
        army = next((a.army for a in world.armies if is_same(a.army.name, name) and a.army.nation[:1] == (name,)), None)
        if army is None:
            unit = next((a.army.unit for a in world.armies_of(state.name) if a.army.unit), "")
            cells: dict[str, Plain] = {"Nation": name, "Name": name, "Size": revolt.men}
            cells |= {"Infantry Type": unit, "Infantry Proportion": 1.0} if unit else {}
            yield NewRow(Military.tab.name, cells | ({KEEP: 0} if inputs.has_keep else {}))


def _rebel_cells(name: str, state: NationState, men: int, year: int) -> dict[str, Plain]:
    """Return the row of rebels, a nation like the one they rose against."""
    cells: dict[str, Plain] = {"Name": name, "Stability": 100, "Population": max(men * 10, 1)}
    cells |= {"Year Founded": year, "Year Crisis": year}
    return cells | {column(Nation, attribute).header: getattr(state.nation, attribute) for attribute in COPIED}


def _figures(world: YearWorld) -> dict[str, Plain]:
    """Return the values of the result columns of the year, by header."""
    deaths = [event.text for event in world.happenings if event.kind == "death"]
    revolts = [f"{revolt.against} ({revolt.men:,})" for revolt in world.revolts]
    moved = [event.text for event in world.happenings if event.id == "YRS-13"]
    return {
        "Returned": sum(army.returned for army in world.armies),
        "Recruits": sum(army.recruits for army in world.armies),
        "Deserted": sum(army.deserted for army in world.armies),
        "Deaths": "; ".join(map(on_one_line, deaths)),
        "Revolts": on_one_line("; ".join(revolts)),
        "Peace": on_one_line("; ".join(moved)),
    }


def years_text(inputs: YearInputs) -> str:
    """Return the years that a ruling ends: `year 1612`, `years 1610 to 1612`."""
    last = year_text(inputs.year)
    return f"year {last}" if inputs.since >= inputs.year else f"years {year_text(inputs.since)} to {last}"


def _summary(inputs: YearInputs, world: YearWorld) -> str:
    men = {name: sum(getattr(army, name) for army in world.armies) for name in ("returned", "recruits", "deserted")}
    parts = [f"{men['returned']:,} returned", f"{men['recruits']:,} recruits"]
    parts += [f"{men['deserted']:,} deserted"] if men["deserted"] else []
    deaths = sum(event.kind == "death" for event in world.happenings)
    parts += [counted(deaths, "leader") + " died"] if deaths else []
    parts += [counted(len(world.revolts), "revolt")] if world.revolts else []
    verb = "is" if inputs.since >= inputs.year else "are"
    return f"The {years_text(inputs)} {verb} over: {', '.join(parts)}"


def _receipt(inputs: YearInputs, world: YearWorld, seed: int) -> ReceiptText:
    """Return the receipt: the standings of each nation, then the events."""
    blocks = [Block(on_one_line(state.name), tuple(_lines(world, state))) for state in world.nations]
    if inputs.seed_given:
        blocks.append(Block("Moderator's rulings", (Line("", f"Seed: {seed}"),)))
    account = (f"{_summary(inputs, world)}.",)
    return ReceiptText(f"The {years_text(inputs)}", tuple(block for block in blocks if block.lines), account)


def _lines(world: YearWorld, state: NationState) -> Iterator[Line]:
    """Yield the changes of a nation."""
    before, after = state.given.nation, state.nation
    if before.stability != after.stability:
        yield Line("Stability", f"{before.stability:g} → {after.stability:g}")
    for army in world.armies_of(state.name):
        parts = _army_parts(army)
        if parts:
            yield Line(
                on_one_line(army.army.name),
                f"{army.army.size:,} → {counted(army.size, 'man', 'men')}: {', '.join(parts)}",
            )
    if before.population != after.population:
        yield Line("Population", f"{before.population:,} → {after.population:,}")
    yield from (Line("", f"{_sentence(event)}.") for event in world.happenings if is_same(event.nation, state.name))


def _army_parts(army: ArmyState) -> Sequence[str]:
    parts = [(army.returned, "returned"), (army.captive, "still captive"), (army.deserted, "deserted")]
    parts += [(army.recruits, "recruits"), (-army.recruits, "sent home")]
    return [f"{men:,} {what}" for men, what in parts if men > 0]


def _sentence(event: YearEvent) -> str:
    text = on_one_line(event.text)
    return text[:1].upper() + text[1:]


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
