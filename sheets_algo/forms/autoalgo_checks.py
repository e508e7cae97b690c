"""What must hold within a row of the database, and between a war and the rows it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.autoalgo.inputs import Belligerent
from engine.autoalgo.records import GENERIC, NONE_ON_PURPOSE, Leader, Location, Military, Nation
from engine.autoalgo.strategy import StrategyProblem, has_water, ship_number
from engine.autoalgo.tables import Tables
from engine.fields import columns, loosely
from engine.terrain import TerrainMap
from engine.words import nearest
from sheets_algo.book import Book
from sheets_algo.forms.autoalgo_columns import FlankRow
from sheets_algo.problems import Problem, one_of, quoted, rows_named
from sheets_algo.tables import Row

COUNTS = {"Inf": "infantry", "Cav": "cavalry", "Art": "artillery", "Navy": "ships", "Size": "infantry"}
"""Of a strategy message's totals, the Flanks column that a moderator mends."""


def strategy_problem(problem: StrategyProblem, side: str, is_request: bool) -> tuple[str, str, str]:
    """Attribute, rule and sentence of a strategy that cannot run, at a flank's row or at the request's."""
    attribute = COUNTS.get(problem.kind, loosely(problem.kind))
    at = "location" if is_request else attribute if attribute in dict(columns(FlankRow)) else "flank"
    if problem.excess:
        says = f"{side}: Invalid {problem.kind} ({problem.found:g}/{problem.allowed}), {problem.excess}"
    else:
        says = f"{side}: {problem.kind} {problem.found:g} is not allowed; use {problem.allowed}"
    return at, problem.id, says


def not_reserved(row: Row, it: Nation | Military | Location | Leader) -> Iterator[Problem]:
    """DB-10: `default` names the generic entry and no row."""
    if loosely(it.name) == GENERIC:
        yield row.problem("name", "DB-10", f'"{it.name}" is reserved for the generic entry', allowed="Use another name")


SLOTS = ("infantry", "cavalry", "artillery")


def proportions_fit(row: Row, it: Military) -> Iterator[Problem]:
    """MD-04: the three slots hold at most the whole force, and men in no slot do not fight."""
    shares = [getattr(it, f"{slot}_proportion") for slot in SLOTS]
    total = sum(shares)
    if total > 1 + 1e-9:
        says = f"the proportions sum to {total:g}"
        yield row.problem("infantry_proportion", "MD-04", says, allowed="Use shares that sum to at most 1")
    elif 0 < total < 1 - 1e-9:
        says = f"the proportions sum to {total:g}, so {1 - total:.0%} of the force fight in no slot"
        yield row.warning("infantry_proportion", "MD-04", says)


def proportions_given(row: Row, it: Military) -> Iterator[Problem]:
    """MD-04: a type with no proportion, or a proportion with no type, is probably a slip."""
    if not (it.infantry_type or it.cavalry_type or it.artillery_type):
        return
    for slot in SLOTS:
        unit, share = getattr(it, f"{slot}_type"), getattr(it, f"{slot}_proportion")
        if unit not in ("", NONE_ON_PURPOSE) and row.is_blank(f"{slot}_proportion"):
            yield row.warning(f"{slot}_proportion", "MD-04", f"blank counts as 0, so no {unit} fights")
        if unit in ("", NONE_ON_PURPOSE) and share > 0:
            yield row.problem(
                f"{slot}_type",
                "MD-04",
                f"a share of {share:g} has no unit type",
                allowed="Enter a type or empty the share",
            )


def against_itself(row: Row, asked: Mapping[str, Any]) -> Iterator[Problem]:
    """WAR-05: nobody fights himself, but for the generic nation."""
    nation = asked.get("attacker")
    if nation is not None and nation == asked.get("defender") and nation != GENERIC:
        yield row.problem("defender", "WAR-05", f"{nation} cannot fight itself", allowed="Enter another nation")


def years_to_come(row: Row, nation: Nation, year: int) -> Iterator[Problem]:
    """DATE-04, R-09: a state that is founded, or a crisis that comes, after the war."""
    for attribute, what in (("year_founded", "founded"), ("year_crisis", "in its crisis")):
        if getattr(nation, attribute) > year:
            says = f"{nation.name} is {what} only in {getattr(nation, attribute)}, after the war year {year}"
            yield row.problem(attribute, "DATE-04", says, allowed=f"Enter a year of at most {year}")


ADD_ONE = "Add one to the tab Militaries, or use default"


def no_single_force(
    row: Row, attribute: str, nation: str, name: str | None, own: Sequence[Row], found: Sequence[Row]
) -> Problem:
    """DB-10: the menu of forces lists those of the chosen nation."""
    forces = [force.name for force in own]
    if name is None:
        says = f"{nation} has {len(own)} militaries, so one must be named" if own else f"{nation} has no military"
        allowed = one_of(forces) or ADD_ONE
        return row.problem(attribute, "DB-10", says, allowed=allowed)
    if found:
        rows = rows_named((force.number for force in found), len(found))
        says = f"{nation} has {len(found)} militaries called {quoted(name)}, in {rows} of the tab Militaries"
        return row.problem(attribute, "MIL-02", says, allowed="Give each a name of its own")
    says = f"{quoted(name)} is not a military of {nation}"
    return row.problem(attribute, "DB-10", says, allowed=one_of(forces) or ADD_ONE, nearest=nearest(name, forces))


def doubtful_leaders(
    book: Book, row: Row, nation: Nation, military: Military, leaders: Sequence[Leader | None]
) -> Iterator[Problem]:
    """DB-06, LDR-11: leaders of other nations, and dead ones, are warned of and lead all the same."""
    for leader in dict.fromkeys(leader for leader in leaders if leader is not None):
        own = book.find(Leader, leader.name)[0]
        if nation.name not in leader.nation and nation.name != GENERIC:
            says = f"{leader.name} leads for {nation.name} but is listed for {', '.join(leader.nation)}"
            yield own.warning("nation", "DB-06", says)
        if leader.status:
            yield own.warning("status", "LDR-11", f"{leader.name} leads again, though {leader.status}")


def no_room(row: Row, own: Belligerent, terrain: TerrainMap | None, tables: Tables) -> Iterator[Problem]:
    """MD-09: a transport carries somebody; where there is water, men who find no room are warned of (R-90)."""
    transport, size = own.units[3], own.military.size
    if transport is None:
        return
    if transport.capacity < 1:
        says = f'"{transport.name}" is no ship, for its Capacity is {transport.capacity}'
        yield row.problem("transport", "MD-09", says, allowed="Name a unit with a Capacity of at least 1")
        return
    ships = ship_number(own)
    if ships * transport.capacity < size and terrain is not None and has_water(terrain, tables):
        says = f"{ships} {transport.name} carry {ships * transport.capacity:,} of {size:,} men"
        yield row.warning("ship_number", "MD-09", says)
