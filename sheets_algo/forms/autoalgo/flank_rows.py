"""Rows of the tab Flanks: the flanks of each row, and strategies that other wars reuse (STRAT-13)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from engine.autoalgo.battle.state import AMBUSH
from engine.autoalgo.inputs import SIDES, Count, FlankOrder
from engine.autoalgo.setup.army import COLUMNS, split_evenly
from engine.autoalgo.setup.formations import formation_places, line_places
from engine.autoalgo.setup.places import default_middle, half_of, line_of
from engine.autoalgo.setup.table_parts import Strategy
from engine.columns import loosely
from engine.share import Share
from engine.suggest import nearest
from sheets_algo.database.cell_text import ReadError, as_text
from sheets_algo.database.problems import Problem, one_of, quoted
from sheets_algo.database.records import Database, ReadRow
from sheets_algo.database.tables import Row
from sheets_algo.forms.autoalgo.board_link import is_link, linked_flanks
from sheets_algo.forms.autoalgo.columns import FlankRow, WarRequest
from sheets_algo.forms.request_columns import request_id

OF_A_FLANK = ("flank", "x", "y", *COLUMNS, "maneuver", "flanks", "formation", "to_x", "to_y")
"""Attributes of columns; a row with at least one of them filled is a flank."""


@dataclass(frozen=True, slots=True)
class PlacedFlank:
    """One flank of a war, with its row."""

    # The row of Flanks, which may contain several flanks; None for a flank of a board's link.
    read: ReadRow[FlankRow] | None
    order: FlankOrder  # The order; a cell that cannot be read counts as blank
    military: tuple[str, ...] = ()  # The army whose flank it is; none for one of each
    is_used_again: bool = False  # True if the row is of a strategy that the war uses again (WAR-16)


def placed_flanks(request: Row, database: Database, rules: Strategy) -> Mapping[str, list[PlacedFlank]]:
    """Return the flanks of both sides of a war: of their own rows, else of the named link or strategy."""
    flanks: dict[str, list[PlacedFlank]] = {side: [] for side in SIDES}
    id = request_id(request)
    for row in database.table(FlankRow).rows_of(request):
        read = database.read(row, FlankRow)
        if (side := read.values.get("side")) in flanks and not is_side_alone(row):
            military = read.values.get("military", ())
            flanks[side] += (PlacedFlank(read, order, military) for order in flank_orders(read.values, side, rules))
    for side, of_side in flanks.items():
        if of_side or not (name := strategy_of(request, side, database)):
            continue
        if is_link(name):
            with suppress(ReadError):  # which `strategy_problems` reports
                linked = linked_flanks(name, id, side, database.vocabulary.lists)
                of_side += (PlacedFlank(None, order, (army,) if army else ()) for order, army in linked)
            continue
        for row in strategy_rows(database, name):
            read = database.read(row, FlankRow)
            orders = flank_orders(read.values, written := read.values.get("side") or side, rules)
            facing = (order if written == side else mirrored(order, rules) for order in orders)
            military = read.values.get("military", ())
            of_side += (PlacedFlank(read, order, military, is_used_again=True) for order in facing)
        enemy = flanks[SIDES[1 - SIDES.index(side)]]
        if (line := _line(of_side, rules)) is not None and line == _line(enemy, rules):
            of_side[:] = (dataclasses.replace(flank, order=mirrored(flank.order, rules)) for flank in of_side)
    return flanks


def is_side_alone(row: Row) -> bool:
    """Return True if a row has a side but no data of a flank (STRAT-14)."""
    return all(row.is_blank(name) for name in OF_A_FLANK)


def _line(flanks: Sequence[PlacedFlank], rules: Strategy) -> int | None:
    return line_of([flank.order for flank in flanks], rules)


def strategy_of(request: Row, side: str, database: Database) -> str:
    """Return the name of the strategy that a war reuses for a side, blank for none."""
    return str(database.read(request, WarRequest).values.get(strategy_column(side)) or "")


def strategy_column(side: str) -> str:
    """Return the attribute of the column that names the strategy of a side."""
    return f"{side.lower()}_strategy"


def check_formation(row: Row, flank: FlankRow) -> Iterator[Problem]:
    """Check that a row with a formation has all that places its flanks (STRAT-13)."""
    has_end = flank.to_x is not None or flank.to_y is not None
    if flank.flanks is None and (flank.formation or has_end):
        attribute = "formation" if flank.formation else "to_x" if flank.to_x is not None else "to_y"
        yield row.problem(attribute, "STRAT-13", "Flanks is blank", allowed="Type the number of flanks there, 1 to 99")
    if has_end and flank.formation not in ("", "line"):
        says = f"the formation {flank.formation} stands around X, Y"
        yield row.problem("to_x" if flank.to_x is not None else "to_y", "STRAT-13", says, allowed="Clear To X and To Y")
    if has_end and (flank.x is None or flank.y is None):
        attribute = "x" if flank.x is None else "y"
        yield row.problem(attribute, "STRAT-13", "a line that ends at To X, To Y begins at X, Y", allowed="Type both")


def flank_orders(values: Mapping[str, Any], side: str, rules: Strategy) -> tuple[FlankOrder, ...]:
    """Return the orders of the flanks of a row (STRAT-13).

    A formation with blank X and Y has no places yet: the rules choose the line of the side (R-111).

    Args:
        values: The values of the row by attribute; those that cannot be read are missing.
        side: `Attacker` or `Defender`.
    """
    order = _order(values)
    count = values.get("flanks")
    if count is None:
        return (order,)
    number = SIDES.index(side)
    middle, enemies = default_middle(number, rules), default_middle(1 - number, rules)
    x, y = (default if typed is None else typed for default, typed in zip(middle, (order.x, order.y), strict=True))
    is_placed = (order.x, order.y) != (None, None)
    ahead = 1 if middle[1] <= enemies[1] else -1
    end = values.get("to_x"), values.get("to_y")
    if end != (None, None):
        places = line_places(count, (x, y), (x if end[0] is None else end[0], y if end[1] is None else end[1]))
    else:
        name = values.get("formation") or "line"
        line = line_of([order], rules)
        rows = half_of(number if line is None else line, rules)
        if order.maneuver == AMBUSH:
            rows = 0.0, rules.map_pixels - 1.0
        places = formation_places(name, count, (x, y), ahead=ahead, last=rules.map_pixels - 1, rows=rows)
    infantry, cavalry, artillery, ships = (_divided(getattr(order, name), count) for name in COLUMNS)
    return tuple(
        FlankOrder(
            label=f"{order.label} {place + 1}" if order.label and count > 1 else order.label,
            x=places[place][0] if is_placed else None,
            y=places[place][1] if is_placed else None,
            offset=None if is_placed else (round(places[place][0] - x, 1), round(ahead * (places[place][1] - y), 1)),
            infantry=infantry[place],
            cavalry=cavalry[place],
            artillery=artillery[place],
            ships=ships[place],
            maneuver=order.maneuver,
        )
        for place in range(count)
    )


def _divided(total: Count, parts: int) -> Sequence[Count]:
    if isinstance(total, Share):
        return [Share(total.per_cent / parts)] * parts
    return [None] * parts if total is None else split_evenly(total, parts)


def mirrored(order: FlankOrder, rules: Strategy) -> FlankOrder:
    """Return the order of a flank for the other side: mirrored between both default lines."""
    if order.y is None:
        return order
    (_, attackers), (_, defenders) = (default_middle(line, rules) for line in (0, 1))
    return dataclasses.replace(order, y=min(max(attackers + defenders - order.y, 0.0), rules.map_pixels - 1.0))


def strategy_rows(database: Database, name: str) -> Sequence[Row]:
    """Return the rows of Flanks that have the name of a strategy."""
    return [row for row in database.table(FlankRow) if loosely(as_text(row.value("strategy"))) == loosely(name)]


def strategy_problems(request: Row, database: Database) -> Iterator[Problem]:
    """Yield a problem for each unknown or ambiguous name of a strategy: without rows, or with rows of several sides."""
    rows = database.table(FlankRow).rows_of(request)
    sides_with_rows = {loosely(as_text(row.value("side"))) for row in rows}
    for side in SIDES:
        name, attribute = strategy_of(request, side, database), strategy_column(side)
        if not name:
            continue
        if loosely(side) in sides_with_rows:
            instead = "the link" if is_link(name) else quoted(name)
            says = f"the {side.lower()} has rows of its own in Flanks, which count instead of {instead}"
            yield request.warning(attribute, "WAR-16", says, allowed="Clear the cell, or remove those rows")
            continue
        if is_link(name):
            try:
                linked_flanks(name, request_id(request), side, database.vocabulary.lists)
            except ReadError as error:
                yield request.problem(attribute, "WAR-16", error.says, allowed=error.allowed, nearest=error.nearest)
            continue
        owners: dict[tuple[str, str], str] = {}
        for row in strategy_rows(database, name):
            war = database.read(row, FlankRow).values.get("request") or as_text(row.value("request"))
            whose = as_text(row.value("side"))
            owners.setdefault((loosely(war), loosely(whose)), f"the {whose.lower()}'s of {war}")
        if len(owners) > 1:
            says = f"{quoted(name)} is the name of several strategies in Flanks: {', '.join([*owners.values()][:3])}"
            yield request.problem(attribute, "WAR-16", says, allowed="Give each a name of its own")
        elif not owners:
            names = filter(None, (as_text(row.value("strategy")) for row in database.table(FlankRow)))
            known = [*dict.fromkeys(names)]
            says = f"no row of Flanks has {quoted(name)} in its column Strategy"
            allowed = one_of(known) or "Type the name there, in each row of the strategy"
            yield request.problem(attribute, "WAR-16", says, allowed=allowed, nearest=nearest(name, known))


def _order(values: Mapping[str, Any]) -> FlankOrder:
    """Return the order of one flank from the values of its row; a blank maneuver is that of its side (R-86)."""
    given = {name: values.get(name) for name in ("x", "y", *COLUMNS)}
    return FlankOrder(label=values.get("flank") or "", maneuver=values.get("maneuver") or "", **given)
