"""Leaders at the end of a year: ageing, deaths and heirs (YRS-08)."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from engine.autoalgo.names import year_text
from engine.autoalgo.new_leader import SKILLS, drawn_skills, header, leader_row
from engine.autoalgo.records import Leader
from engine.autoalgo.setup.dates import age
from engine.autoalgo.years.world import DIE, INHERIT, YearWorld, by_age, is_same
from engine.columns import loosely

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
    text = f"{name} follows {dead.name}, {years} years old"
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
