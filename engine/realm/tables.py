"""The numbers of `realm`, built once from the parsed files of `config/tables/realm/`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from engine.entry import Entry, meanings, named, shown
from engine.exact import exact
from engine.fields import ValueList
from engine.realm.constants import ATTRIBUTES, FLOOR, NO_FLOOR, PAYS, YES_OR_NO, Constants, constants
from engine.realm.records import CAPITAL, CITY, TOWN
from engine.settings import Raw, Setting, overridden

Band = TypeVar("Band", bound="Banded")

NONE = Fraction(0)


@dataclass(frozen=True, slots=True)
class Banded:
    """What reaches from a number up to where the next one begins."""

    least: int


@dataclass(frozen=True, slots=True)
class ArmyLevel(Banded):
    """RL-EXP-04: a level of armies and what it adds to the attack."""

    name: str
    modifier: Fraction


@dataclass(frozen=True, slots=True)
class LeaderLevel(Banded):
    """RL-EXP-05: a level of leaders and what it adds to the base attributes (RL-OP-05)."""

    name: str
    leadership: Fraction
    stealth: Fraction
    melee: Fraction


@dataclass(frozen=True, slots=True)
class Action(Banded):
    """RL-LOY-03: what a disloyal leader does, and the loyalty that it costs before RL-LOY-04."""

    id: str
    name: str
    loss: int


@dataclass(frozen=True, slots=True)
class Fate(Banded):
    """RL-RND-01 ... RL-RND-08: an event of the turn.

    Args:
        amount: Per cent of people lost, or points won; 0 where there is none.
        incomes: How many times a city's income is lost.
    """

    id: str
    name: str
    amount: Fraction
    incomes: Fraction


@dataclass(frozen=True, slots=True)
class RulerType:
    """RL-RUL-01, RL-RUL-02, RL-RUL-03, RL-RUL-04: a kind of ruler (RL-OP-04); attributes are words or numbers."""

    id: str
    leadership: str | float
    melee: str | float
    stealth: str | float
    health: int


@dataclass(frozen=True, slots=True)
class MercenaryLevel:
    """RL-MER-02: how a mercenary may come.

    Args:
        name: A level of armies.
        percent: Chance, out of 100.
        cost: Times the initial cost.
        experience: Least of that level.
    """

    name: str
    percent: int
    cost: int
    experience: int


@dataclass(frozen=True, slots=True)
class Deed:
    """RL-EXP-02, RL-EXP-03: what earns experience, and whom: `unit` or `leader`."""

    id: str
    of: str
    experience: int


@dataclass(frozen=True, slots=True)
class Mission:
    """One of RL-ESP-1 ... RL-ESP-9; per cent for no agent and for each, shares of the agents, None where it has none.

    Args:
        id: The rule.
        success: Chance; None: it always takes effect (RL-OP-11).
        success_agent: More of it for each agent.
        success_rolled: RND(this × agents) more.
        effect: RND(this × agents) is done.
        detection: Chance; None: nobody notices.
        detection_agent: More of it for each agent.
        detection_loyalty: More of it for each point of the leader's loyalty.
        loss: Agents lost if detected are RND(this × agents); None: all (RL-ESP-E).
        frame: Chance; None: nobody can be framed (RL-ESP-D).
        frame_agent: More of it for each agent.
    """

    id: str
    success: Fraction | None
    success_agent: Fraction
    success_rolled: Fraction | None
    effect: Fraction | None
    detection: Fraction | None
    detection_agent: Fraction
    detection_loyalty: Fraction
    loss: Fraction | None
    frame: Fraction | None
    frame_agent: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """All tables of the ruleset.

    Args:
        raw: The files they were read from.
        constants: Single numbers.
        rulers: Kinds of rulers, by name.
        army_levels: The highest first.
        leader_levels: The highest first.
        mercenaries: In the order of their chances.
        deeds: By name.
        actions: The highest first.
        fates: The highest first.
        missions: By the order's name.
        facts: State secret to its chance.
        rebels: Size of a city to the unit type that rises there.
        pirates: The unit type that rises on a coast without room.
        lists: Value lists of the choice columns, by name.
    """

    raw: Raw = dataclasses.field(repr=False)
    constants: Constants
    rulers: Mapping[str, RulerType]
    army_levels: tuple[ArmyLevel, ...]
    leader_levels: tuple[LeaderLevel, ...]
    mercenaries: tuple[MercenaryLevel, ...]
    deeds: Mapping[str, Deed]
    actions: tuple[Action, ...]
    fates: tuple[Fate, ...]
    missions: Mapping[str, Mission]
    facts: Mapping[str, Fraction]
    rebels: Mapping[str, str]
    pirates: str
    lists: Mapping[str, ValueList]
    _changed: dict[tuple[Setting, ...], Tables] = dataclasses.field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, raw: Raw) -> Tables:
        """From the parsed files, file name without ending to content.

        Raises:
            Slip: Something is missing or the files do not fit together; the message names file and place.
        """
        file = {name: Entry(f"{name}.json", content) for name, content in raw.items()}
        people, fate = file["people"], file["fate"]
        army_levels = _banded(people["RL-EXP-04"], 0, _army_level)
        return cls(
            raw=raw,
            constants=constants(file["constants"]),
            rulers=named(people["rulers"], "ruler", _ruler_type),
            army_levels=army_levels,
            leader_levels=_banded(people["RL-EXP-05"], 0, _leader_level),
            mercenaries=_mercenaries(people["RL-MER-02"], army_levels),
            deeds=named(people["deeds"], "deed", _deed),
            actions=_banded(fate["RL-LOY-03"], 1, _action),
            fates=_banded(fate["events"], 1, _fate),
            missions=named(file["missions"]["missions"], "mission", _mission),
            facts=named(file["missions"]["facts"], "fact", lambda it: exact(it["percent"].number())),
            rebels=_rebels(file["rebels"]["RL-REB-03"]),
            pirates=file["rebels"]["RL-REB-04"]["unit"].text(),
            lists=_lists(file),
        )

    def having(self, settings: Sequence[Setting]) -> Tables:
        """SET-03: these tables with a workbook's own numbers in their places.

        Raises:
            Slip: A setting names none of them, or they no longer fit together.
        """
        if not settings:
            return self
        chosen = tuple(settings)
        if chosen not in self._changed:  # a pass asks for the same settings at every request
            self._changed[chosen] = Tables.of({**self.raw, **overridden(settable(self.raw), chosen)})
        return self._changed[chosen]

    def army_level(self, experience: int) -> ArmyLevel:
        """RL-EXP-04."""
        return reached(self.army_levels, experience)

    def leader_level(self, experience: int) -> LeaderLevel:
        """RL-EXP-05."""
        return reached(self.leader_levels, experience)


def reached(bands: Sequence[Band], value: int) -> Band:
    """The last band that a value reaches; the lowest for what reaches none.

    Args:
        bands: The highest first.
        value: What was rolled or learned.
    """
    return next((band for band in bands if value >= band.least), bands[-1])


def settable(raw: Raw) -> dict[str, Any]:
    """What a workbook may have otherwise: every number; the lists of words are the rules' own."""
    return {name: content for name, content in raw.items() if name not in ("values", "rebels")}


SETTABLE_WORDS = {f"constants/RL-OP-27/{PAYS}": YES_OR_NO, f"constants/RL-OP-14/{FLOOR}": (NO_FLOOR,)}
"""Places among them that hold a word, and the words allowed there."""


def _banded(rows: Entry, first: int, read: Callable[[Entry], Band]) -> tuple[Band, ...]:
    """Bands, the highest first; in the file the lowest stands first and begins at `first`."""
    bands: list[Band] = []
    for row in rows.each():
        band = read(row)
        if bands and band.least <= bands[-1].least:
            raise row["from"].slip(f"{band.least} is not above the {bands[-1].least} before it.")
        if not bands and band.least != first:
            raise row["from"].slip(f"{band.least} leaves out what is below. Use {first}.")
        bands.append(band)
    return tuple(reversed(bands))


def _army_level(row: Entry) -> ArmyLevel:
    return ArmyLevel(row["from"].whole(), row["level"].text(), exact(row["modifier"].number()))


def _leader_level(row: Entry) -> LeaderLevel:
    bonus = (exact(row[name].number()) for name in ("leadership", "stealth", "melee"))
    return LeaderLevel(row["from"].whole(), row["level"].text(), *bonus)


def _ruler_type(row: Entry) -> RulerType:
    leadership, melee, stealth = (_attribute(row[name]) for name in ("leadership", "melee", "stealth"))
    return RulerType(row["id"].text(), leadership, melee, stealth, row["health"].whole())


def _attribute(it: Entry) -> str | float:
    return it.one_of(ATTRIBUTES, "a word for an attribute") if isinstance(it.value, str) else it.number()


def _mercenaries(rows: Entry, levels: Sequence[ArmyLevel]) -> tuple[MercenaryLevel, ...]:
    least = {level.name: level.least for level in levels}
    found = []
    for row in rows.each():
        name = row["level"].one_of(least, "a level of armies")
        found.append(MercenaryLevel(name, row["percent"].whole(), row["cost"].whole(), least[name]))
    together = sum(it.percent for it in found)
    if together != 100:
        raise rows.slip(f"the chances make {together}, not 100.")
    return tuple(found)


def _deed(row: Entry) -> Deed:
    return Deed(row["id"].text(), row["of"].text(), row["experience"].whole())


def _action(row: Entry) -> Action:
    return Action(row["from"].whole(), row["id"].text(), row["action"].text(), row["loss"].whole())


def _fate(row: Entry) -> Fate:
    return Fate(row["from"].whole(), row["id"].text(), row["event"].text(), _part(row, "amount"), _part(row, "incomes"))


def _part(row: Entry, name: str) -> Fraction:
    return exact(row[name].number()) if name in row.value else NONE


def _mission(row: Entry) -> Mission:
    def number(name: str) -> Fraction | None:
        return exact(row[name].number()) if name in row.value else None

    return Mission(
        id=row["id"].text(),
        success=number("success"),
        success_agent=_part(row, "success_agent"),
        success_rolled=number("success_rolled"),
        effect=number("effect"),
        detection=number("detection"),
        detection_agent=_part(row, "detection_agent"),
        detection_loyalty=_part(row, "detection_loyalty"),
        loss=None if row.value.get("loss") == "all" else number("loss"),
        frame=number("frame"),
        frame_agent=_part(row, "frame_agent"),
    )


def _rebels(rows: Entry) -> Mapping[str, str]:
    found = named(rows, "size", lambda it: it["unit"].text())
    for size in (TOWN, CITY, CAPITAL):
        if size not in found:
            raise rows.slip(f"{shown(size)} is missing.")
    return found


def _lists(file: Mapping[str, Entry]) -> Mapping[str, ValueList]:
    values = file["values"]
    numbers = file["constants"]["RL-OP-06"]
    lists = [
        meanings("Action", values["action"]),
        meanings("Order", values["order"]),
        meanings("Kind", values["kind"]),
        meanings("Leader status", values["leader_status"]),
        meanings("Offer", values["offer"]),
        meanings("Fate", values["fate"]),
        meanings("Size", values["size"]),
        meanings("Event", file["people"]["deeds"], "deed"),
        ValueList("Attribute", ATTRIBUTES, {word: f"Worth {numbers[word].number():g}." for word in ATTRIBUTES}),
        ValueList("Ruler type", tuple(named(file["people"]["rulers"], "ruler", _ruler_type))),
    ]
    return {it.name: it for it in lists}
