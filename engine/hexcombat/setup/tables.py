"""The rules of `hexcombat` as data, built once from the parsed files of `config/tables/hexcombat/`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.columns import ValueList
from engine.config_value import at
from engine.declare import read_table, table, value_lists, words
from engine.hexcombat.setup.conditions import CombatScene, Condition, ConditionWords, all_of
from engine.hexcombat.setup.facts import (
    Attachments,
    Classes,
    EvasionChances,
    Facts,
    FirstRow,
    Formulas,
    Grounds,
    HexConstants,
    InitiativeLines,
    Switches,
    SwitchRow,
)
from engine.hexcombat.setup.fighter import Fighter
from engine.hexcombat.setup.lines import Amount, FormulaLine, amounts_of, lines
from engine.settings import Raw, RulesetTables

ODDS = ("A attack", "P attack", "A defence", "P defence")
"""Numbers that the lines of lines.json make under `odds` (HX-ODD)."""
INITIATIVES = ("A initiative", "P initiative")
LOSSES = ("shots", "difference", "suppress", "kill", "converted")
RUGGED = ("A weight", "P weight")


@dataclass(frozen=True, slots=True)
class CombatCase:
    """One row of a switch or of the initiative's quick answers."""

    id: str  # The rule
    words: str  # The case in words
    fits: Condition  # The condition of the case
    sequence: str = ""  # The side that fires first in this case; blank in a switch


@dataclass(frozen=True, slots=True, kw_only=True)
class HexTables(RulesetTables):
    """All tables of the ruleset: single facts, lines of HX-ODD, HX-INI, HX-LOS and HX-RUG, switches, value lists."""

    files = ("constants", "attachments", "evade")

    facts: Facts
    odds: tuple[FormulaLine, ...]
    first: tuple[CombatCase, ...]
    initiative: tuple[FormulaLine, ...]
    losses: tuple[FormulaLine, ...]
    rugged: tuple[FormulaLine, ...]
    switches: Mapping[str, tuple[CombatCase, ...]]
    lists: Mapping[str, ValueList]

    @classmethod
    def of(cls, raw: Raw) -> HexTables:
        """Return the tables of the parsed files."""
        facts = Facts.of(raw)
        lists = _lists(facts, raw)
        words = _words(facts, lists)
        switches = _switches(read_table(Switches, raw), words)
        amounts: Mapping[str, Amount] = amounts_of(facts.attachments)
        known = {"an amount": amounts}
        formulas, initiative = read_table(Formulas, raw, known), read_table(InitiativeLines, raw, known)
        with at(file="lines.json"):
            odds, losses, rugged = (
                lines(name, rows, words, amounts, numbers)
                for name, rows, numbers in (
                    ("odds", formulas.odds, ODDS),
                    ("losses", formulas.losses, LOSSES),
                    ("rugged", formulas.rugged, RUGGED),
                )
            )
        with at(file="initiative.json"):
            return cls(
                raw=raw,
                facts=facts,
                odds=odds,
                first=_cases("first", initiative.first, words),
                initiative=lines("lines", initiative.lines, words, amounts, INITIATIVES),
                losses=losses,
                rugged=rugged,
                switches=switches,
                lists=lists,
            )

    def __reduce__(self) -> tuple[Callable[[Raw], HexTables], tuple[Raw]]:
        """Pickle the tables as their files, because conditions and lines are closures, which cannot be pickled."""
        return HexTables.of, (self.raw,)

    def case(self, switch: str, a: Fighter, p: Fighter, scene: CombatScene) -> CombatCase | None:
        """Return the first applicable row of a switch, None without one."""
        return next((case for case in self.switches[switch] if case.fits(a, p, scene)), None)

    def says(self, switch: str, a: Fighter, p: Fighter, scene: CombatScene) -> bool:
        """Return True if a switch applies."""
        return self.case(switch, a, p, scene) is not None


def _words(facts: Facts, lists: Mapping[str, ValueList]) -> ConditionWords:
    traits = {*lists["Leader"].values, *lists["Attribute"].values, *facts.attachments}
    grounds = {ground for traits_of in facts.traits.values() for ground in traits_of}
    kinds = {*facts.groups, *facts.groups.values()}
    return ConditionWords(frozenset(kinds), frozenset(traits), frozenset(grounds), {})


def _switches(file: Switches, words: ConditionWords) -> Mapping[str, tuple[CombatCase, ...]]:
    switches: dict[str, tuple[CombatCase, ...]] = {}
    with at(file="switches.json"):
        for name, rows in file.rows.items():
            switches[name] = _cases(name, rows, words)
            words.switches[name] = _any_case(switches[name])
    return switches


def _any_case(cases: Sequence[CombatCase]) -> Condition:
    return lambda a, p, scene: any(case.fits(a, p, scene) for case in cases)


def _cases(name: str, rows: Sequence[SwitchRow], words: ConditionWords) -> tuple[CombatCase, ...]:
    cases = []
    for position, row in enumerate(rows):
        with at(name, position, "when"):
            fits = all_of(row.when, words)
        cases.append(CombatCase(row.id, row.words, fits, row.sequence if isinstance(row, FirstRow) else ""))
    return tuple(cases)


@table("values", "Values")
class HexLists:
    """Lists of allowed values."""

    action: ValueList = words("Action", "What is asked for.")
    kind: ValueList = words("Kind", "Kinds of combat, and the new turn.")
    target: ValueList = words("Target", "Kinds of targets.")
    weather: ValueList = words("Weather", "The weather.")
    mission: ValueList = words("Air mission", "What a plane may fly besides.")
    defender_mission: ValueList = words("Defender mission", "Likewise, of the Defender.")
    plane_move: ValueList = words("Plane's move", "Where the plane is on its way.")
    hex: ValueList = words("Hex", "What a hex may have.")
    facility: ValueList = words("Facility", "What a place may have.")
    unit_status: ValueList = words("Unit status", "Where a unit stands.")
    terrain_trait: ValueList = words("Terrain trait", "Traits of a terrain that the workbook adds.")
    displaced: ValueList = words("Displaced", "How a unit left its hex.")
    leader: ValueList = words("Leader", "Leaders.")
    attribute: ValueList = words("Attribute", "Attributes of unit types.")


TABLES = (
    *(HexConstants, Classes, Grounds, Attachments, EvasionChances),
    *(Formulas, InitiativeLines, Switches, HexLists),
)
"""A class for each file."""


def _lists(facts: Facts, raw: Raw) -> Mapping[str, ValueList]:
    classes = {name: row.meaning for name, row in facts.classes.items()}
    aliases = {alias: name for name, row in facts.classes.items() for alias in row.aliases}
    attachments = {name: row.meaning for name, row in facts.attachments.items()}
    return {
        "Class": ValueList("Class", tuple(classes), classes, aliases),
        "Attachment": ValueList("Attachment", tuple(attachments), attachments),
        **value_lists(read_table(HexLists, raw)),
    }
