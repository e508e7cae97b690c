"""The rules of `hexcombat` as data, built once from the parsed files of `config/tables/hexcombat/`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.entry import Entry, meanings
from engine.fields import ValueList
from engine.hexcombat.conditions import Condition, Scene, Words, all_of
from engine.hexcombat.facts import STACKING, YES_NO, Facts
from engine.hexcombat.fighter import Fighter
from engine.hexcombat.lines import Amount, Line, amounts_of, lines
from engine.hexcombat.records import Terrain
from engine.settings import Raw, Setting, overridden

ODDS = ("A attack", "P attack", "A defence", "P defence")
"""Numbers that the lines of lines.json make under `odds` (HX-ODD)."""
INITIATIVES = ("A initiative", "P initiative")
LOSSES = ("shots", "difference", "suppress", "kill", "converted")
RUGGED = ("A weight", "P weight")
SEQUENCES = ("ATTACKER FIRST", "DEFENDER FIRST", "SIMULTANEOUS")
SWITCHES = (
    "fights close combat",
    "ignores entrenchment",
    "fires directly",
    "may overrun",
    "intercepts",
    "gives air defence",
    "gives fire support",
    "calls for naval support",
    "gives naval support",
    "fires at batteries",
    "may attack submarines",
    "drives ships out",
    "meets rugged defence",
    "may blow up",
    "drives back",
    "stands",
    "is never intercepted by",
    "tries sabotage",
    "evades by itself",
    "bombs stores",
    "can retreat",
    "follows",
    "strikes under water",
    "fires first as attacker",
    "fires first as defender",
)
"""What the rules ask of switches.json."""


@dataclass(frozen=True, slots=True)
class Case:
    """One row of a switch or of the initiative's quick answers.

    Args:
        id: The rule.
        words: What it is about.
        fits: When.
        sequence: Who fires first then; blank in a switch.
    """

    id: str
    words: str
    fits: Condition
    sequence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """All tables of the ruleset.

    Args:
        raw: The files they were read from.
        facts: Constants, classes, terrains, attachments.
        odds: Lines of HX-ODD.
        first: Quick answers of HX-INI-1 ... HX-INI-5.
        initiative: Lines of HX-INI-6 ... HX-INI-14.
        losses: Lines of HX-LOS.
        rugged: Lines of HX-RUG-2.
        switches: Name to rows.
        lists: Value lists of the choice columns, by name.
    """

    raw: Raw = dataclasses.field(repr=False)
    facts: Facts
    odds: tuple[Line, ...]
    first: tuple[Case, ...]
    initiative: tuple[Line, ...]
    losses: tuple[Line, ...]
    rugged: tuple[Line, ...]
    switches: Mapping[str, tuple[Case, ...]]
    lists: Mapping[str, ValueList]
    _having: dict[tuple[Setting, ...], Tables] = dataclasses.field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def of(cls, raw: Raw) -> Tables:
        """From the parsed files, file name without ending to content.

        Raises:
            Slip: Something is missing or the files do not fit together; the message names file and place.
        """
        file = {name: Entry(f"{name}.json", content) for name, content in raw.items()}
        facts = Facts.of(file)
        lists = _lists(file)
        words = _words(facts, lists)
        switches = _switches(file["switches"], words)
        amounts: Mapping[str, Amount] = amounts_of(facts.attachments)
        return cls(
            raw=raw,
            facts=facts,
            odds=lines(file["lines"]["odds"], words, amounts, ODDS),
            first=tuple(_case(row, words) for row in file["initiative"]["first"].each()),
            initiative=lines(file["initiative"]["lines"], words, amounts, INITIATIVES),
            losses=lines(file["lines"]["losses"], words, amounts, LOSSES),
            rugged=lines(file["lines"]["rugged"], words, amounts, RUGGED),
            switches=switches,
            lists=lists,
        )

    def __reduce__(self) -> tuple[Callable[[Raw], Tables], tuple[Raw]]:
        """Sent elsewhere as files: conditions and lines are closures, which cannot travel."""
        return Tables.of, (self.raw,)

    def having(self, settings: Sequence[Setting]) -> Tables:
        """SET-03: these tables with a workbook's own single numbers in their places.

        Raises:
            Slip: A setting names none of them, or they no longer fit together.
        """
        if not settings:
            return self
        wanted = tuple(settings)
        found = self._having.get(wanted)
        if found is None:
            found = self._with(wanted)
            self._having.clear()  # a workbook has one set of settings, which all its combats share
            self._having[wanted] = found
        return found

    def _with(self, settings: Sequence[Setting]) -> Tables:
        changed = {**self.raw, **overridden(settable(self.raw), settings)}
        file = {name: Entry(f"{name}.json", content) for name, content in changed.items()}
        return dataclasses.replace(self, raw=changed, facts=Facts.of(file))

    @property
    def terrains(self) -> Mapping[str, Terrain]:
        """The rules' own terrains, by name."""
        return self.facts.terrains

    def case(self, switch: str, a: Fighter, p: Fighter, scene: Scene) -> Case | None:
        """The first row of a switch that fits; None when none does."""
        return next((case for case in self.switches[switch] if case.fits(a, p, scene)), None)

    def says(self, switch: str, a: Fighter, p: Fighter, scene: Scene) -> bool:
        """Whether a switch is on."""
        return self.case(switch, a, p, scene) is not None


def settable(raw: Raw) -> dict[str, Any]:
    """What a workbook may have otherwise: variables and options, attachments, who evades."""
    return {name: raw[name] for name in ("constants", "attachments", "evade")}


SETTABLE_WORDS = {
    "constants/HX-OP-06/leader_bonus_stacking": STACKING,
    "constants/options/allow_barrage_fire": YES_NO,
    "constants/options/air_units_intercepted": YES_NO,
    "constants/options/extended_naval_rules": YES_NO,
    "constants/options/ships_as_flak": YES_NO,
    "constants/options/air_missions": YES_NO,
}
"""Places among them that hold a word, and the words allowed there."""


def _words(facts: Facts, lists: Mapping[str, ValueList]) -> Words:
    traits = {*lists["Leader"].values, *lists["Attribute"].values, *facts.attachments}
    grounds = {it for traits_of in facts.traits.values() for it in traits_of}
    kinds = {*facts.groups, *facts.groups.values()}
    return Words(frozenset(kinds), frozenset(traits), frozenset(grounds), {})


def _switches(file: Entry, words: Words) -> Mapping[str, tuple[Case, ...]]:
    """In the file's order: a switch may ask the ones above it."""
    found: dict[str, tuple[Case, ...]] = {}
    for name, rows in file.items():
        file.known(name, SWITCHES, "a switch of these rules")
        found[name] = tuple(_case(row, words) for row in rows.each())
        words.switches[name] = _any_case(found[name])
    for name in SWITCHES:
        if name not in found:
            raise file.slip(f'"{name}" is missing.')
    return found


def _any_case(cases: Sequence[Case]) -> Condition:
    return lambda a, p, scene: any(case.fits(a, p, scene) for case in cases)


def _case(row: Entry, words: Words) -> Case:
    parts = dict(row.items())
    sequence = parts["sequence"].one_of(SEQUENCES, "a sequence") if "sequence" in parts else ""
    return Case(row["id"].text(), row["words"].text(), all_of(parts.get("when"), words), sequence)


LISTS = {
    "Action": "action",
    "Kind": "kind",
    "Target": "target",
    "Weather": "weather",
    "Air mission": "mission",
    "Defender mission": "defender_mission",
    "Plane's move": "plane_move",
    "Hex": "hex",
    "Facility": "facility",
    "Unit status": "unit_status",
    "Displaced": "displaced",
    "Leader": "leader",
    "Attribute": "attribute",
}
"""Value list to its key in values.json."""


def _lists(file: Mapping[str, Entry]) -> Mapping[str, ValueList]:
    classes = file["classes"]["HX-DEF-04"]
    aliases = {alias.text(): row["class"].text() for row in classes.each() for alias in row["aliases"].each()}
    found = [
        meanings("Class", classes, "class", aliases),
        meanings("Attachment", file["attachments"]["HX-INI-14"], "name"),
        *(meanings(name, file["values"][key]) for name, key in LISTS.items()),
    ]
    return {it.name: it for it in found}
