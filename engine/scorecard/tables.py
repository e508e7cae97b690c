"""The tables of `scorecard`: what the files of `config/tables/scorecard/` may hold, and the numbers built from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.columns import ValueList
from engine.config_value import are_of, at, is_one, quote, table_error
from engine.declare import described, entry, read_table, record, table, words
from engine.exact import printed
from engine.scorecard.inputs import ATTACKER, LEADS
from engine.settings import Raw, RulesetTables
from engine.shapes import MOST, NAME, Choice, ListOf, Number, Text

CHANCE_DIGITS = {"hundredths": 100, "thousandths": 1000}
"""SC-OP-01: setting to the power of ten that brings the digit before the point."""
STATUSES = ("Active", "Wounded", "Retired", "Dead")
ANY = Number(-MOST, MOST)
FACTOR = Number(0, MOST)
LETTER = Text("^[A-Z]$")
ALIASES = ListOf(NAME, about="Another spelling; capitals and spaces never matter.")


@record
class Place:
    """A level of SC-01."""

    level: str = entry(NAME, "As the Location column spells it.")
    points: Fraction = entry(Number(0, 5), "0 to 5.")
    aliases: tuple[str, ...] = entry(ALIASES, "Other ways to spell it in a cell.")


@table("location", "Location")
class LocationPoints:
    """Points for the war's distance from the nation's capital (SC-01), with other spellings of a level."""

    levels: Mapping[str, Place] = entry(ListOf(Place, 1, key="level"), "Levels, the nearest first.", "SC-01")


@record
class Tactic:
    """A level of SC-02: five levels for a defender, two for an attacker (SC-OP-04)."""

    level: str = entry(NAME, "As the Tactical advantage column spells it.")
    points: Fraction = entry(Number(1, 5, whole=True), "1 to 5; also the number that may be typed instead.")
    sides: tuple[str, ...] = entry(ListOf(Choice(("Attacker", "Defender")), 1), "Which side can have it.")
    aliases: tuple[str, ...] = entry(ALIASES, "Other ways to spell it in a cell.")


@table("tactical", "Tactical advantage")
class Tactics:
    """Points for a side's ground, and the sides that can have it (SC-02).

    beach_landing is the least level of a defender who meets a landing at the beach (SC-02a).
    """

    levels: Mapping[str, Tactic] = entry(ListOf(Tactic, 1, key="level"), "Levels, the poorest first.", "SC-02")
    beach: str = entry(NAME, "A level of the list above.", "SC-02a/beach_landing")

    def __post_init__(self) -> None:
        with at("SC-02a", "beach_landing"):
            is_one(self.beach, self.levels, "a level of SC-02")


@record
class Letter:
    """A letter of SC-04."""

    letter: str = entry(LETTER, "One capital letter.")
    meaning: str = entry(NAME, "What the nation does for the side.")
    points: Fraction = entry(ANY, "For each nation with the letter.")


@table("belligerents", "Nations per side")
class Letters:
    """Points for each letter on the list of a side's nations (SC-04).

    The remaining entries list the letters that make a nation an attacking country (SC-OP-10).
    """

    letters: Mapping[str, Letter] = entry(ListOf(Letter, 1, key="letter"), "Letters.", "SC-04")
    attacks_with: tuple[str, ...] = entry(ListOf(LETTER, 1), "A nation with one of these attacks ...", "SC-OP-10/")
    attacks_not_with: tuple[str, ...] = entry(ListOf(LETTER), "... unless it has one of these too.", "SC-OP-10/")

    def __post_init__(self) -> None:
        if LEADS not in self.letters:
            raise table_error(f"{quote(LEADS)} is missing, which a blank list stands for.", "SC-04")
        for name in ("attacks_with", "attacks_not_with"):
            with at("SC-OP-10", name):
                are_of(getattr(self, name), self.letters, "a letter of SC-04")


@record
class Motive:
    """A motive of SC-05."""

    motive: str = entry(NAME, "As the Motive column spells it.")
    points: Fraction = entry(ANY, "For the side.")
    meaning: str = entry(NAME, "One sentence for people who fill in the sheet.")


@table("motive", "Motive")
class Motives:
    """Points for the motive given to the army (SC-05)."""

    motives: Mapping[str, Motive] = entry(ListOf(Motive, 1, key="motive"), "Motives, the strongest first.", "SC-05")


@record
class FateBand:
    """A band of SC-03a; it ends where the next worse one begins (SC-OP-05)."""

    name: str = entry(NAME, "As the receipt prints it.", "fate")
    at_least: Fraction = entry(Number(0), "The least f of the band.", "from")
    gen: int = entry(Choice((0, 1)), "0 when the commander is dead and his bonus lost, else 1.")
    status: str = entry(Choice(STATUSES), "The leader's new status; left out for no change.", default="")
    turns_divisor: Fraction | None = entry(
        Number(above=0), "He cannot serve for f divided by this, rounded down, turns; left out for none.", default=None
    )


@table("fate", "Fate of the general")
class Fates:
    """Fate of a commander at f = roll × enemy ÷ friendly soldiers (SC-03a).

    A band reaches from its number up to the next worse one (SC-OP-05).
    """

    bands: Mapping[str, FateBand] = entry(ListOf(FateBand, 1, key="fate"), "The mildest begins at 0.", "SC-03a")

    def __post_init__(self) -> None:
        if all(band.at_least for band in self.bands.values()):
            raise table_error("no band begins at 0, so a low f has no fate.", "SC-03a")


FACTORS = {
    "SC-01": "Where the war is.",
    "SC-02": "The ground.",
    "SC-03": "The commander.",
    "SC-04": "The list of nations.",
    "SC-05": "What the army is told.",
    "SC-06": "Half the stability.",
    "SC-07": "The army score.",
    "SC-08": "The industrial score of the defender.",
    "SC-09": "The naval score near water.",
    "SC-10": "Turns of expansion.",
    "SC-11": "The digit from time and edit count.",
    "SC-12": "Taking part.",
    "SC-13": "Friendly by enemy soldiers.",
}
"""The factors and their meanings."""


@table("factors", "Names of the factors")
class FactorNames:
    """The factors by name, as receipts print them and the Overrides column spells them."""

    names: Mapping[str, str] = entry(described(NAME, FACTORS), "Factor to name.", "*")

    def __post_init__(self) -> None:
        names = list(self.names.values())
        for position, (rule, name) in enumerate(self.names.items()):
            if name in names[:position]:
                raise table_error(f"{quote(name)} is there twice.", rule)


@table("constants", "Single numbers")
class ScoreConstants:
    """The other numbers of the rules; a workbook can have its own in the Score Settings tab (SET-03)."""

    undefeated_factor: Fraction = entry(FACTOR, "Multiplies the bonus of a general who won every battle.", "SC-03b/")
    undefeated_battles: Fraction = entry(FACTOR, "He must have fought more battles than this.", "SC-03b/")
    stability_divisor: Fraction = entry(Number(0.001, MOST), "Stability is divided by this.", "SC-06/")
    army_factor: Fraction = entry(ANY, "Points for each point of the army score.", "SC-07/")
    industry_factor: Fraction = entry(ANY, "Points for each point of the defender's industrial score.", "SC-08/")
    navy_factor: Fraction = entry(ANY, "Points for each point of the naval score.", "SC-09/")
    expansion_points: Fraction = entry(Number(-MOST, 0), "Points for each turn used for expansion.", "SC-10/")
    participation_points: Fraction = entry(ANY, "Points of every side.", "SC-12/")
    disarray_factor: Fraction = entry(FACTOR, "Multiplies the total of a defender in civil disarray.", "SC-20/")
    transplant_addend: Fraction = entry(FACTOR, "X attackers must take at least 100·X ÷ (X + this) per cent.", "SC-21/")
    disunited_factor: Fraction = entry(FACTOR, "Multiplies territory taken from a country not fully united.", "SC-22/")
    leader_killed_points: Fraction = entry(
        Number(-MOST, 0), "Added to the total of a side whose leader dies.", "SC-23/"
    )
    chance_digit: str = entry(Choice(tuple(CHANCE_DIGITS)), "Which digit of X = R × π is scored.", "SC-OP-01/")

    @property
    def chance_scale(self) -> int:
        """Return the scale of the chance, 100 or 1000 (SC-OP-01)."""
        return CHANCE_DIGITS[self.chance_digit]


@table("values", "Lists of allowed values")
class ScoreLists:
    """The remaining lists of allowed values, with their meanings."""

    action: ValueList = words("Action", "What is asked for.", "Rule", "Forecast")
    side: ValueList = words("Side", "Sides of a war.", "Attacker", "Defender")
    role: ValueList = words("Role", "Roles of a leader.", "General", "Ruler")
    leader_status: ValueList = words("Leader status", "What a leader's status can be.", *STATUSES)


TABLES = (LocationPoints, Tactics, Letters, Motives, Fates, FactorNames, ScoreConstants, ScoreLists)
"""A class for each file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTables(RulesetTables):
    """All tables of the ruleset; the worst fate comes first."""

    locations: Mapping[str, Fraction]
    tactics: Mapping[str, Tactic]
    beach: str
    letters: Mapping[str, Fraction]
    attacks_with: frozenset[str]
    attacks_not_with: frozenset[str]
    motives: Mapping[str, Fraction]
    fates: tuple[FateBand, ...]
    factors: Mapping[str, str]
    constants: ScoreConstants
    lists: Mapping[str, ValueList]

    @classmethod
    def of(cls, raw: Raw) -> ScoreTables:
        """Return the tables of the parsed files."""
        places, tactics = read_table(LocationPoints, raw), read_table(Tactics, raw)
        letters, motives = read_table(Letters, raw), read_table(Motives, raw).motives
        fates = read_table(Fates, raw).bands.values()
        values = read_table(ScoreLists, raw)
        lists = (
            _levels("Location", places.levels),
            _levels("Tactical advantage", tactics.levels),
            ValueList(
                "Motive",
                tuple(motives),
                {name: f"{motive.meaning} {_worth(motive)}." for name, motive in motives.items()},
            ),
            *(values.action, values.side, values.role, values.leader_status),
        )
        return cls(
            raw=raw,
            locations=_points(places.levels),
            tactics=tactics.levels,
            beach=tactics.beach,
            letters=_points(letters.letters),
            attacks_with=frozenset(letters.attacks_with),
            attacks_not_with=frozenset(letters.attacks_not_with),
            motives=_points(motives),
            fates=tuple(sorted(fates, key=lambda band: band.at_least, reverse=True)),
            factors=read_table(FactorNames, raw).names,
            constants=read_table(ScoreConstants, raw),
            lists={value_list.name: value_list for value_list in lists},
        )

    def tactics_for(self, side: str) -> tuple[str, ...]:
        """Return the labels of SC-02 that a side may have."""
        return tuple(label for label, tactic in self.tactics.items() if side in tactic.sides)


Worth = Mapping[str, Any]  # name to Place, Tactic, Letter or Motive


def _points(rows: Worth) -> dict[str, Fraction]:
    return {name: row.points for name, row in rows.items()}


def _levels(name: str, rows: Worth) -> ValueList:
    meanings = {level: _worth(row) + _for_whom(row) for level, row in rows.items()}
    aliases = {alias: level for level, row in rows.items() for alias in row.aliases}
    return ValueList(name, tuple(meanings), meanings, aliases)


def _worth(row: Place | Tactic | Motive) -> str:
    return f"{printed(row.points)} point{'' if row.points == 1 else 's'}"


def _for_whom(row: Place | Tactic) -> str:
    return ", defender only" if isinstance(row, Tactic) and ATTACKER not in row.sides else ""
