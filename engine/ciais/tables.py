"""The numbers of `ciais`, built once from the parsed files of `config/tables/ciais/`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from engine.ciais.records import UnitType
from engine.decimals import exact
from engine.entry import Entry, constants_of, meanings, record_of
from engine.fields import ValueList
from engine.settings import Raw, Setting, overridden

MULTI_L, OWN_TYPE, LITERAL = "multi-l", "own type", "literal"
YES, NO = "yes", "no"

WORDS = {
    "death_stat": (MULTI_L, OWN_TYPE, LITERAL),
    "lon_wrap": (YES, NO),
    "allied_supply": (YES, NO),
    "ten_is_certain": (YES, NO),
}
"""Readings of the rules that a game may choose, and their words (CI-OP-06, CI-OP-09, CI-OP-10, CI-OP-13)."""

SETTABLE_WORDS = {
    "constants/CI-OP-06/death_stat": WORDS["death_stat"],
    "constants/CI-OP-09/lon_wrap": WORDS["lon_wrap"],
    "constants/CI-OP-10/allied_supply": WORDS["allied_supply"],
    "constants/CI-OP-13/ten_is_certain": WORDS["ten_is_certain"],
}
"""Their places in the tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """Single numbers of the rules, exact, and the readings that a game chooses."""

    attrition_step: Decimal
    income_per_percent: Decimal
    high_tax: Decimal
    unrest_per_percent_above: Decimal
    unit_lost: Decimal
    economic_failure: Decimal
    low_tax: Decimal
    unrest_per_percent_below: Decimal
    battle_won: Decimal
    city_captured: Decimal
    funding_unit: Decimal
    unrest_per_funding_unit: Decimal
    overthrown_at: Decimal
    death_stat: str
    lon_wrap: str
    allied_supply: str
    ten_is_certain: str


@dataclass(frozen=True, slots=True)
class Theatre:
    """A part of the map.

    Args:
        name: `Western`.
        west_of: Longitude, east positive; None where the west does not bound it.
        east_of: Likewise.
    """

    name: str
    west_of: float | None
    east_of: float | None

    def holds(self, longitude: float) -> bool:
        """Whether a longitude lies in it; a bound itself does not."""
        return (self.west_of is None or longitude < self.west_of) and (self.east_of is None or longitude > self.east_of)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """All tables of the ruleset.

    Args:
        raw: The files they were read from.
        constants: Single numbers and readings.
        theatres: The first that holds a place is its theatre (CI-BASE-04).
        unit_types: Name to unit type, of those that need no row (CI-BASE-03, CI-OP-05).
        lists: Value lists of the choice columns, by name.
    """

    raw: Raw = dataclasses.field(repr=False)
    constants: Constants
    theatres: tuple[Theatre, ...]
    unit_types: Mapping[str, UnitType]
    lists: Mapping[str, ValueList]

    @classmethod
    def of(cls, raw: Raw) -> Tables:
        """From the parsed files, file name without ending to content.

        Raises:
            Slip: Something is missing or the files do not fit together; the message names file and place.
        """
        file = {name: Entry(f"{name}.json", content) for name, content in raw.items()}
        lists = {name: meanings(name, file["values"][key]) for name, key in LISTS.items()}
        types = [record_of(UnitType, row, lists) for row in file["unit_types"]["CI-BASE-03"].each()]
        return cls(
            raw=raw,
            constants=_constants(file["constants"]),
            theatres=_theatres(file["theatres"]["CI-BASE-04"]),
            unit_types={it.name: it for it in types},
            lists=lists,
        )

    def having(self, settings: Sequence[Setting]) -> Tables:
        """SET-03: these tables with a workbook's own numbers and readings in their places.

        Raises:
            Slip: A setting names none of them, or they no longer fit together.
        """
        if not settings:
            return self
        changed = overridden(settable(self.raw), settings)
        return dataclasses.replace(self, constants=_constants(Entry("constants.json", changed["constants"])))

    def theatre(self, longitude: float) -> str:
        """CI-BASE-04: `Western`, `Central` or `Eastern`."""
        return next(it.name for it in self.theatres if it.holds(longitude))


def settable(raw: Raw) -> dict[str, Any]:
    """What a workbook may have otherwise."""
    return {"constants": raw["constants"]}


def _constants(groups: Entry) -> Constants:
    found = constants_of(Constants, groups, _constant)
    if found.low_tax > found.high_tax:
        at = groups["CI-UNR-04"]["low_tax"]
        raise at.slip(f"{at.value} is more than high_tax {found.high_tax}. Use at most that.")
    return found


def _constant(name: str, it: Entry) -> str | Decimal:
    return it.one_of(WORDS[name], "a reading") if name in WORDS else exact(it.number())


def _theatres(rows: Entry) -> tuple[Theatre, ...]:
    found = []
    for row in rows.each():
        bounds = {name: it.number() for name, it in row.items() if name != "theatre"}
        found.append(Theatre(row["theatre"].text(), bounds.get("west_of"), bounds.get("east_of")))
    if not found or found[-1].west_of is not None or found[-1].east_of is not None:
        raise rows.slip("the last theatre has a bound, so some places would have none.")
    return tuple(found)


LISTS = {
    "Action": "action",
    "Order": "order",
    "Choice": "choice",
    "Player status": "player_status",
    "Loss condition": "loss_condition",
    "Unit type": "unit_type",
    "Cooldown": "cooldown",
    "Unit status": "unit_status",
    "Site kind": "site_kind",
}
"""Name of a list, as columns use it, to its name in the file."""
