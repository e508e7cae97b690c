"""Declarations of the files of `config/tables/hexcombat/` and of their entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.config_value import TableError, TableErrors, is_one, quote, table_error
from engine.declare import described, entry, read_table, record, table
from engine.hexcombat.setup.records import Terrain
from engine.settings import Raw
from engine.shapes import MOST, NAME, YES_NO, Choice, Known, ListOf, MapOf, Number, RecordOf, Schema, Shape, Text

STACKING = ("both", "once")
"""HX-OP-06: true if a leader's bonus in two rules counts twice."""
FLAG = Number(0, 1, whole=True)
PER_CENT = Number(0, 100, whole=True)
DEPTH = Number(0, 1000, whole=True)


@table("constants", "Variables and options")
class HexConstants:
    """Single numbers of the rules, each under the rule that uses it, and the scenario's options (HX-OP-24)."""

    allow_barrage_fire: bool = entry(YES_NO, "Units with a BombCode may bomb hexes, which costs prestige.", "options/")
    air_units_intercepted: bool = entry(YES_NO, "Guns fire at planes that move.", "options/")
    extended_naval_rules: bool = entry(YES_NO, "Destroyers help ships that submarines attack.", "options/")
    ships_as_flak: bool = entry(YES_NO, "Destroyers, carriers and cruisers give air defence.", "options/")
    air_missions: bool = entry(YES_NO, "Planes fly WildWeasel and Recon missions.", "options/")
    flak_ex2: int = entry(FLAG, "1: FlaK beside the defender reaches a plane beside the defender.", "HX-AD-2/")
    critical_hit: int = entry(Number(0, 1000, whole=True), "0: no critical hits; else N of HX-CRI-2.", "HX-CRI/")
    critical_submarine: int = entry(PER_CENT, "Added for a submarine that fires.", "HX-CRI/")
    critical_most: int = entry(PER_CENT, "Most per cent.", "HX-CRI/")
    pg2mode: int = entry(FLAG, "1: the base of evading is evade_pg2mode.", "HX-EVA-2/")
    evade: int = entry(PER_CENT, "Base per cent.", "HX-EVA-2/")
    evade_pg2mode: int = entry(PER_CENT, "Base per cent with pg2mode.", "HX-EVA-2/")
    zoc_evade: int = entry(PER_CENT, "Per cent less for each enemy beyond the first.", "HX-EVA-2/")
    evade_bar: int = entry(PER_CENT, "Per cent for each bar.", "HX-EVA-2/")
    evade_special: int = entry(PER_CENT, "Base per cent for units with Evade; 0: that of their class.", "HX-EVA-3/")
    experience_most: int = entry(Number(0, 1000, whole=True), "Most for one kill.", "HX-EXP/")
    experience_target: int = entry(Number(0, 1000, whole=True), "For each point that a unit loses.", "HX-EXP/")
    exp_bar_factor: int = entry(PER_CENT, "0: off; else per cent of experience lost for each bar.", "HX-EXP-5/")
    naval_noblock_bridge: int = entry(FLAG, "1: ships under a bridge count as in port.", "HX-FLE-1/")
    g2a_intercept_mode: int = entry(
        Number(0, 3, whole=True), "Bits: 1, no air defence after intercepting; 2, spotted guns intercept.", "HX-G2A/"
    )
    winner_defence: int = entry(PER_CENT, "Defence that winning the initiative adds.", "HX-INI-18/")
    winner_attack_most: int = entry(PER_CENT, "Most attack that it adds.", "HX-INI-18/")
    leader_bonus_stacking: str = entry(Choice(STACKING), "How often a leader's bonus in two lines counts.", "HX-OP-06/")
    exp_per_bar: int = entry(Number(1, 100_000, whole=True), "Experience that makes a bar.", "HX-OP-22/")
    max_bars: int = entry(PER_CENT, "Most bars.", "HX-OP-22/")
    sabotage_min: int = entry(PER_CENT, "Least per cent.", "HX-SAB/")
    sabotage_max: int = entry(PER_CENT, "Most per cent.", "HX-SAB/")
    sabotage_backlash: int = entry(Number(0, 1000, whole=True), "Points suppressed when it fails.", "HX-SAB/")
    prestige_least: int = entry(Number(0, MOST, whole=True), "Least prestige lost.", "HX-STR/")
    blow_leader: int = entry(PER_CENT, "Per cent more with a leader.", "HX-STR/")
    blow_mined: int = entry(PER_CENT, "Per cent more for a mined hex.", "HX-STR/")
    blow_most: int = entry(PER_CENT, "Most per cent.", "HX-STR/")
    turn_supply: int = entry(PER_CENT, "Per cent of Max ammo and Max fuel that a New turn adds.", "HX-OP-52/")
    infantry_entrench_rate: int = entry(PER_CENT, "Infantry's entrench rate (HX-RUG-4).", "HX-RUG-4/")

    @property
    def evade_base(self) -> int:
        """Return the chance of evading of a class without a per cent of its own (HX-EVA-2)."""
        return self.evade_pg2mode if self.pg2mode else self.evade

    @property
    def guns_do_both(self) -> bool:
        """Return True if a gun may intercept and also give air defence: in even modes (HX-G2A-4, HX-OP-34)."""
        return self.g2a_intercept_mode % 2 == 0

    @property
    def spotted_guns_intercept(self) -> bool:
        """Return True if spotted guns intercept: in modes 2 and 3 (HX-G2A-5, HX-OP-34)."""
        return self.g2a_intercept_mode >= 2


@record
class UnitClass:
    """A class of units."""

    name: str = entry(NAME, "Its name.", "class")
    group: str = entry(Choice(("Land", "Air", "Naval")), "What it moves in.")
    meaning: str = entry(NAME, "The note in the drop-down.")
    aliases: tuple[str, ...] = entry(ListOf(NAME, repeats=True), "Other spellings.")


@table("classes", "Classes")
class Classes:
    """The classes of units and their groups."""

    classes: Mapping[str, UnitClass] = entry(ListOf(UnitClass, 1, key="class"), "As in the drop-down.", "HX-DEF-04")


@record
class HexTerrain:
    """A terrain of the rules."""

    name: str = entry(NAME, "Its name.", "Terrain")
    cap: int = entry(DEPTH, "The most initiative there; 99 limits nobody.", "Initiative cap")
    entrenchment: int = entry(DEPTH, "How deep the ground itself digs a unit in.", "Base entrenchment")
    traits: tuple[str, ...] = entry(
        ListOf(Choice(("close", "cover", "water"))), "close (HX-OP-46), cover (HX-DEF-14), water (HX-ODD-E4)."
    )


@table("terrain", "Terrain")
class Grounds:
    """Terrains and their rules."""

    terrains: Mapping[str, HexTerrain] = entry(
        ListOf(HexTerrain, 1, key="Terrain"), "In the drop-down's order.", "HX-TER"
    )


@record
class Attachment:
    """Effects of an attachment (HX-INI-14)."""

    name: str = entry(NAME, "Its name.")
    bonus: int = entry(PER_CENT, "Added where its rule names it.")
    penalty: int = entry(PER_CENT, "Taken from its unit's initiative.")
    meaning: str = entry(NAME, "The note in the drop-down.")


@table("attachments", "Attachments")
class Attachments:
    """Attachments with their bonuses and costs."""

    attachments: Mapping[str, Attachment] = entry(
        ListOf(Attachment, 1, key="name"), "As in the drop-down.", "HX-INI-14"
    )


@table("evade", "Evading by class")
class EvasionChances:
    """Chance of evading in per cent, by class (HX-EVA-2)."""

    class_evade: Mapping[str, int] = entry(
        MapOf(Number(-1, 100, whole=True), among="a class", about="Per cent; 0 the base, -1 never."), "By class."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Classes, terrains, attachments and chances of evading by name (HX-DEF-04, HX-TER, HX-EVA-2).

    `groups` is Land, Air or Naval by class, `traits` further words for a terrain: close, cover, water.
    """

    constants: HexConstants
    classes: Mapping[str, UnitClass]
    groups: Mapping[str, str]
    terrains: Mapping[str, Terrain]
    traits: Mapping[str, frozenset[str]]
    attachments: Mapping[str, Attachment]
    class_evade: Mapping[str, int]

    @classmethod
    def of(cls, raw: Raw) -> Facts:
        """Return the facts of the files of the tables.

        Raises:
            TableError: Something is missing or not allowed there.
        """
        classes, grounds = read_table(Classes, raw).classes, read_table(Grounds, raw).terrains
        evade = read_table(EvasionChances, raw, {"a class": classes}).class_evade
        for name in classes:
            if name not in evade:
                raise TableError("evade.json", ("class_evade",), f"{quote(name)} is missing.")
        return cls(
            constants=read_table(HexConstants, raw),
            classes=classes,
            groups={name: row.group for name, row in classes.items()},
            terrains={
                name: Terrain(name=name, cap=row.cap, entrenchment=row.entrenchment) for name, row in grounds.items()
            },
            traits={name: frozenset((name, *row.traits)) for name, row in grounds.items()},
            attachments=read_table(Attachments, raw).attachments,
            class_evade={name: evade[name] for name in classes},
        )

    def ground_traits(self, terrain: Terrain) -> frozenset[str]:
        """Return the name and the traits of a terrain: its own, else those of its name in the rules (HX-OP-56)."""
        if terrain.traits:
            return frozenset((terrain.name, *terrain.traits))
        return self.traits.get(terrain.name, frozenset((terrain.name,)))


@dataclass(frozen=True)
class Conditions(Shape):
    """Conditions in words; `engine.hexcombat.setup.conditions` lists their forms."""

    def schema(self) -> Schema:
        return {"type": "array", "items": {"$ref": "#/$defs/term"}}

    def read(self, value: Any, known: Known) -> Terms:
        return ListOf(_Term(), repeats=True).read(value, known)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class _Term(Shape):
    """One condition, or a list of them."""

    def schema(self) -> Schema:
        inner = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/term"}}
        return {"anyOf": [Text().schema(), inner], "description": "A condition, or a list of them."}

    def read(self, value: Any, known: Known) -> str | Terms:
        shape = ListOf(self, 1, repeats=True) if isinstance(value, list) else Text()
        return shape.read(value, known)


TERM = {"term": _Term().schema()}
WHEN = "All of it must hold; in a list inside it one is enough, in a list inside that all again."
Terms = tuple["str | Terms", ...]


@dataclass(frozen=True)
class GivenNumber(Shape):
    """A number, or an amount of a unit: `A bars`."""

    def schema(self) -> Schema:
        return {"type": ["integer", "string"]}

    def read(self, value: Any, known: Known) -> int | str:
        if isinstance(value, str):
            if known is not None:
                is_one(value, known["an amount"], "an amount")
            return value
        return Number(whole=True).read(value, known)  # type: ignore[no-any-return]


VERBS = ("set", "add", "subtract", "halve", "limit", "raise")
"""The operations of a line on its number."""
GIVEN = "A number, or what a unit gives: A bars, P entrenchment ..."


@record
class LineRow:
    """A line that changes a number."""

    id: str = entry(NAME, "The rule.")
    ruling: str = entry(Text(), "What was decided about it, in the rulebook.", default="")
    to: str = entry(NAME, "The number it changes.")
    set: int | str | None = entry(GivenNumber(), GIVEN, default=None)
    add: int | str | None = entry(GivenNumber(), GIVEN, default=None)
    subtract: int | str | None = entry(GivenNumber(), GIVEN, default=None)
    halve: int | str | None = entry(Choice((True,)), "Truncated.", default=None)
    limit: int | str | None = entry(GivenNumber(), GIVEN, default=None)
    lift: int | str | None = entry(GivenNumber(), GIVEN, "raise", default=None)
    least: int = entry(Number(whole=True), "Where `subtract` stops; 1 when left out.", default=1)
    is_else: Any = entry(
        Choice((True,)), "Only when the lines before it, back to the last without, do not count.", "else", default=False
    )
    words: str = entry(NAME, "What the log calls it.")
    when: Terms = entry(Conditions(), WHEN, default=())


@dataclass(frozen=True)
class _Line(RecordOf):
    """A line with exactly one verb."""

    def schema(self) -> Schema:
        return super().schema() | {"oneOf": [{"required": [verb]} for verb in VERBS]}

    def read(self, value: Any, known: Known) -> Any:
        errors, verbs = TableErrors(), [verb for verb in VERBS if isinstance(value, dict) and verb in value]
        if len(verbs) != 1:
            errors.add(table_error(f"a line has one of {', '.join(VERBS)}, not {len(verbs)} of them."))
        with errors.at():
            line = super().read(value, known)
        errors.end()
        return line


LINES = ListOf(_Line(LineRow), 1, repeats=True)


@table("lines", "Lines", TERM)
class Formulas:
    """Numbers computed line by line."""

    odds: tuple[LineRow, ...] = entry(LINES, "Attack and defence (HX-ODD).")
    losses: tuple[LineRow, ...] = entry(LINES, "Shots and dice (HX-LOS).")
    rugged: tuple[LineRow, ...] = entry(LINES, "Weights in rugged defence (HX-RUG-2).")


@record
class SwitchRow:
    """A row of a switch."""

    id: str = entry(NAME, "The rule.")
    words: str = entry(NAME, "What it is about.")
    when: Terms = entry(Conditions(), WHEN)


@record
class FirstRow(SwitchRow):
    """A row of the quick answers, which decide the initiative at once."""

    ruling: str = entry(Text(), "What was decided about it, in the rulebook.", default="")
    sequence: str = entry(Choice(("ATTACKER FIRST", "DEFENDER FIRST", "SIMULTANEOUS")), "Who fires first.")


@table("initiative", "Initiative", TERM)
class InitiativeLines:
    """Initiative: rules for the sequence of fire."""

    first: tuple[FirstRow, ...] = entry(ListOf(FirstRow, repeats=True), "Quick answers; the first that fits counts.")
    lines: tuple[LineRow, ...] = entry(LINES, "In the order in which they count.")


SWITCHES = (
    *("fights close combat", "ignores entrenchment", "fires directly", "may overrun", "intercepts"),
    *("gives air defence", "gives fire support", "calls for naval support", "gives naval support"),
    *("fires at batteries", "may attack submarines", "drives ships out", "meets rugged defence", "may blow up"),
    *("drives back", "stands", "is never intercepted by", "tries sabotage", "evades by itself", "bombs stores"),
    *("can retreat", "follows", "strikes under water", "fires first as attacker", "fires first as defender"),
)
"""The entries that switches.json must have."""


@table("switches", "Switches", TERM)
class Switches:
    """Switches: conditions for actions of a unit."""

    rows: Mapping[str, tuple[SwitchRow, ...]] = entry(
        described(ListOf(SwitchRow, repeats=True), dict.fromkeys(SWITCHES, "On when one of these rows fits.")),
        "Switch to rows; in the file's order, as a switch may ask the ones above it.",
        "*",
    )
