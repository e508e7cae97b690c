"""Notes of `check`: numbers without effect, unused leaders and armies, and hired ships."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from engine.autoalgo.inputs import SIDES, WarInputs
from engine.autoalgo.records import Leader, Location, Military, Unit
from engine.autoalgo.setup.army import armies_of, army_places, has_land_types, has_own_ships, is_at_sea, ship_number
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.terms import UNIT_FORMULAS, Situation
from engine.columns import loosely
from engine.receipt import counted
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.grouping import grouped
from sheets_algo.database.members import candidates
from sheets_algo.database.problems import Problem, count, shorten_list
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.forms.autoalgo.age_presets import age_of
from sheets_algo.forms.autoalgo.checks import UNIT_COLUMNS
from sheets_algo.forms.autoalgo.columns import FlankRow, MilitaryRow, NationRow, UnitRow, WarRequest
from sheets_algo.forms.autoalgo.flank_rows import is_side_alone
from sheets_algo.forms.request_columns import is_ready, request_id

LEAST_TERM = 0.01
"""Share of the maximum effect of steel or budget; a smaller one moves the odds by a tenth of a point at most."""


OTHERS_NAMED = 5
"""Maximum number of other rows that a note lists by name."""
RULED = ("Done", "Changed", "Undone")
"""Statuses of a request that has been ruled."""


def note_unused_people(row: Row, place: Location, tables: Tables) -> Iterator[Problem]:
    """Note a Local Population that does not count: at sea, or too few in the source (ATT-02, ATT-03, R-99)."""
    if not place.local_population:
        return
    country = tables.constants.r_99.country
    people = tables.climate.local_population(place, country)
    if people is None:
        yield row.note("local_population", "ATT-03", "it changes nothing: on the Ocean the fleets decide")
    elif not country and people != place.local_population:
        says = f"fewer than {tables.climate.assumed_below:,} count as blank, so {place.climate} has {people:,}"
        yield row.note("local_population", "ATT-02", says)


def note_unused_training(row: Row, military: MilitaryRow, tables: Tables) -> Iterator[Problem]:
    """Note a Tactical Training where only that of each unit counts, as under the rule set `source` (MIL-15)."""
    if military.tactical_training is not None and not tables.constants.mil_15.applies:
        yield row.note("tactical_training", "MIL-15", f"it changes nothing by the rules of {tables.strategy.rules}")


def note_words_of_training(row: Row, military: MilitaryRow, database: Database, tables: Tables) -> Iterator[Problem]:
    """Note each word of a force or its units that stands for another number in the force's Age (MIL-15)."""
    age = age_of(database, military.nation[0], tables.ages)
    if age is None:
        return
    counts = military.tactical_training is not None and tables.constants.mil_15.applies
    units = (database.find(UnitRow, getattr(military, attribute))[:1] for attribute in UNIT_COLUMNS)
    for each in [row] if counts else chain(*units):
        word = database.read(each, each.table.record).values.get("tactical_training")
        numbers = [tables.training.number(word, of) for of in (age, None)] if isinstance(word, str) else []
        if len({*numbers}) > 1:
            says = f"{word} counts {numbers[0]:g} for {military.name}, by the Age {age.name}"
            yield each.note("tactical_training", "MIL-15", says)


def note_unused_means(
    row: Row, military: Military, units: Sequence[Unit], nations: Sequence[Row], database: Database, tables: Tables
) -> Iterator[Problem]:
    """Note a negligible Budget of an army, or Steel Production of its nations (VAR-EFF)."""
    for nation_row in nations:
        nation = database.read(nation_row, NationRow).record
        if nation is None or not units or not military.size:
            continue
        at = Situation(
            nation=nation,
            military=military,
            crop=tables.diet[nation.diet],
            words={},
            unit=None,
            scores=tables.scores,
            constants=tables.constants,
        )
        for cell_row, attribute, term, typed in (
            (nation_row, "steel_production", "steel", nation.steel_production),
            (row, "budget", "budget_per_man", military.budget),
        ):
            counts = max(UNIT_FORMULAS[term](at, unit)[2] for unit in units)
            if typed and counts < LEAST_TERM and not cell_row.is_blank(attribute):
                enough = float(f"{typed * LEAST_TERM / counts:.2g}")
                says = f"too little to be noticed in battle: it counts for {military.name} from about {enough:,.0f} on"
                yield cell_row.note(attribute, "VAR-EFF", says)


def note_rows_without_flanks(database: Database) -> Iterator[Problem]:
    """Note rows of Flanks with a side but no data of a flank (STRAT-14)."""
    for row in database.table(FlankRow):
        if is_side_alone(row) and not row.is_blank("side"):
            says = "has a side and nothing of a flank, so the row stands for none"
            yield row.note("side", "STRAT-14", says, allowed="Type 1 into Flanks for a flank at the default place")


def note_unnamed_leaders(database: Database) -> Iterator[Problem]:
    """Note the living leaders of each nation whom no army and no nation names, with the cells to fill (MIL-04)."""
    tables = [database.table(record) for record in (MilitaryRow, NationRow)]
    named = {loosely(as_text(row.value("leader"))) for table in tables for row in table}
    idle = [row for row in database.table(Leader) if row.is_blank("status") and loosely(row.name) not in named]
    read = [(row, database.read(row, Leader).record) for row in idle]
    for nation, rows in grouped((leader.nation[0], row) for row, leader in read if leader is not None).items():
        says = f"no army and no nation names this leader{_others(rows, nation)}"
        owners = [*_armies(database, nation), *database.find(NationRow, nation)]
        whom = "this leader" if len(rows) == 1 else "one of them"
        yield rows[0].note("name", "MIL-04", says, allowed=f"Name {whom} in {_leader_cells(owners)}")


def _leader_cells(owners: Sequence[Row]) -> str:
    """Return the cells of armies and nations in which a leader can be named: the blank ones, else all of them."""
    places = [row for row in owners if "leader" in row.table.places]
    if not places:
        titles = dict.fromkeys(row.table.title for row in owners)
        return f'a column "Leader", which {" and ".join(titles) or "the workbook"} may have'
    blank = [row for row in places if row.is_blank("leader")]
    cells = [f"{row.cell('leader')} ({row.name}, {row.table.header('leader')})" for row in blank or places]
    instead = "" if blank else ", instead of the one there; nothing, if that is meant"
    return f"{' or '.join(shorten_list(cells, OTHERS_NAMED))}{instead}"


def note_unused_armies(database: Database) -> Iterator[Problem]:
    """Note the armies that no war names, if their nation fights in a war to come (MIL-02)."""
    used, chosen = set[int](), dict[str, tuple[Row, str, str]]()
    to_come = {war.number for war in wars_to_come(database)}
    for war in database.table(WarRequest):
        for side in map(str.lower, SIDES):
            nations, named = (candidates(war.value(name)) for name in (side, f"{side}_military"))
            armies = [*map(loosely, named)]
            for nation in nations:
                forces = [row for row in _armies(database, nation) if not armies or loosely(row.name) in armies]
                used.update(row.number for row in forces)
                if armies and forces and war.number in to_come:
                    chosen.setdefault(loosely(nation), (war, side, nation))
    for war, side, nation in chosen.values():
        attribute = f"{side}_military"
        rows = [row for row in _armies(database, nation) if row.number not in used and row.value("size") != 0]
        if rows:
            chosen_army = f"{request_id(war) or war.cell()} names {as_text(war.value(attribute))} for {nation}"
            says = f"no war uses this army{_others(rows, nation)}: {chosen_army}"
            cell = f"{war.cell(attribute)} ({war.table.header(attribute)})"
            allowed = f"Name it in {cell} instead, or in a war of its own; nothing, if it stays at home"
            yield rows[0].note("name", "MIL-02", says, allowed=allowed)


def note_hired_ships(war: WarInputs, database: Database, tables: Tables) -> Iterator[Problem]:
    """Note the ships that a land power without typed ships hires at sea (MD-05, MD-06)."""
    for side, place in army_places(war) if is_at_sea(war, tables) else ():
        own = armies_of(war, side)[place]
        rows = database.labelled(MilitaryRow, own.military.label) if own.military.nation else ()
        ship, is_hired = own.units[3], has_land_types(own) and not has_own_ships(own)
        if not rows or ship is None or not ship.capacity or not is_hired or not rows[0].is_blank("transport"):
            continue
        needed, hired = -(-own.military.size // ship.capacity), ship_number(own)
        men = counted(own.military.size, "man needs", "men need")
        need = f"{men} {needed:,} {ship.name} at {war.location.name}"
        whose = f"{own.nation.name} has typed none for {own.military.name}"
        says = f"{need}; {whose}: {'' if hired == needed else f'{hired} '}hired"
        if any(ship.power):
            allowed = "Enter the number of its ships, if it has a fleet"
            yield rows[0].note("ship_number", "MD-05", f"{says}, and they fight as its own", allowed=allowed)
        else:
            allowed = "Name the ships that are to fight, if it has a fleet"
            yield rows[0].note("transport", "MD-06", f"{says}, and unarmed", allowed=allowed)


def wars_to_come(database: Database) -> Iterator[Row]:
    """Yield the wars that are ready and show no ruling."""
    for war in database.table(WarRequest):
        if is_ready(war) is True and as_text(war.value("status")) not in RULED:
            yield war


def _armies(database: Database, nation: str) -> Sequence[Row]:
    return database.table(MilitaryRow).rows_listing("nation", nation) if nation else ()


def _others(rows: Sequence[Row], nation: str) -> str:
    """Return the other rows of a nation that share a note; blank if there are none."""
    names = ", ".join(shorten_list([row.name for row in rows[1:]], OTHERS_NAMED))
    return f", nor {count(len(rows) - 1, 'other')} of {nation} ({names})" if names else ""
