"""The numbers of `scorecard`, built once from the parsed files of `config/tables/scorecard/`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.fields import ValueList
from engine.scorecard.inputs import ATTACKER
from engine.scorecard.numbers import exact, printed
from engine.scorecard.records import Setting

CHANCE_DIGITS = {"hundredths": 100, "thousandths": 1000}
"""SC-OP-01: setting to the power of ten that brings the digit before the point."""


@dataclass(frozen=True, slots=True)
class Tactic:
    """A level of SC-02 and the sides that may have it."""

    points: Fraction
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FateBand:
    """A band of SC-03a.

    Args:
        name: `wounded`.
        at_least: Where the band begins; it ends where the next worse one begins (SC-OP-05).
        gen: What the bonus is multiplied with, 0 or 1.
        status: The leader's new status, blank for no change.
        turns_divisor: Unavailable for f divided by this, rounded down; None for no turns.
    """

    name: str
    at_least: Fraction
    gen: int
    status: str
    turns_divisor: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """Single numbers of the rules; a workbook may have its own in the Score Settings tab."""

    undefeated_factor: Fraction
    undefeated_battles: Fraction
    stability_divisor: Fraction
    army_factor: Fraction
    industry_factor: Fraction
    navy_factor: Fraction
    expansion_points: Fraction
    participation_points: Fraction
    disarray_factor: Fraction
    transplant_addend: Fraction
    disunited_factor: Fraction
    leader_killed_points: Fraction
    chance_digit: str

    @property
    def chance_scale(self) -> int:
        """100 or 1000 (SC-OP-01)."""
        return CHANCE_DIGITS[self.chance_digit]

    def overridden(self, settings: Sequence[Setting]) -> Constants:
        """These numbers with a workbook's own in their place.

        Raises:
            ValueError: An unknown setting or a value it cannot have; one sentence that says what is allowed.
        """
        changes: dict[str, Any] = {it.name: setting(it.name, it.value) for it in settings}
        return dataclasses.replace(self, **changes)


def setting(name: str, value: str) -> Fraction | str:
    """What a row of the Score Settings tab means.

    Raises:
        ValueError: An unknown setting or a value it cannot have; one sentence that says what is allowed.
    """
    if name not in setting_names():
        raise ValueError(f'no setting is called "{name}"; use {", ".join(setting_names())}')
    if name == "chance_digit":
        if value not in CHANCE_DIGITS:
            raise ValueError(f'chance_digit is hundredths or thousandths, not "{value}"')
        return value
    try:
        number = exact(float(value))
    except ValueError:
        raise ValueError(f'{name} is a number, not "{value}"') from None
    if name == "stability_divisor" and number <= 0:
        raise ValueError(f"{name} is a number above 0, not {value}")
    return number


def setting_names() -> tuple[str, ...]:
    """Every name the Score Settings tab may hold."""
    return tuple(field.name for field in dataclasses.fields(Constants))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """All tables of the ruleset.

    Args:
        locations: Label of SC-01 to points.
        tactics: Label of SC-02 to points and sides.
        beach: The label a beach landing gives the defender at least (SC-02a).
        letters: Letter of SC-04 to points.
        attacks_with: Letters that make a nation an attacking country (SC-OP-10) ...
        attacks_not_with: ... unless it has one of these.
        motives: Motive to points (SC-05).
        fates: Bands of SC-03a, the worst first.
        factors: Factor id to name, as on receipts and in overrides.
        constants: Single numbers.
        lists: Value lists of the choice columns, by name.
    """

    locations: Mapping[str, Fraction]
    tactics: Mapping[str, Tactic]
    beach: str
    letters: Mapping[str, Fraction]
    attacks_with: frozenset[str]
    attacks_not_with: frozenset[str]
    motives: Mapping[str, Fraction]
    fates: tuple[FateBand, ...]
    factors: Mapping[str, str]
    constants: Constants
    lists: Mapping[str, ValueList]

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Tables:
        """From the parsed files, file name without ending to content, each already checked against its schema."""
        belligerents = raw["belligerents"]
        return cls(
            locations={row["level"]: exact(row["points"]) for row in raw["location"]["SC-01"]},
            tactics={
                row["level"]: Tactic(exact(row["points"]), tuple(row["sides"])) for row in raw["tactical"]["SC-02"]
            },
            beach=raw["tactical"]["SC-02a"]["beach_landing"],
            letters={row["letter"]: exact(row["points"]) for row in belligerents["SC-04"]},
            attacks_with=frozenset(belligerents["SC-OP-10"]["attacks_with"]),
            attacks_not_with=frozenset(belligerents["SC-OP-10"]["attacks_not_with"]),
            motives={row["motive"]: exact(row["points"]) for row in raw["motive"]["SC-05"]},
            fates=tuple(sorted(map(_fate, raw["fate"]["SC-03a"]), key=lambda band: band.at_least, reverse=True)),
            factors={rule: name for rule, name in raw["factors"].items() if rule.startswith("SC-")},
            constants=_constants(raw["constants"]),
            lists=_lists(raw),
        )

    def tactics_for(self, side: str) -> tuple[str, ...]:
        """Labels of SC-02 that a side may have."""
        return tuple(label for label, tactic in self.tactics.items() if side in tactic.sides)

    def most_tactical(self, side: str) -> Fraction:
        """The best level of SC-02 that a side may have: 2 for an attacker, 5 for a defender."""
        return max(tactic.points for tactic in self.tactics.values() if side in tactic.sides)


def _fate(row: Mapping[str, Any]) -> FateBand:
    divisor = row.get("turns_divisor")
    return FateBand(
        row["fate"], exact(row["from"]), row["gen"], row.get("status", ""), None if divisor is None else exact(divisor)
    )


def _constants(raw: Mapping[str, Any]) -> Constants:
    values: dict[str, Any] = {}
    for rule, group in raw.items():
        if rule.startswith("SC-"):
            values |= {name: it if isinstance(it, str) else exact(it) for name, it in group.items()}
    return Constants(**values)


def _lists(raw: Mapping[str, Any]) -> Mapping[str, ValueList]:
    motives = raw["motive"]["SC-05"]
    lists = [
        _levels("Score location", raw["location"]["SC-01"]),
        _levels("Tactical advantage", raw["tactical"]["SC-02"]),
        ValueList(
            "Score motive",
            tuple(row["motive"] for row in motives),
            {row["motive"]: f"{row['meaning']} {_points(row)}." for row in motives},
        ),
        *(
            ValueList(
                name,
                tuple(row["value"] for row in raw["values"][key]),
                {row["value"]: row["meaning"] for row in raw["values"][key]},
            )
            for name, key in (("Side", "side"), ("Role", "role"), ("Leader status", "leader_status"))
        ),
    ]
    return {it.name: it for it in lists}


def _levels(name: str, rows: Sequence[Mapping[str, Any]]) -> ValueList:
    return ValueList(
        name,
        tuple(row["level"] for row in rows),
        {row["level"]: _points(row) + _for_whom(row) for row in rows},
        {alias: row["level"] for row in rows for alias in row["aliases"]},
    )


def _for_whom(row: Mapping[str, Any]) -> str:
    return ", defender only" if ATTACKER not in row.get("sides", (ATTACKER,)) else ""


def _points(row: Mapping[str, Any]) -> str:
    points = exact(row["points"])
    return f"{printed(points)} point{'' if points == 1 else 's'}"
