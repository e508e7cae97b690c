"""The numbers of `scorecard`, built once from the parsed files of `config/tables/scorecard/`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.entry import Entry, constants_of, meanings, named, shown
from engine.exact import exact, printed
from engine.fields import ValueList
from engine.scorecard.inputs import ATTACKER, LEADS
from engine.settings import Raw, Setting, overridden

FACTORS = tuple(f"SC-{number:02}" for number in range(1, 14))
"""Ids of the factors, SC-01 to SC-13."""

CHANCE_DIGIT = "chance_digit"
CHANCE_DIGITS = {"hundredths": 100, "thousandths": 1000}
"""SC-OP-01: setting to the power of ten that brings the digit before the point."""


@dataclass(frozen=True, slots=True)
class Tactic:
    """A level of SC-02 and the sides that may have it: five levels for a defender, two for an attacker (SC-OP-04)."""

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
    """Single numbers of the rules."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """All tables of the ruleset.

    Args:
        raw: The files they were read from.
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

    raw: Raw = dataclasses.field(repr=False)
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
    def of(cls, raw: Raw) -> Tables:
        """From the parsed files, file name without ending to content.

        Raises:
            Slip: Something is missing or the files do not fit together; the message names file and place.
        """
        file = {name: Entry(f"{name}.json", content) for name, content in raw.items()}
        rows, beach = file["tactical"]["SC-02"], file["tactical"]["SC-02a"]["beach_landing"]
        tactics = named(
            rows, "level", lambda it: Tactic(_points(it), tuple(side.text() for side in it["sides"].each()))
        )
        letters = named(file["belligerents"]["SC-04"], "letter", _points)
        if LEADS not in letters:
            raise file["belligerents"]["SC-04"].slip(f"{shown(LEADS)} is missing, which a blank list stands for.")
        attacking = file["belligerents"]["SC-OP-10"]
        return cls(
            raw=raw,
            locations=named(file["location"]["SC-01"], "level", _points),
            tactics=tactics,
            beach=beach.one_of(tactics, "a level of SC-02"),
            letters=letters,
            attacks_with=frozenset(it.one_of(letters, "a letter of SC-04") for it in attacking["attacks_with"].each()),
            attacks_not_with=frozenset(
                it.one_of(letters, "a letter of SC-04") for it in attacking["attacks_not_with"].each()
            ),
            motives=named(file["motive"]["SC-05"], "motive", _points),
            fates=_fates(file["fate"]["SC-03a"]),
            factors=_factors(file["factors"]),
            constants=_constants(file["constants"]),
            lists=_lists(file),
        )

    def having(self, settings: Sequence[Setting]) -> Tables:
        """SET-03: these tables with a workbook's own single numbers in their places.

        Raises:
            Slip: A setting names none of them, or they no longer fit together.
        """
        if not settings:
            return self
        changed = overridden(settable(self.raw), settings)
        return dataclasses.replace(self, constants=_constants(Entry("constants.json", changed["constants"])))

    def tactics_for(self, side: str) -> tuple[str, ...]:
        """Labels of SC-02 that a side may have."""
        return tuple(label for label, tactic in self.tactics.items() if side in tactic.sides)


def settable(raw: Raw) -> dict[str, Any]:
    """What a workbook may have otherwise: the single numbers; the lists' points stand beside their words."""
    return {"constants": raw["constants"]}


SETTABLE_WORDS = {f"constants/SC-OP-01/{CHANCE_DIGIT}": tuple(CHANCE_DIGITS)}
"""Places among them that hold a word, and the words allowed there (SC-OP-01)."""


def _points(row: Entry) -> Fraction:
    return exact(row["points"].number())


def _fates(rows: Entry) -> tuple[FateBand, ...]:
    fates = sorted(named(rows, "fate", _fate).values(), key=lambda band: band.at_least, reverse=True)
    if not fates or fates[-1].at_least != 0:
        raise rows.slip("no band begins at 0, so a low f has no fate.")
    return tuple(fates)


def _fate(row: Entry) -> FateBand:
    parts = dict(row.items())
    return FateBand(
        name=row["fate"].text(),
        at_least=exact(row["from"].number()),
        gen=row["gen"].whole(),
        status=parts["status"].text() if "status" in parts else "",
        turns_divisor=exact(parts["turns_divisor"].number()) if "turns_divisor" in parts else None,
    )


def _factors(names: Entry) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for rule in FACTORS:
        name = names[rule].text()
        if name in found.values():
            raise names[rule].slip(f"{shown(name)} stands there twice.")
        found[rule] = name
    return found


def _constants(groups: Entry) -> Constants:
    return constants_of(Constants, groups, _constant)


def _constant(name: str, it: Entry) -> str | Fraction:
    return it.one_of(CHANCE_DIGITS, "a digit") if name == CHANCE_DIGIT else exact(it.number())


def _lists(file: Mapping[str, Entry]) -> Mapping[str, ValueList]:
    lists = [
        _levels("Location", file["location"]["SC-01"]),
        _levels("Tactical advantage", file["tactical"]["SC-02"]),
        ValueList(
            "Motive",
            tuple(named(file["motive"]["SC-05"], "motive", _points)),
            named(file["motive"]["SC-05"], "motive", lambda it: f"{it['meaning'].text()} {_worth(it)}."),
        ),
        meanings("Action", file["values"]["action"]),
        meanings("Side", file["values"]["side"]),
        meanings("Role", file["values"]["role"]),
        meanings("Leader status", file["values"]["leader_status"]),
    ]
    return {it.name: it for it in lists}


def _levels(name: str, rows: Entry) -> ValueList:
    meanings = named(rows, "level", lambda it: _worth(it) + _for_whom(it))
    aliases = {alias.text(): row["level"].text() for row in rows.each() for alias in row["aliases"].each()}
    return ValueList(name, tuple(meanings), meanings, aliases)


def _worth(row: Entry) -> str:
    points = _points(row)
    return f"{printed(points)} point{'' if points == 1 else 's'}"


def _for_whom(row: Entry) -> str:
    return ", defender only" if ATTACKER not in row.value.get("sides", (ATTACKER,)) else ""
