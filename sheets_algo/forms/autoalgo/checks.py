"""Checks of single database rows, and of a war with the rows it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from statistics import median
from typing import Any

from engine.autoalgo.battle.state import AMBUSH, STORM
from engine.autoalgo.inputs import SIDES, Belligerent, WarInputs
from engine.autoalgo.names import year_text
from engine.autoalgo.records import GENERIC, NONE_ON_PURPOSE, SIZE_MOST, Leader, Military, Nation, Unit
from engine.autoalgo.setup.army import armies_of, has_water, ship_number
from engine.autoalgo.setup.deploy import men_fed
from engine.autoalgo.setup.points import shares_of
from engine.autoalgo.setup.sizes import NOBODY
from engine.autoalgo.setup.strategy import SLOTS, can_be_besieged, flank_table
from engine.autoalgo.setup.strategy_rules import FlankPlan, StrategyProblem
from engine.autoalgo.setup.tables import Tables
from engine.columns import columns, loosely
from engine.receipt import counted
from engine.suggest import nearest
from engine.terrain import TerrainMap
from sheets_algo.database.problems import CellRef, Problem, one_of, quoted, rows_named, shorten_list
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.autoalgo.columns import FlankRow, NationRow, UnitRow

UNUSUAL_ABOVE = 0.2
"""Share of gunners, or of beasts, in an army beyond which it is unusual (MIL-16)."""
EARLY_BY = 100
"""Years before the first of a unit's beyond which it is unusual (MIL-16)."""
UNIT_COLUMNS = (*(f"{slot}_type" for slot in SLOTS), "transport")
"""Attributes of a military that name a unit."""


def strategy_problem(row: Row, problem: StrategyProblem, side: str, *, is_request: bool, one_of: str = "") -> Problem:
    """Return a problem of a flank at a cell of its row, or of the request's (STRAT-01, MAP-01).

    Args:
        side: `Attacker` or `Defender`.
        is_request: True if the row is the request's, where no flank has a row.
        one_of: Name of the flank if its row has several (STRAT-13).
    """
    attribute = loosely(problem.kind)
    of_request = side.lower() if problem.id == "STRAT-01" else "location"
    target = of_request if is_request else attribute if attribute in dict(columns(FlankRow)) else "flank"
    of, apart = (f" of {one_of}", ", in a row of its own" * (problem.id == "R-118")) if one_of else ("", "")
    says = f"{side}: {problem.kind} {problem.value:g}{of} is not allowed; use {problem.allowed}{apart}"
    return row.problem(target, problem.id, says)


def check_proportions_sum(row: Row, military: Military) -> Iterator[Problem]:
    """Check that the proportions sum to at most 1, and warn of men in no slot, who do not fight (MD-04)."""
    shares = [getattr(military, f"{slot}_proportion") for slot in SLOTS]
    total = sum(shares)
    if total > 1 + 1e-9:
        says = f"the proportions sum to {total:g}"
        yield row.problem("infantry_proportion", "MD-04", says, allowed="Use shares that sum to at most 1")
    elif 0 < total < 1 - 1e-9:
        says = f"the proportions sum to {total:g}, so {1 - total:.0%} of the force fight in no slot"
        yield row.warning("infantry_proportion", "MD-04", says)
    if military.artillery_proportion > UNUSUAL_ABOVE:
        says = f"{military.artillery_proportion:.0%} of the army are gunners; few armies of history had a fifth"
        yield row.warning("artillery_proportion", "MIL-16", says, allowed="Nothing, if that is meant")


def check_proportions_complete(row: Row, military: Military) -> Iterator[Problem]:
    """Check that no proportion lacks a unit type, and warn of unit types without a proportion (MD-04)."""
    if not (military.infantry_type or military.cavalry_type or military.artillery_type):
        return
    for slot in SLOTS:
        unit, share = getattr(military, f"{slot}_type"), getattr(military, f"{slot}_proportion")
        if unit not in ("", NONE_ON_PURPOSE) and not share and row.is_blank(f"{slot}_proportion"):
            yield row.warning(f"{slot}_proportion", "MD-04", f"blank counts as 0, so no {unit} fights")
        if unit in ("", NONE_ON_PURPOSE) and share > 0:
            yield row.problem(
                f"{slot}_type",
                "MD-04",
                f"a share of {share:g} has no unit type",
                allowed="Enter a type or empty the share",
            )


def check_units(row: Row, military: Military, missing: Sequence[str], database: Database) -> Iterator[Problem]:
    """Check that the catalogue has the units of an Age: a moderator's own may lack them (NAT-29).

    A unit whose row has errors exists.

    Args:
        missing: The attributes of columns whose unit cannot be read.
    """
    for attribute in missing:
        if not database.find(UnitRow, name := getattr(military, attribute)):
            says = f"blank, and the Age names {quoted(name)}, which is not a unit here"
            yield row.problem(attribute, "NAT-29", says, allowed="Enter a unit, or another Age")


def check_unit_years(row: Row, units: Sequence[Unit | None], year: int, database: Database) -> Iterator[Problem]:
    """Warn of typed units of the catalogue that are unknown for more than a century after the war (MIL-16)."""
    periods = database.vocabulary.periods[Unit.tab.name]
    for attribute, unit in zip(UNIT_COLUMNS, units, strict=True):
        if unit is None or unit.name not in periods or row.is_blank(attribute) or database.find(UnitRow, unit.name):
            continue
        first, last = periods[unit.name]
        if first - year > EARLY_BY:
            says = f"{unit.name} is of {year_text(first)} to {year_text(last)}, and the war is in {year_text(year)}"
            yield row.warning(attribute, "MIL-16", says, allowed="Nothing, if that is meant")


def check_blank_numbers(row: Row, unit: Unit, database: Database) -> Iterator[Problem]:
    """Warn of blank columns of a row that replaces a built-in unit, where that has other numbers (UNIT-01)."""
    listed = database.builtin(UnitRow, unit.name) or unit
    lost = [
        f"{field.header} {spelled(getattr(listed, attribute))}"
        for attribute, field in columns(Unit)
        if row.is_blank(attribute) and getattr(listed, attribute) != getattr(unit, attribute)
    ]
    if lost:
        numbers = ", ".join(shorten_list(lost, 4))
        says = f"the row replaces the built-in {listed.name}, and its blank columns do not keep {numbers}"
        yield row.warning("name", "UNIT-01", says, allowed="Enter what shall stay")


def spelled(value: Any) -> str:
    """Return a number, a word or a list of numbers of a unit as people type it."""
    if isinstance(value, tuple):
        return "; ".join(map(spelled, value))
    return f"{value:.12g}" if isinstance(value, float | int) else str(value)


def check_nations_differ(row: Row, values: Mapping[str, Any]) -> Iterator[Problem]:
    """Check that a nation, except the generic one, is named once, on one side: none fights itself (WAR-05)."""
    sides: list[tuple[str, ...]] = [values.get(side.lower(), ()) for side in SIDES]
    for nation in dict.fromkeys(sides[0]):
        if nation in sides[1] and nation != GENERIC:
            yield row.problem("defender", "WAR-05", f"{nation} cannot fight itself", allowed="Enter another nation")
    for side, nations in zip(SIDES, sides, strict=True):
        for nation in dict.fromkeys(name for name in nations if nations.count(name) > 1):
            yield row.problem(side.lower(), "WRS-02", f"{nation} is named twice", allowed="Name each nation once")


def check_armies_differ(row: Row, war: WarInputs) -> Iterator[Problem]:
    """Check that no army, such as one of several nations, fights itself; the generic one may (WAR-06).

    An empty place defends itself, and cannot attack (R-132).
    """
    if loosely(war.attacker.estimate) == NOBODY:
        yield row.problem("attacker_military", "R-132", "nobody cannot attack", allowed="Name an army, or type a size")
    attackers = {army.military.label for army in armies_of(war, 0) if army.military.nation}
    for army in armies_of(war, 1):
        if army.military.label in attackers:
            says = f"{army.military.name} cannot fight itself"
            yield row.problem("defender_military", "WAR-06", says, allowed="Enter another military")


def check_taken_for(row: Row, values: Mapping[str, Any]) -> Iterator[Problem]:
    """Check that the designated holder of the place is an attacker (WAR-18)."""
    nation, attackers = values.get("taken_for"), values.get("attacker", ())
    if nation and nation not in attackers:
        says = f"{nation} does not attack, so it cannot have the place"
        yield row.problem("taken_for", "WAR-18", says, allowed=one_of(attackers))


def foreign_flank(row: Row, attribute: str, name: str, side: str, armies: Sequence[Belligerent]) -> Problem:
    """Return the problem of a flank of an army that does not fight on its side (FLR-25)."""
    says = f"{quoted(name)} does not fight on the {side.lower()}'s side"
    return row.problem(attribute, "FLR-25", says, allowed=one_of([army.military.name for army in armies]))


def check_leaders_differ(row: Row, leads: Mapping[str, Mapping[str, Sequence[CellRef]]]) -> Iterator[Problem]:
    """Check that no leader is on both sides (WAR-06), unless his nation or army is, which has a problem already.

    Args:
        leads: The cells that name a leader, by his name and the side.
    """
    for name, cells in leads.items():
        if len(cells) == len(SIDES) and len({*chain(*cells.values())}) == sum(map(len, cells.values())):
            attacker, defender = (" and ".join(map(str, cells[side])) for side in SIDES)
            says = f"{name} leads the attacker (by {attacker}) and the defender (by {defender})"
            yield row.problem("defender_military", "WAR-06", says, allowed="Name another on one side")


def check_player(row: Row) -> Iterator[Problem]:
    """NAT-28: an id of Discord is a text; a spreadsheet keeps 15 digits of a number."""
    if "player" in row.table.places and not isinstance(row.value("player"), str | None):
        says = "this is a number, of which a spreadsheet keeps 15 digits, so nobody is mentioned."
        yield row.warning("player", "NAT-28", says, allowed="Type ' before the id, so that it is text.")


def check_nation_years(row: Row, nation: Nation, year: int) -> Iterator[Problem]:
    """Check that a nation's foundation and crisis are not after the war year (DATE-04, R-09)."""
    for attribute, event in (("year_founded", "is founded in"), ("year_crisis", "has its crisis in")):
        if getattr(nation, attribute) > year:
            says = f"{nation.name} {event} {getattr(nation, attribute)}, which is after the war year {year}"
            yield row.problem(attribute, "DATE-04", says, allowed=f"Enter a year of at most {year}")


ADD_ONE = "Add one to the tab Militaries, or use default"
ESTIMATES = "or type a size such as ~5000 or large, garrison ({:,} men by the people there), or nobody"


def force_problem(
    row: Row,
    attribute: str,
    nation: str,
    name: str | None,
    militaries: Sequence[Row],
    matches: Sequence[Row],
    *,
    garrison: int = 0,
) -> Problem:
    """Return the problem of a military that does not identify one force of its nation (DB-10, MIL-02).

    Args:
        name: The name of the military, or None if the cell is blank.
        garrison: The men in the place without an army; 0 if unknown (R-132).
    """
    forces = [force.name for force in militaries]
    if name is None and len(forces) == 1:
        says = f"{nation} has {forces[0]} alone, which fights in this side already"
        return row.problem(attribute, "WAR-06", says, allowed=f"Leave {nation} out, or give it an army of its own")
    if name is None:
        says = (
            f"{nation} has {len(militaries)} militaries, so one must be named"
            if militaries
            else f"{nation} has no military"
        )
        ways = f"{ADD_ONE.replace(', or', ',')}, {ESTIMATES.format(garrison)}" if garrison else ADD_ONE
        allowed = one_of(forces) or ways
        return row.problem(attribute, "DB-10", says, allowed=allowed)
    if len(matches) == 1:
        return row.problem(attribute, "WAR-06", f"{matches[0].name} is named twice", allowed="Name each army once")
    if matches:
        rows = rows_named((force.number for force in matches), len(matches))
        says = f"{nation} has {len(matches)} militaries called {quoted(name)}, in {rows} of the tab Militaries"
        return row.problem(attribute, "MIL-02", says, allowed="Give each a name of its own")
    says = f"{quoted(name)} is not a military of {nation}"
    return row.problem(attribute, "DB-10", says, allowed=one_of(forces) or ADD_ONE, nearest=nearest(name, forces))


def check_leaders(
    database: Database, nation: Nation, leaders: Sequence[Leader | None], year: int | None
) -> Iterator[Problem]:
    """Warn of leaders of other nations, and of dead and unborn ones, who lead all the same (DB-06, LDR-11, LDR-03).

    Args:
        year: That of the war; None if it cannot be read.
    """
    for leader in dict.fromkeys(leader for leader in leaders if leader is not None):
        leader_row = database.find(Leader, leader.name)[0]
        if nation.name not in leader.nation and nation.name != GENERIC:
            says = f"{leader.name} leads for {nation.name} but is listed for {', '.join(leader.nation)}"
            yield leader_row.warning("nation", "DB-06", says)
        if leader.status:
            yield leader_row.warning("status", "LDR-11", f"{leader.name} leads again, though {leader.status}")
        if year is not None and leader.birth_year is not None and leader.birth_year > year:
            says = f"{leader.name} is born in {leader.birth_year}, after the war of {year}, so an age is assumed"
            yield leader_row.warning("birth_year", "LDR-03", says, allowed="Enter an earlier year, or clear it")


def check_military(row: Row, side: Belligerent, tables: Tables) -> Iterator[Problem]:
    """Check that an army has men (MIL-03); warn of ships as men (MD-04), more men than people, and many beasts."""
    military, nation = side.military, side.nation
    if not military.size:
        allowed = f"Enter a whole number from 1 to {SIZE_MOST:,}"
        yield row.problem("size", "MIL-03", "0 people, so nobody can fight", allowed=allowed)
    for slot, unit in zip(SLOTS, side.units, strict=False):
        if unit is not None and unit.capacity > 0:
            says = f"{unit.name} is a ship, and here it fights on land as {slot}"
            yield row.warning(f"{slot}_type", "MD-04", says, allowed="Name it under Transport, if that is meant")
    beasts = shares_of(side, tables)[1]
    if beasts > UNUSUAL_ABOVE:
        slot = next(slot for slot, unit in zip(SLOTS, side.units, strict=False) if unit and unit.name in tables.beasts)
        says = f"{beasts:.0%} of the army ride beasts or chariots; few armies of history had a fifth"
        yield row.warning(f"{slot}_proportion", "MIL-16", says, allowed="Nothing, if that is meant")
    if military.size > nation.population:
        says = f"{military.size:,} people, but {nation.name} has {nation.population:,}"
        yield row.warning("size", "MIL-03", says, allowed="Check Size, and Population of the nation")


def check_places(war: WarInputs, rows: Mapping[str, Sequence[Sequence[Row]]], tables: Tables) -> Iterator[Problem]:
    """Warn of two flanks of an army on one spot, and of flanks behind the whole enemy (FLR-04, FLR-05).

    Args:
        rows: The rows of Flanks by side and army.
    """
    plans = {side: flank_table(war, number, tables) for number, side in enumerate(rows)}
    armies = [(side, place, of_army) for side, of_side in rows.items() for place, of_army in enumerate(of_side)]
    for side, place, of_army in armies:
        spots: dict[tuple[float, float], int] = {}
        flanks = plans[side]
        enemies = next(other for name, other in plans.items() if name != side)
        own = [plan for plan in flanks if plan.army == place]
        for row, plan in zip(of_army, own, strict=False):  # no row of an army that has default flanks
            if row.is_blank("x") and row.is_blank("y"):
                continue
            first = spots.setdefault((plan.x, plan.y), row.number)
            if first != row.number:
                says = f"stands on the same spot as the flank in row {first}"
                yield row.warning("x", "FLR-04", says, allowed="Nothing, if that is meant")
            if plan.maneuver != AMBUSH and _is_behind(plan, flanks, enemies):
                yield row.warning("x", "FLR-04", "stands behind the whole enemy", allowed="Nothing, if that is meant")


def check_siege(war: WarInputs, row: Row, tables: Tables) -> Iterator[Problem]:
    """Warn of a war without an attack, and of impossible events of a siege (R-13, R-100, R-101)."""
    numbers = tables.constants
    plans = flank_table(war, 0, tables), flank_table(war, 1, tables)
    own, enemy = ({plan.maneuver for plan in side if plan.men} for side in plans)
    besieges = can_be_besieged(war, tables) and numbers.r_100.applies
    if own == enemy == {"Position"} and not besieges:
        hours = tables.strategy.hours_most
        says = f"both sides are on Position: neither attacks, and after {hours:,} hours the attack is abandoned"
        yield row.warning("location", "R-13", says, allowed="Give a side another maneuver in the tab Flanks")
    besiegers, garrison = (sum(army.military.size for army in armies_of(war, side)) for side in (0, 1))
    if not besieges or own == {STORM} or enemy.isdisjoint(("Position", "Normal", STORM)) or not garrison:
        if war.relief:
            says = "there is no siege, so nobody is relieved"
            yield row.warning("relief", "WAR-19", says, allowed="Clear the cell, or leave it")
        return
    if garrison > besiegers:
        inside = counted(garrison, "man", "men")
        says = f"a garrison of {inside} soon comes out of its works before so few besiegers"
        yield row.warning("location", "R-100", says)
    fed = men_fed(war, 0, tables)
    if besiegers > fed:
        says = f"the country feeds {fed:,.0f} of {counted(besiegers, 'besieger')}, so they cannot stay for long"
        yield row.warning("location", "R-100", says, allowed="Fewer men, a fleet that feeds them, or the order Storm")
    if all(army.units[2] is None for army in armies_of(war, 0)):
        names = " and ".join(army.military.name for army in armies_of(war, 0))
        has = "have" if war.attacker.allies else "has"
        says = f"{names} {has} no artillery, so there is no breach: hunger decides, or the order Storm"
        yield row.warning("location", "R-101", says)


def _is_behind(plan: FlankPlan, own: Sequence[FlankPlan], enemies: Sequence[FlankPlan]) -> bool:
    """Return True if a flank is farther in the direction of the enemy than every flank of the enemy."""
    own, enemies = ([flank for flank in side if flank.maneuver != AMBUSH] or side for side in (own, enemies))
    # The middle flank of each side, since one that is far away shall not turn the direction round.
    own_x, enemy_x = (median(flank.x for flank in side) for side in (own, enemies))
    own_y, enemy_y = (median(flank.y for flank in side) for side in (own, enemies))
    toward_x, toward_y = enemy_x - own_x, enemy_y - own_y
    depth = plan.x * toward_x + plan.y * toward_y
    return all(depth > enemy.x * toward_x + enemy.y * toward_y for enemy in enemies)


def check_transport(row: Row, side: Belligerent, terrain: TerrainMap | None, tables: Tables) -> Iterator[Problem]:
    """Check that a transport has a capacity (MD-09), and warn of men without room if there is water (R-90)."""
    transport, size = side.units[3], side.military.size
    if transport is None:
        return
    if transport.capacity < 1:
        says = f'"{transport.name}" is not a ship, because its Capacity is {transport.capacity}'
        yield row.problem("transport", "MD-09", says, allowed="Name a unit with a Capacity of at least 1")
        return
    ships = ship_number(side)
    if ships * transport.capacity < size and terrain is not None and has_water(terrain, tables):
        says = f"{ships} {transport.name} carry {ships * transport.capacity:,} of {counted(size, 'man', 'men')}"
        yield row.warning("ship_number", "MD-09", says)


def check_new_leader(row: Row, name: str, database: Database) -> Iterator[Problem]:
    """Check that a leader is new, and named differently from the generic entries."""
    if loosely(name) == loosely(GENERIC):
        yield row.problem("leader", "LDR-21", f"{quoted(name)} is not a name", allowed="Give the leader a name")
    elif rows := database.find(Leader, name):
        says = f"{quoted(name)} is in Leaders already, row {rows[0].number}"
        yield row.problem("leader", "LDR-21", says, allowed="Give the leader another name")


def check_budget(row: Row, military: Military, nations: Sequence[Row], database: Database) -> Iterator[Problem]:
    """Warn of a Budget above the yearly income of an army's nations, where all of it is typed (MIL-14)."""
    records = [database.read(nation, NationRow).record for nation in nations if not nation.is_blank("gdp")]
    gdp = sum(nation.gdp for nation in records if nation)
    is_typed = not row.is_blank("budget") and None not in records and len(records) == len(military.nation)
    if is_typed and military.budget > gdp:
        says = f"{military.budget:,.0f} US dollars, but the GDP of {' and '.join(military.nation)} is {gdp:,.0f}"
        yield row.warning("budget", "MIL-14", says, allowed="Check Budget, and GDP of the nation")


def check_debts(row: Row, war: WarInputs, database: Database, tables: Tables) -> Iterator[Problem]:
    """Warn of an attacker in debt (DB-16)."""
    nation = war.attacker.nation
    if nation.revenue == tables.scores.worst("Revenue"):
        rows = database.find(NationRow, nation.name)
        says = f"{nation.name} attacks while in debt (Revenue {nation.revenue})"
        yield (rows[0] if rows else row).warning("revenue" if rows else "attacker", "DB-16", says)
