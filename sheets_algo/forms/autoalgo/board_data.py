"""The data of a strategy board: a war's map, its flanks, and the counts of each army to place (STRAT).

The board's script knows no rule: the program checks its rows. Men, starting areas, ranges and marches are numbers from
the functions of the battle.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from engine.autoalgo.inputs import SIDES, Belligerent, Count, WarInputs
from engine.autoalgo.names import army_names, side_names
from engine.autoalgo.report.scenes import planned_scene
from engine.autoalgo.setup.army import COLUMNS, armies_of, belligerent, led_by, slot_counts
from engine.autoalgo.setup.deploy import reach_m
from engine.autoalgo.setup.places import default_line
from engine.autoalgo.setup.points import mix_text, points_of
from engine.autoalgo.setup.strategy import army_table, strategy_rules
from engine.autoalgo.setup.tables import Tables
from engine.autoalgo.setup.variables import side_variables
from engine.battle_map import Rgb, Scene
from engine.columns import columns, loosely
from engine.recording import Recording
from engine.share import Share
from engine.terrain import TerrainMap
from sheets_algo.config.maps import BadMap, MapFolder
from sheets_algo.database.colours import hex_of
from sheets_algo.forms.autoalgo.board_link import PROTOCOL
from sheets_algo.forms.autoalgo.columns import FlankRow
from sheets_algo.forms.capabilities import BoardRows

MAPS_MOST = 16_000
"""Maximum number of characters of further maps in a page, so that the whole stays below 120,000 bytes."""

BOARD_ROWS = BoardRows(
    FlankRow, "side", ("request", "side", "flank", "x", "y", *COLUMNS, "maneuver"), ("strategy",), "military"
)
"""The rows of a board."""


@dataclass(frozen=True, slots=True)
class WarBoard:
    """The strategy board of a war."""

    request: str  # The id of the request
    war: WarInputs  # The war, with flanks that may be wrong
    tables: Tables  # The tables of its settings
    maps: MapFolder  # The maps of its settings
    colours: Mapping[str, Rgb]  # The colours of nations' flags, by name
    recording: Recording | None = None  # The battle hour by hour, of a war that is ruled; else None
    # The flanks with a cell that cannot be read, as numbers of side, army there and flank of it.
    wrong: frozenset[tuple[int, int, int]] = frozenset()

    @property
    def sides(self) -> dict[str, str]:
        """Return the name of each side with the nation that fights on it."""
        return dict(zip(SIDES, side_names(self.war), strict=True))

    @property
    def scene(self) -> Scene | None:
        """Return the picture of the flanks before the battle (MAP-07), None if none is on the map."""
        scene = planned_scene(self.war, self.tables, self.wrong).painted(self.colours)
        return scene if scene.before else None

    def data(self, sides: Sequence[str] = (), *, is_blank: bool = False, has_other_maps: bool = True) -> dict[str, Any]:
        """Return all that the board's script needs, as plain lists and numbers.

        Args:
            sides: The sides to show, all if none is named; another side has only its nation and colour.
            is_blank: True to ignore the rows: each side has the default flanks (STRAT-01).
            has_other_maps: True to add other maps than the war's own, as many as have room.
        """
        if is_blank:
            attacker, defender = (without_flanks(belligerent(self.war, side)) for side in (0, 1))
            blank = replace(self, war=replace(self.war, attacker=attacker, defender=defender))
            return blank.data(sides, has_other_maps=has_other_maps)
        war, rules, open_sides = self.war, self.tables.strategy, sides or SIDES
        names, maps, whys = _maps(self, MAPS_MOST if has_other_maps else 0)
        maneuvers = self.tables.lists["Maneuver"]
        return {
            "protocol": PROTOCOL,
            "request": {
                "id": self.request,
                "war": war.name,
                "year": war.year,
                "location": war.location.name,
                "is_ruled": self.recording is not None,
            },
            "pixels": rules.map_pixels,
            "km": rules.km_per_pixel,
            "terrain": [
                _feature(feature) | {"is_cover": code in self.tables.terrain_roles.cover}
                for code, feature in enumerate(self.tables.terrain)
            ],
            "maps": [{"name": name, "codes": maps.get(name, ""), "why": whys.get(name, "")} for name in names],
            "map": names.index(war.terrain.name),
            "maneuvers": [{"name": name, "text": maneuvers.meanings.get(name, "")} for name in maneuvers.values],
            "columns": [dict(columns(FlankRow))[name].header for name in BOARD_ROWS.columns],
            "others": [dict(columns(FlankRow))[name].header for name in BOARD_ROWS.others],
            "names": [*self.sides.values()],
            "sides": [
                army
                for number, side in enumerate(SIDES)
                for army in (_armies(self, number) if side in open_sides else [_unseen(self, number)])
            ],
        }


def _feature(feature: Any) -> dict[str, Any]:
    from sheets_algo.pictures.ground import tinted  # needs Pillow, which a browser that verifies lacks

    return {
        "name": feature.name,
        "colour": hex_of(tinted(feature.rgb)),
        "is_water": feature.is_water,
        "speed": feature.speed,
        "efficiency": feature.efficiency,
    }


def _maps(board: WarBoard, room: int) -> tuple[list[str], dict[str, str], dict[str, str]]:
    """Return all maps' names, codes of the war's own and of the smallest others that have room, and why some are bad.

    Args:
        room: The most characters of the others; 0 leaves them out unread.
    """
    war_map, names = board.war.terrain, list(board.maps.names)
    if war_map.name not in names:  # the map of a ruled war may have another file's name by now
        names.append(war_map.name)
    if not room:
        return names, {war_map.name: packed_codes(war_map)}, {}
    packed: dict[str, str] = {}
    bad: dict[str, str] = {}
    for name in names:
        if name != war_map.name:
            try:
                packed[name] = packed_codes(board.maps.load(name))
            except BadMap as error:
                bad[name] = str(error).rstrip(".")
    kept = {war_map.name: packed_codes(war_map)}
    for name, codes in sorted(packed.items(), key=lambda pair: len(pair[1])):
        room -= len(codes)
        if room < 0:
            break
        kept[name] = codes
    return names, kept, bad


def packed_codes(terrain: TerrainMap) -> str:
    """Return the codes of a map row by row, compressed with zlib, in base64."""
    return _packed(terrain.codes.tobytes())


@lru_cache(32)
def _packed(codes: bytes) -> str:
    """Compress the codes of a map once for the boards of all wars and sides."""
    return base64.b64encode(zlib.compress(codes, 9)).decode()


def _armies(board: WarBoard, side: int) -> Iterator[dict[str, Any]]:
    """Yield each army of a side, the leader's first: its force, its rules and its flanks (R-130)."""
    armies, names, first = armies_of(board.war, side), army_names(board.war, side), 0
    for place, (army, name) in enumerate(zip(armies, names, strict=True)):
        war = led_by(board.war, side, place)
        is_alone = [loosely(other.military.name) for other in armies].count(loosely(army.military.name)) == 1
        called = army.military.name if is_alone else army.military.label
        number = len(army_table(war, side, board.tables))
        yield (
            _unseen(board, side)
            | _army(board, war, side)
            | {
                "nation": name,
                "colour": _colour(board, army, side),
                "military": called if len(armies) > 1 else "",
                "names": [called, army.military.name, army.military.label],
                "after": _after(board, SIDES[side], first, number),
            }
        )
        first += number


def _army(board: WarBoard, war: WarInputs, side: int) -> dict[str, Any]:
    """Return the army that leads a side of a war."""
    tables, army = board.tables, belligerent(war, side)
    rules, scale = tables.strategy, tables.strategy.km_per_pixel
    bonus = side_variables(war, side, tables).morale_bonus.value
    limits = strategy_rules(war, side, tables)
    ships = next(total for total in limits.totals if total.column == "ships")
    rows = next(limit for limit in limits.limits if limit.column == "y")
    unordered = replace(army, flanks=())
    default = replace(war, attacker=unordered) if side == 0 else replace(war, defender=unordered)
    x, y = (rules.new_attacker, rules.new_defender)[default_line(default, side, tables)]
    headers = {name: column.header for name, column in columns(FlankRow)}
    return {
        "army": army.military.name,
        "points": points_of(army, tables),
        "mix": mix_text(war, side, tables),
        "units": [
            {
                "column": name,
                "header": headers[name],
                "type": unit.name if unit is not None else "",
                "reach": -1.0 if unit is None or reach_m(unit) < 0 else reach_m(unit) / 1000 / scale,
                "speed": unit.speed / scale if unit is not None else 0.0,
                "rebound": unit.rebound if unit is not None else 0.0,
                "capacity": unit.capacity if unit is not None else 0,
            }
            for name, unit in zip(COLUMNS, army.units, strict=True)
        ],
        "is_averaged": tables.constants.r_123.applies,
        "counts": slot_counts(army),
        "morale_a_man": tables.constants.strat_04.morale_a_man * bonus,
        "ships": ships.expected,
        "ships_by_men": tables.constants.r_122.applies > 0,
        "tolerances": [*[limits.size.tolerance] * 3, ships.tolerance],
        "men": limits.men,
        "crew": limits.crew,
        "most": limits.flanks_most,
        "rows": [rows.low, rows.high],
        "ambush": limits.ambush.maneuver if limits.ambush else "",
        "default": _flanks(default, side, tables),
        "new": {"x": x, "y": y},
        "flanks": _flanks(war, side, tables),
    }


def without_flanks(army: Belligerent) -> Belligerent:
    """Return an army, and its allies, with the default flanks (STRAT-01)."""
    return replace(army, flanks=(), allies=tuple(map(without_flanks, army.allies)))


def _unseen(board: WarBoard, side: int) -> dict[str, Any]:
    """Return the public data of a side with a hidden strategy."""
    colour = _colour(board, belligerent(board.war, side), side)
    return {"name": SIDES[side], "role": side, "nation": board.sides[SIDES[side]], "colour": colour}


def _colour(board: WarBoard, army: Belligerent, side: int) -> str:
    from sheets_algo.pictures.strokes import SIDE_COLOURS

    return hex_of(board.colours.get(army.nation.name) or SIDE_COLOURS[SIDES[side]])


def _flanks(war: WarInputs, side: int, tables: Tables) -> list[dict[str, Any]]:
    """Return the flanks of an army; one whose row has no label has none here either, default ones have no cells."""
    orders, plans = belligerent(war, side).flanks, army_table(war, side, tables)
    labels = [order.label for order in orders] or [plan.label for plan in plans]
    flanks: list[dict[str, Any]] = [
        {"label": label, "x": plan.x, "y": plan.y, "maneuver": plan.maneuver}
        | {name: getattr(plan, name) for name in COLUMNS}
        for label, plan in zip(labels, plans, strict=True)
    ]
    for flank, order in zip(flanks, orders, strict=False):
        flank["typed"] = [_typed(getattr(order, name)) for name in COLUMNS]
    return flanks


def _typed(count: Count) -> int | str:
    """Return a count as its cell has it, blank for a blank one; the share of a flank in a formation is rounded."""
    return "" if count is None else count if isinstance(count, int) else str(Share(round(count.per_cent, 4)))


def _after(board: WarBoard, side: str, first: int, count: int) -> list[dict[str, Any]] | None:
    """Return some flanks of a side after the battle, those of one army (STRAT-08); None before it."""
    recording = board.recording
    if recording is None:
        return None
    after = []
    for number in [number for number, actor in enumerate(recording.actors) if actor.side == side][first:][:count]:
        men = int(recording.men[-1, number])
        after.append(
            {
                "x": round(float(recording.x[-1, number]), 1),
                "y": round(float(recording.y[-1, number]), 1),
                "men": men,
                "ships": max(int(recording.ships[-1, number]), 0),
                "morale": round(float(recording.morale[-1, number]), 3),
                "status": recording.statuses[int(recording.status[-1, number])],
            }
        )
    return after
