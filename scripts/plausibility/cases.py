"""Battles and scenarios as their files give them (`tests/data/history/README.md` names the columns)."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

SIDES = ("attacker", "defender")
TRACKS = ("A", "B", "C")
"""What a case tells: A what could be counted, B also armies and leaders as known before, C also as judged after."""
AVERAGE = 5.0
"""Training and skill of whom nothing is known."""
UNKNOWN = "unknown"
"""Type of foot and ships that nobody named: what most had at the time."""
ARMS = ("infantry", "cavalry", "artillery")
ERAS = ("1600-1699", "1700-1799", "1800-1849", "1850-1899", "1900-1913")
Read = TypeVar("Read")


class BadFile(Exception):
    """A file of battles that cannot be used; one sentence with file, line and column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Army:
    """One side of a case.

    Args:
        name: Of the nation.
        leader: Name of the commander.
        size: Men; at sea the crews.
        types: Units of the catalogue by arm, blank for none.
        shares: Of the men by arm.
        civilization: Civilization Type; blank where the file says none.
        training: 0 to 10.
        skill: Of the commander, 0 to 10.
        soldier_type: Soldier Type; blank leaves the unit's own.
        ship_type: Unit of the catalogue; blank for none.
        ships: How many.
        front_km: Width of the front; None where it is unknown.
    """

    name: str
    leader: str = ""
    size: int
    types: tuple[str, str, str]
    shares: tuple[float, float, float]
    civilization: str
    training: float = AVERAGE
    skill: float = AVERAGE
    soldier_type: str = ""
    ship_type: str = ""
    ships: int = 0
    front_km: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One battle before it is fought. Steps of -4 to 4 favour the attacker above 0.

    Args:
        id: Unique in its file.
        name: Of the battle.
        year: BC is negative.
        kind: `land`, `naval` or `siege`.
        attacker: Who attacks.
        defender: Who is attacked.
        posture: The defender's strongest: one of `POSTURES`.
        mobile_defences: The defender's.
        fortifications: The defender's.
        terrain: Name of the map.
        wooded: Whether it is fought in woods.
        river_crossing: Whether the attacker crosses one.
        urbanization: Of the location.
        climate: Of the location.
        attrition: Of the location.
        surprise: -3 to 3.
        morale: Steps.
        logistics: Steps.
        technology: Steps.
        intelligence: Steps.
        leadership: Steps, as judged for this battle.
        tactics: Free text.
    """

    id: str
    name: str
    year: int
    kind: str = "land"
    attacker: Army
    defender: Army
    posture: str = "HD"
    mobile_defences: str = "none"
    fortifications: str = "none"
    terrain: str = "Plain"
    wooded: bool = False
    river_crossing: bool = False
    urbanization: str = "Rural"
    climate: str = "Temperate"
    attrition: str = "none"
    surprise: float = 0.0
    morale: float = 0.0
    logistics: float = 0.0
    technology: float = 0.0
    intelligence: float = 0.0
    leadership: float = 0.0
    tactics: str = ""

    @property
    def armies(self) -> tuple[Army, Army]:
        """Attacker and defender."""
        return self.attacker, self.defender

    def on_track(self, track: str) -> Case:
        """What the track tells of it."""
        if track == "C":
            return self
        if track == "B":
            return replace(self, leadership=0.0)
        plain = [replace(army, training=AVERAGE, skill=AVERAGE) for army in self.armies]
        return replace(
            self,
            attacker=plain[0],
            defender=plain[1],
            surprise=0.0,
            morale=0.0,
            logistics=0.0,
            technology=0.0,
            intelligence=0.0,
            leadership=0.0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Battle:
    """A case with what became of it, as far as the file tells.

    Args:
        case: Before it.
        era: One of `ERAS`.
        winner: `attacker`, `defender`, `draw` or blank.
        losses: Share of the men of each side; None where it is unknown.
        hours: Of fighting; None where they are unknown.
        is_equal: Whether the armies and their leaders were rated equal.
    """

    case: Case
    era: str
    winner: str
    losses: tuple[float | None, float | None]
    hours: float | None
    is_equal: bool


Band = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A stylised case with the ranges of what became of it; None where nothing is known.

    Args:
        case: Before it.
        winner: `attacker`, `defender`, `draw` or blank.
        losses: Share of the men of each side.
        ships_lost: Of each side.
        hours: Of a battle.
        days: Of a siege.
        odds: In which the probability of the historical result is credible.
    """

    case: Case
    winner: str
    losses: tuple[Band | None, Band | None]
    ships_lost: tuple[Band | None, Band | None]
    hours: Band | None
    days: Band | None
    odds: Band | None


POSTURES = ("WD", "HD", "PD", "FD")
"""Weakest first."""


def read_battles(file: Path) -> list[Battle]:
    """The battles of a file.

    Raises:
        BadFile: It is missing, or something in it is wrong.
    """
    return _read(file, "battle_id", _battle)


def read_scenarios(file: Path) -> list[Scenario]:
    """The scenarios of a file.

    Raises:
        BadFile: It is missing, or something in it is wrong.
    """
    return _read(file, "scenario_id", _scenario)


@dataclass(frozen=True, slots=True)
class _Line:
    file: Path
    at: int
    cells: Mapping[str | None, str | None]

    def problem(self, column: str, what: str) -> BadFile:
        return BadFile(f"{self.file}, line {self.at}, column {column}: {what}")

    def text(self, column: str, default: str | None = None) -> str:
        found = (self.cells.get(column) or "").strip()
        if found or default is not None:
            return found or str(default)
        raise self.problem(column, "it is blank; every row needs it.")

    def one_of(self, column: str, allowed: Sequence[str], default: str | None = None) -> str:
        found = self.text(column, default)
        for word in allowed:
            if word.casefold() == found.casefold():
                return word
        raise self.problem(column, f'"{found}" is not allowed; use {", ".join(filter(None, allowed))}.')

    def number(self, column: str, low: float, high: float, default: float | None = None) -> float:
        found = self.text(column, None if default is None else str(default))
        try:
            number = float(found)
        except ValueError:
            raise self.problem(column, f'"{found}" is not a number.') from None
        if not (math.isfinite(number) and low <= number <= high):
            raise self.problem(column, f"{found} is not allowed; use a number from {low:g} to {high:g}.")
        return number

    def best(self, column: str, low: float, high: float, default: float | None = None) -> float:
        """The best estimate; where only a range is told, its geometric middle."""
        ends = [self.maybe(f"{column}_{end}", low, high) for end in ("low", "high")]
        told = [end for end in ends if end]
        if told and self.maybe(column, low, high) is None:
            return math.prod(told) ** (1 / len(told))
        return self.number(column, low, high, default)

    def maybe(self, column: str, low: float, high: float) -> float | None:
        return self.number(column, low, high) if (self.cells.get(column) or "").strip() else None

    def band(self, column: str, high: float) -> Band | None:
        least, most = self.maybe(f"{column}_low", 0, high), self.maybe(f"{column}_high", 0, high)
        return None if least is None or most is None else (least, most)


def _read(file: Path, key: str, one: Callable[[_Line], Read]) -> list[Read]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            reader = csv.DictReader(lines)
            if key not in (reader.fieldnames or ()):
                raise BadFile(f"{file}, line 1: there is no column {key}, which such a file begins with.")
            rows = [_Line(file, reader.line_num, cells) for cells in reader]
    except OSError as error:
        raise BadFile(f"{file}: the file cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadFile(f"{file}: this is not a CSV file in UTF-8: {error}.") from error
    seen: dict[str, int] = {}
    for row in rows:
        if None in row.cells:
            raise BadFile(f"{file}, line {row.at}: it has more cells than the header has columns.")
        first = seen.setdefault(row.text(key), row.at)
        if first != row.at:
            raise row.problem(key, f'"{row.text(key)}" stands in line {first} already; ids are unique.')
    if not rows:
        raise BadFile(f"{file}: there is no row below the header.")
    return [one(row) for row in rows]


def _battle(row: _Line) -> Battle:
    """Steps, outcomes and whatever else may be unknown default to nothing known."""
    postures = [row.one_of("posture", POSTURES, "HD"), row.one_of("posture2", ("", *POSTURES), "")]
    case = Case(
        id=row.text("battle_id"),
        name=row.text("name", row.text("battle_id")),
        year=int(row.number("year", -3500, 2020)),
        attacker=_army(row, "att"),
        defender=_army(row, "def"),
        posture=max(filter(None, postures), key=POSTURES.index),
        mobile_defences=row.text("mobile_defences", "none"),
        fortifications=row.text("fortifications", "none"),
        terrain=row.text("terrain_map", "Plain"),
        wooded=row.number("wooded", 0, 1, 0) > 0,
        river_crossing=row.number("river_crossing", 0, 1, 0) > 0,
        urbanization=row.text("urbanization", "Rural"),
        climate=row.text("climate", "Temperate"),
        surprise=row.number("surprise", -4, 4, 0),
        morale=row.number("rel_morale", -4, 4, 0),
        logistics=row.number("rel_logistics", -4, 4, 0),
        technology=row.number("rel_technology", -4, 4, 0),
        intelligence=row.number("rel_intelligence", -4, 4, 0),
        leadership=row.number("rel_leadership", -4, 4, 0),
    )
    return Battle(
        case=case,
        era=era_of(case.year),
        winner=row.one_of("winner", ("", "attacker", "defender", "draw"), ""),
        losses=(_lost(row, "att", case.attacker), _lost(row, "def", case.defender)),
        hours=row.maybe("duration_hours", 0, 10_000),
        is_equal=row.number("rel_effectiveness", -4, 4, 0) == 0 and case.leadership == 0,
    )


def _lost(row: _Line, side: str, army: Army) -> float | None:
    """The share that a side lost, from the men where only they are told."""
    share = row.maybe(f"{side}_loss_frac", 0, 10)
    men = row.maybe(f"{side}_losses", 0, 15_000_000)
    return men / army.size if share is None and men is not None else share


def era_of(year: int) -> str:
    """The era that a year belongs to; the first or last one for years outside all."""
    ends = [int(era[-4:]) for era in ERAS]
    return next((era for era, end in zip(ERAS, ends, strict=True) if year <= end), ERAS[-1])


def _scenario(row: _Line) -> Scenario:
    fortifications, field_works = row.text("fortifications", "none"), row.text("mobile_defences", "none")
    posture = "FD" if fortifications != "none" else "PD" if field_works != "none" else "HD"
    case = Case(
        id=row.text("scenario_id"),
        name=row.text("name", row.text("scenario_id")),
        year=int(row.number("year", -3500, 2020)),
        kind=row.one_of("kind", ("land", "naval", "siege"), "land"),
        attacker=_army(row, "att"),
        defender=_army(row, "def"),
        posture=posture,
        mobile_defences=field_works,
        fortifications=fortifications,
        terrain=row.text("terrain_map", "Plain"),
        urbanization=row.text("urbanization", "Rural"),
        climate=row.text("climate", "Temperate"),
        attrition=row.text("attrition", "none"),
        surprise=row.number("surprise", -4, 4, 0),
        tactics=row.text("tactics", ""),
    )
    return Scenario(
        case=case,
        winner=row.one_of("winner", ("", "attacker", "defender", "draw"), ""),
        losses=(row.band("att_loss", 1), row.band("def_loss", 1)),
        ships_lost=(row.band("att_ships_lost", 10_000), row.band("def_ships_lost", 10_000)),
        hours=row.band("duration_hours", 10_000),
        days=row.band("duration_days", 10_000),
        odds=row.band("p_winner", 1),
    )


def _army(row: _Line, side: str) -> Army:
    types, shares = _arms(row, side)
    ships = round(row.best(f"{side}_ships", 0, 10_000, 0))
    whole = math.fsum(shares)
    if whole == 0 and not (ships and row.text("kind", "land").casefold() == "naval"):
        types, shares, whole = (UNKNOWN, "", ""), (1.0, 0.0, 0.0), 1.0
    whole = whole or 1.0
    return Army(
        name=row.text(f"{side}_side", "unknown"),
        leader=row.text(f"{side}_commander", row.text(f"{side}_leader", "")),
        size=round(row.best(f"{side}_size", 1, 15_000_000)),
        types=types,
        shares=(shares[0] / whole, shares[1] / whole, shares[2] / whole),
        civilization=row.text(f"{side}_civilization", ""),
        training=row.number(f"{side}_training", 0, 10, AVERAGE),
        skill=row.number(f"{side}_leader_skill", 0, 10, AVERAGE),
        soldier_type=row.text(f"{side}_soldier_type", ""),
        ship_type=row.text(f"{side}_ship_type", UNKNOWN) if ships else "",
        ships=ships,
        front_km=row.maybe(f"{side}_front_km", 0, 1000),
    )


def _arms(row: _Line, side: str) -> tuple[tuple[str, str, str], tuple[float, float, float]]:
    """Types and shares; foot of unknown number are the rest, men of an unnamed arm fight as those of the others."""
    named = [row.text(f"{side}_{arm}_type", "") for arm in ("inf", "cav", "art")]
    given = [row.maybe(f"{side}_{arm}_prop", 0, 1) for arm in ("inf", "cav", "art")]
    riders, guns = given[1] or 0.0, given[2] or 0.0
    foot = max(1 - riders - guns, 0.0) if given[0] is None else given[0]
    shares = [share if kind else 0.0 for kind, share in zip(named, (foot, riders, guns), strict=True)]
    types = [kind if share > 0 else "" for kind, share in zip(named, shares, strict=True)]
    return (types[0], types[1], types[2]), (shares[0], shares[1], shares[2])
