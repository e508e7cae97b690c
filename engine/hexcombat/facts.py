"""The single facts of the tables: constants, options, classes, terrains, attachments, who evades."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.entry import Entry, constants_of, named
from engine.hexcombat.records import Terrain

YES_NO = ("yes", "no")
STACKING = ("both", "once")
"""HX-OP-06: whether a leader's bonus that two rules list counts twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """Variables and options (HX-OP-24)."""

    allow_barrage_fire: bool
    air_units_intercepted: bool
    extended_naval_rules: bool
    ships_as_flak: bool
    air_missions: bool
    flak_ex2: int
    critical_hit: int
    critical_submarine: int
    critical_most: int
    pg2mode: int
    evade: int
    evade_pg2mode: int
    zoc_evade: int
    evade_bar: int
    evade_special: int
    experience_most: int
    experience_target: int
    exp_bar_factor: int
    naval_noblock_bridge: int
    g2a_intercept_mode: int
    winner_defence: int
    winner_attack_most: int
    leader_bonus_stacking: str
    exp_per_bar: int
    max_bars: int
    infantry_entrench_rate: int
    sabotage_min: int
    sabotage_max: int
    sabotage_backlash: int
    prestige_least: int
    blow_leader: int
    blow_mined: int
    blow_most: int

    @property
    def evade_base(self) -> int:
        """HX-EVA-2: for a class whose own per cent nobody set."""
        return self.evade_pg2mode if self.pg2mode else self.evade

    @property
    def guns_do_both(self) -> bool:
        """HX-G2A-4, HX-OP-34: in an odd mode a gun that has intercepted gives no air defence."""
        return self.g2a_intercept_mode % 2 == 0

    @property
    def spotted_guns_intercept(self) -> bool:
        """HX-G2A-5, HX-OP-34: in modes 2 and 3."""
        return self.g2a_intercept_mode >= 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """What an attachment does (HX-INI-14)."""

    bonus: int
    penalty: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the rules know of classes, terrains and attachments.

    Args:
        constants: Variables and options.
        groups: Class to Land, Air or Naval (HX-DEF-04).
        terrains: The rules' own, by name (HX-TER).
        traits: Terrain to what else it is known by: close, cover, water.
        attachments: By name.
        class_evade: Class to per cent, 0 for the base, -1 for none (HX-EVA-2).
    """

    constants: Constants
    groups: Mapping[str, str]
    terrains: Mapping[str, Terrain]
    traits: Mapping[str, frozenset[str]]
    attachments: Mapping[str, Attachment]
    class_evade: Mapping[str, int]

    @classmethod
    def of(cls, file: Mapping[str, Entry]) -> Facts:
        """From the files of the tables.

        Raises:
            Slip: Something is missing or not allowed there.
        """
        groups = named(file["classes"]["HX-DEF-04"], "class", lambda it: it["group"].one_of(GROUPS, "a group"))
        terrains = file["terrain"]["HX-TER"]
        evade = file["evade"]["class_evade"]
        for name, _ in evade.items():
            evade.known(name, groups, "a class")
        return cls(
            constants=constants(file["constants"]),
            groups=groups,
            terrains=named(terrains, "Terrain", _terrain),
            traits=named(terrains, "Terrain", _traits),
            attachments=named(file["attachments"]["HX-INI-14"], "name", _attachment),
            class_evade={name: evade[name].whole() for name in groups},
        )

    def ground_traits(self, terrain: str) -> frozenset[str]:
        """What a terrain is known by: its name and its traits; a workbook's own terrain by its name alone."""
        return self.traits.get(terrain, frozenset((terrain,)))


GROUPS = ("Land", "Air", "Naval")


def constants(groups: Entry) -> Constants:
    """The numbers and words of constants.json, whatever rule each stands under.

    Raises:
        Slip: One is missing, unknown or not allowed.
    """
    kinds = {field.name: field.type for field in dataclasses.fields(Constants)}
    return constants_of(Constants, groups, lambda name, it: READERS[str(kinds[name])](it))


READERS: Mapping[str, Callable[[Entry], Any]] = {
    "bool": lambda it: it.one_of(YES_NO, "yes or no") == "yes",
    "str": lambda it: it.one_of(STACKING, "a way of stacking"),
    "int": lambda it: it.whole(),
}


def _terrain(row: Entry) -> Terrain:
    return Terrain(
        name=row["Terrain"].text(), cap=row["Initiative cap"].whole(), entrenchment=row["Base entrenchment"].whole()
    )


def _traits(row: Entry) -> frozenset[str]:
    return frozenset((row["Terrain"].text(), *(trait.text() for trait in row["traits"].each())))


def _attachment(row: Entry) -> Attachment:
    return Attachment(bonus=row["bonus"].whole(), penalty=row["penalty"].whole())
