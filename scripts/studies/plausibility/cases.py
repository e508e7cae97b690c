"""Battles and scenarios as read from their files (`tests/data/history/README.md` names the columns)."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

SIDES = ("attacker", "defender")
TRACKS = ("A", "B", "C")
"""Knowledge about a case: A countable facts, B also armies and leaders as known before, C as judged after."""
AVERAGE = 5.0
"""Default training and skill."""
UNKNOWN = "unknown"
"""Type of unnamed foot and ships, which becomes the usual one of the time."""
ARMS = ("infantry", "cavalry", "artillery")
ERAS = ("1600-1699", "1700-1799", "1800-1849", "1850-1899", "1900-1913")
Read = TypeVar("Read")


class BadFile(Exception):
    """Raised for a file that cannot be used; one sentence with file, line and column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Army:
    """One side of a case.

    Args:
        name: The name of the nation.
        leader: The name of the commander.
        size: The number of men; at sea of the crews.
        types: The units of the catalogue by arm, blank for none.
        shares: The shares of the men by arm.
        civilization: The Civilization Type; blank if the file gives none.
        training: The training, 0 to 10.
        training_word: The word of Tactical Training; blank for that of the units.
        skill: The skill of the commander, 0 to 10.
        soldier_type: The Soldier Type; blank for the unit's own.
        ship_type: The type of ships in the catalogue; blank for none.
        ships: The number of ships.
        front_km: The width of the front; None if unknown.
    """

    name: str
    leader: str = ""
    size: int
    types: tuple[str, str, str]
    shares: tuple[float, float, float]
    civilization: str
    training: float = AVERAGE
    training_word: str = ""
    skill: float = AVERAGE
    soldier_type: str = ""
    ship_type: str = ""
    ships: int = 0
    front_km: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One battle before it is fought. Steps range from -4 to 4; those above 0 favour the attacker.

    Args:
        id: The id, unique in its file.
        name: The name of the battle.
        year: The year; BC is negative.
        kind: `land`, `naval` or `siege`.
        attacker: The attacking army.
        defender: The defending army.
        posture: The defender's strongest posture, one of `POSTURES`.
        mobile_defences: The defender's mobile defences.
        fortifications: The defender's fortifications.
        terrain: The name of the map.
        wooded: True if it is fought in woods.
        river_crossing: True if the attacker crosses a river.
        urbanization: The urbanization of the location.
        climate: The climate of the location.
        attrition: The attrition of the location.
        surprise: The surprise, -3 to 3.
        morale: The morale in steps.
        logistics: The logistics in steps.
        technology: The technology in steps.
        intelligence: The intelligence in steps.
        leadership: The leadership in steps, as judged for this battle.
        tactics: The tactics as free text.
        maneuvers: The maneuver of all flanks of each side; blank for the default. Only plain rows use them.
        relief: The cell Relief; blank for none. Only plain rows use it.
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
    maneuvers: tuple[str, str] = ("", "")
    relief: str = ""

    @property
    def armies(self) -> tuple[Army, Army]:
        """Return attacker and defender."""
        return self.attacker, self.defender

    def on_track(self, track: str) -> Case:
        """Return the case with only the knowledge of a track."""
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
    """Case with its known results.

    Args:
        case: The case.
        era: One of `ERAS`.
        winner: `attacker`, `defender`, `draw` or blank.
        losses: The share of the men lost by each side; None if unknown.
        hours: The hours of fighting; None if unknown.
        is_equal: True if the armies and their leaders were rated equal.
        is_clear_cut: False if the sources disagree on who won.
    """

    case: Case
    era: str
    winner: str
    losses: tuple[float | None, float | None]
    hours: float | None
    is_equal: bool
    is_clear_cut: bool = True


Band = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """Stylised case with the ranges of its results; None for unknown ones.

    Args:
        case: The case.
        winner: `attacker`, `defender`, `draw` or blank.
        losses: The share of the men lost by each side.
        ships_lost: The ships lost by each side.
        hours: The hours of a battle.
        days: The days of a siege.
        odds: The credible range of the probability of the historical result.
        half: `training` or `test`; blank in a file without halves.
    """

    case: Case
    winner: str
    losses: tuple[Band | None, Band | None]
    ships_lost: tuple[Band | None, Band | None]
    hours: Band | None
    days: Band | None
    odds: Band | None
    half: str = ""


POSTURES = ("WD", "HD", "PD", "FD")
"""Postures, the weakest first."""


def read_battles(file: Path) -> list[Battle]:
    """Read the battles of a file.

    Raises:
        BadFile: The file is missing or has an error.
    """
    return _read(file, "battle_id", _battle)


def read_scenarios(file: Path, half: str | None = None) -> list[Scenario]:
    """Read the scenarios of a file, or those of one half.

    Raises:
        BadFile: The file is missing or has an error.
    """
    return [each for each in _read(file, "scenario_id", _scenario) if half in (None, each.half)]


@dataclass(frozen=True, slots=True)
class _Line:
    file: Path
    at: int
    cells: Mapping[str | None, str | None]

    def problem(self, column: str, message: str) -> BadFile:
        return BadFile(f"{self.file}, line {self.at}, column {column}: {message}")

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
        """Return the best estimate or, where only a range is given, its geometric mean."""
        ends = [self.maybe(f"{column}_{end}", low, high) for end in ("low", "high")]
        given = [end for end in ends if end]
        if given and self.maybe(column, low, high) is None:
            return math.prod(given) ** (1 / len(given))
        return self.number(column, low, high, default)

    def maybe(self, column: str, low: float, high: float) -> float | None:
        return self.number(column, low, high) if (self.cells.get(column) or "").strip() else None

    def band(self, column: str, high: float) -> Band | None:
        least, most = self.maybe(f"{column}_low", 0, high), self.maybe(f"{column}_high", 0, high)
        return None if least is None or most is None else (least, most)


def _read(file: Path, key: str, parse: Callable[[_Line], Read]) -> list[Read]:
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
    return [parse(row) for row in rows]


def _battle(row: _Line) -> Battle:
    """Return the battle of a row; steps, outcomes and other optional columns default to unknown."""
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
        is_clear_cut=row.number("clear_cut", 0, 1, 1) > 0,
    )


def _lost(row: _Line, side: str, army: Army) -> float | None:
    """Return the share that a side lost, computed from the men where only they are given."""
    share = row.maybe(f"{side}_loss_frac", 0, 10)
    men = row.maybe(f"{side}_losses", 0, 15_000_000)
    return men / army.size if share is None and men is not None else share


def era_of(year: int) -> str:
    """Return the era of a year; the first or last one for years outside all."""
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
        maneuvers=(row.text("att_maneuver", ""), row.text("def_maneuver", "")),
        relief=row.text("relief", ""),
    )
    return Scenario(
        case=case,
        winner=row.one_of("winner", ("", "attacker", "defender", "draw"), ""),
        losses=(row.band("att_loss", 1), row.band("def_loss", 1)),
        ships_lost=(row.band("att_ships_lost", 10_000), row.band("def_ships_lost", 10_000)),
        hours=row.band("duration_hours", 10_000),
        days=row.band("duration_days", 10_000),
        odds=row.band("p_winner", 1),
        half=row.text("half", ""),
    )


def _army(row: _Line, side: str) -> Army:
    types, shares = _arms(row, side)
    ships = round(row.best(f"{side}_ships", 0, 10_000, 0))
    total = math.fsum(shares)
    if total == 0 and not (ships and row.text("kind", "land").casefold() == "naval"):
        types, shares, total = (UNKNOWN, "", ""), (1.0, 0.0, 0.0), 1.0
    total = total or 1.0
    return Army(
        name=row.text(f"{side}_side", "unknown"),
        leader=row.text(f"{side}_commander", row.text(f"{side}_leader", "")),
        size=round(row.best(f"{side}_size", 1, 15_000_000)),
        types=types,
        shares=(shares[0] / total, shares[1] / total, shares[2] / total),
        civilization=row.text(f"{side}_civilization", ""),
        training=row.number(f"{side}_training", 0, 10, AVERAGE),
        training_word=row.text(f"{side}_training_word", ""),
        skill=row.number(f"{side}_leader_skill", 0, 10, AVERAGE),
        soldier_type=row.text(f"{side}_soldier_type", ""),
        ship_type=row.text(f"{side}_ship_type", UNKNOWN) if ships else "",
        ships=ships,
        front_km=row.maybe(f"{side}_front_km", 0, 1000),
    )


def _arms(row: _Line, side: str) -> tuple[tuple[str, str, str], tuple[float, float, float]]:
    """Return types and shares; foot of unknown number are the rest, men of unnamed arms are spread over the others."""
    named = [row.text(f"{side}_{arm}_type", "") for arm in ("inf", "cav", "art")]
    given = [row.maybe(f"{side}_{arm}_prop", 0, 1) for arm in ("inf", "cav", "art")]
    riders, guns = given[1] or 0.0, given[2] or 0.0
    foot = max(1 - riders - guns, 0.0) if given[0] is None else given[0]
    shares = [share if kind else 0.0 for kind, share in zip(named, (foot, riders, guns), strict=True)]
    types = [kind if share > 0 else "" for kind, share in zip(named, shares, strict=True)]
    return (types[0], types[1], types[2]), (shares[0], shares[1], shares[2])
