"""The tables of `realm`: what the files of `config/tables/realm/` may hold, and the numbers built from them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from engine.columns import ValueList
from engine.config_value import at, is_one, table_error
from engine.declare import entry, read_table, record, table, value_lists, words
from engine.realm.setup.constants import ATTRIBUTES, WHOLE, RealmConstants
from engine.settings import Raw, RulesetTables
from engine.shapes import MOST, NAME, Choice, ListOf, Number, Text

NONE = Fraction(0)
SHORT = Text(NAME.pattern, 80)
BONUS = Number(-MOST, MOST)
PER_CENT = Number(0, 100)
ATTRIBUTE = Number(0, 100, words=ATTRIBUTES)
SIZES = ("Town", "City", "Capital")


@record
class BandEntry:
    """Entry that applies from its number up to the number of the next entry."""

    least: int = entry(WHOLE, "Where it begins.", "from")


Band = TypeVar("Band", bound=BandEntry)


@record
class ArmyLevel(BandEntry):
    """A level of armies (RL-EXP-04)."""

    name: str = entry(SHORT, "Its name.", "level")
    modifier: Fraction = entry(BONUS, "Added to the attack.")


@record
class LeaderLevel(BandEntry):
    """A level of leaders and its additions to the base attributes (RL-EXP-05, RL-OP-05)."""

    name: str = entry(SHORT, "Its name.", "level")
    leadership: Fraction = entry(BONUS, "Added.")
    stealth: Fraction = entry(BONUS, "Added.")
    melee: Fraction = entry(BONUS, "Added.")


@record
class RulerType:
    """A kind of ruler (RL-RUL-01 to RL-RUL-04, RL-OP-04)."""

    id: str = entry(Text(r"^RL-RUL-\d{2}$"), "The rule.")
    name: str = entry(SHORT, "As the column spells it.", "ruler")
    leadership: str | float = entry(ATTRIBUTE, "A word of RL-OP-06 or a number.")
    melee: str | float = entry(ATTRIBUTE, "A word of RL-OP-06 or a number.")
    stealth: str | float = entry(ATTRIBUTE, "A word of RL-OP-06 or a number.")
    health: int = entry(WHOLE, "Of a ruler in full health.")
    spotting: float = entry(Number(0, MOST), "No rule here reads it.")


@record
class MercenaryLevel:
    """Level of mercenaries, with its chance and cost (RL-MER-02)."""

    name: str = entry(SHORT, "A level of armies.", "level")
    percent: int = entry(Number(0, 100, whole=True), "Its chance.")
    cost: int = entry(Number(0, 1000, whole=True), "Times the initial cost.")
    experience: int = dataclasses.field(default=0)
    """Lowest experience of the level of armies."""


@record
class Deed:
    """An action that earns experience for a unit or a leader (RL-EXP-02, RL-EXP-03)."""

    id: str = entry(Choice(("RL-EXP-02", "RL-EXP-03")), "The rule.")
    name: str = entry(SHORT, "As the column spells it.", "deed")
    of: str = entry(Choice(("unit", "leader")), "Who earns it.")
    experience: int = entry(WHOLE, "Points.")
    meaning: str = entry(NAME, "One sentence.")


@table("people", "Rulers, levels and deeds")
class People:
    """Kinds of rulers, levels of experience and its sources."""

    rulers: Mapping[str, RulerType] = entry(ListOf(RulerType, 1, key="ruler"), "Kinds of rulers.")
    army_levels: tuple[ArmyLevel, ...] = entry(ListOf(ArmyLevel, 1), "The first begins at 0.", "RL-EXP-04")
    leader_levels: tuple[LeaderLevel, ...] = entry(ListOf(LeaderLevel, 1), "The first begins at 0.", "RL-EXP-05")
    mercenaries: tuple[MercenaryLevel, ...] = entry(ListOf(MercenaryLevel, 1), "Their chances make 100.", "RL-MER-02")
    deeds: Mapping[str, Deed] = entry(ListOf(Deed, 1, key="deed"), "What earns experience.")

    def __post_init__(self) -> None:
        _check_bands(self.army_levels, 0, "RL-EXP-04")
        _check_bands(self.leader_levels, 0, "RL-EXP-05")
        levels = [level.name for level in self.army_levels]
        for position, level in enumerate(self.mercenaries):
            with at("RL-MER-02", position, "level"):
                is_one(level.name, levels, "a level of armies")
        if (together := sum(level.percent for level in self.mercenaries)) != 100:
            raise table_error(f"the chances make {together}, not 100.", "RL-MER-02")


@record
class Action(BandEntry):
    """Action of a disloyal leader, and its cost in loyalty before RL-LOY-04 (RL-LOY-03)."""

    id: str = entry(Text("^RL-LOY-03[a-g]$"), "The rule.")
    loss: int = entry(Number(0, 100, whole=True), "Loyalty lost.")
    name: str = entry(SHORT, "In the log.", "action")


@record
class RandomEvent(BandEntry):
    """An event of the turn (RL-RND-01 to RL-RND-08)."""

    id: str = entry(Choice(tuple(f"RL-RND-{number:02}" for number in range(1, 9))), "The rule.")
    name: str = entry(SHORT, "In the log.", "event")
    amount: Fraction = entry(Number(0, MOST), "Per cent of people lost, or points won.", default=NONE)
    incomes: Fraction = entry(Number(0, MOST), "How many times a city's income burns.", default=NONE)


@table("fate", "Disloyalty and events")
class Fate:
    """Actions of disloyal leaders and random events of a realm."""

    actions: tuple[Action, ...] = entry(ListOf(Action, 7, 7), "By ACTION; the rules know these seven.", "RL-LOY-03")
    events: tuple[RandomEvent, ...] = entry(ListOf(RandomEvent, 8, 8), "By RND(100); the rules know these eight.")

    def __post_init__(self) -> None:
        _check_bands(self.actions, 1, "RL-LOY-03")
        _check_bands(self.events, 1, "events")


@record
class Mission:
    """One of RL-ESP-1 to RL-ESP-9: per cent for no agent and for each, shares of the agents."""

    id: str = entry(Text("^RL-ESP-[1-9]$"), "The rule.")
    name: str = entry(SHORT, "As the column Order spells it.", "mission")
    success: Fraction | None = entry(PER_CENT, "Chance; without it always takes effect (RL-OP-11).", default=None)
    success_agent: Fraction = entry(PER_CENT, "For each agent.", default=NONE)
    success_rolled: Fraction | None = entry(PER_CENT, "RND(this × agents) is added.", default=None)
    effect: Fraction | None = entry(PER_CENT, "RND(this × agents) is done.", default=None)
    detection: Fraction | None = entry(PER_CENT, "Chance; without it nobody notices.", default=None)
    detection_agent: Fraction = entry(PER_CENT, "For each agent.", default=NONE)
    detection_loyalty: Fraction = entry(PER_CENT, "For each point of the leader's loyalty.", default=NONE)
    loss: Fraction | None = entry(
        Number(0, 1, none="all"), "Agents lost if detected: RND(this × agents), or all (RL-ESP-E).", default=None
    )
    frame: Fraction | None = entry(PER_CENT, "Chance; without it nobody can be framed (RL-ESP-D).", default=None)
    frame_agent: Fraction = entry(Number(-100, 100), "For each agent.", default=NONE)


@record
class Fact:
    """A state secret."""

    fact: str = entry(Choice(("happiness", "tax rate", "population", "leaders", "treasury", "legions")), "Which.")
    percent: Fraction = entry(PER_CENT, "Its chance.")


@table("missions", "Espionage")
class Espionage:
    """The missions and their facts."""

    missions: Mapping[str, Mission] = entry(ListOf(Mission, 9, 9, key="mission"), "The rules know these nine.")
    facts: Mapping[str, Fact] = entry(ListOf(Fact, 6, 6, key="fact"), "State secrets; the rules know these six.")


@record
class RebelUnit:
    """Rebel units that rise in a city of one size."""

    size: str = entry(Choice(SIZES), "Of the city.")
    unit: str = entry(SHORT, "A unit type.")


@table("rebels", "Rebels")
class Rebels:
    """Rebel units that rise in a rebel city each turn."""

    sizes: Mapping[str, RebelUnit] = entry(ListOf(RebelUnit, 3, 3, key="size"), "By size.", "RL-REB-03")
    pirates: str = entry(SHORT, "What rises on a coast without room.", "RL-REB-04/unit")


@table("values", "Lists of allowed values")
class RealmLists:
    """The lists of allowed values, with their meanings."""

    action: ValueList = words("Action", "What is asked for.", "Rule", "Forecast")
    order: ValueList = words(
        "Order",
        "Orders.",
        *("Process turn", "Process all turns", "Process rebels", "Hire leader", "Hire mercenary", "Accept offer"),
        *("Interrogate", "Release", "Entice", "Send to games", "Execute", "Assassinate agents", "Aid saboteurs"),
        *("Bribe leaders", "Intercept messages", "Scout garrison", "Locate cities", "Slander", "Watch hero"),
        *("Gather state secrets", "Award experience", "Battle won", "Battle lost", "City captured"),
    )
    kind: ValueList = words("Kind", "Kinds of leaders.", "Hero", "Legend", "Ruler")
    leader_status: ValueList = words(
        "Leader status",
        "Where a leader stands.",
        *("Employed", "Available", "Legends list", "Freelance", "Prisoner", "Dead", "Removed"),
    )
    offer: ValueList = words("Offer", "What a leader offers.", "Service", "Information", "Thrown battle", "Defection")
    fate: ValueList = words("Fate", "What became of somebody.", "Deserted", "Lapsed")
    size: ValueList = words("Size", "Sizes of cities.", *SIZES)


TABLES = (RealmConstants, People, Fate, Espionage, Rebels, RealmLists)
"""A class for each file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmTables(RulesetTables):
    """All tables of the ruleset, by name; bands are sorted from the highest."""

    files = ("constants", "people", "fate", "missions")

    constants: RealmConstants
    rulers: Mapping[str, RulerType]
    army_levels: tuple[ArmyLevel, ...]
    leader_levels: tuple[LeaderLevel, ...]
    mercenaries: tuple[MercenaryLevel, ...]
    deeds: Mapping[str, Deed]
    actions: tuple[Action, ...]
    fates: tuple[RandomEvent, ...]
    missions: Mapping[str, Mission]
    facts: Mapping[str, Fraction]
    rebels: Mapping[str, str]
    pirates: str
    lists: Mapping[str, ValueList]

    @classmethod
    def of(cls, raw: Raw) -> RealmTables:
        """Return the tables of the parsed files."""
        constants, people, fate = (read_table(RealmConstants, raw), read_table(People, raw), read_table(Fate, raw))
        espionage, rebels = read_table(Espionage, raw), read_table(Rebels, raw)
        least = {level.name: level.least for level in people.army_levels}
        deeds = {name: deed.meaning for name, deed in people.deeds.items()}
        worth = {word: f"Worth {float(constants.attribute(word)):g}." for word in ATTRIBUTES}
        lists = value_lists(read_table(RealmLists, raw)) | {
            "Event": ValueList("Event", tuple(deeds), deeds),
            "Attribute": ValueList("Attribute", ATTRIBUTES, worth),
            "Ruler type": ValueList("Ruler type", tuple(people.rulers)),
        }
        return cls(
            raw=raw,
            constants=constants,
            rulers=people.rulers,
            army_levels=people.army_levels[::-1],
            leader_levels=people.leader_levels[::-1],
            mercenaries=tuple(dataclasses.replace(level, experience=least[level.name]) for level in people.mercenaries),
            deeds=people.deeds,
            actions=fate.actions[::-1],
            fates=fate.events[::-1],
            missions=espionage.missions,
            facts={name: fact.percent for name, fact in espionage.facts.items()},
            rebels={size: rebel.unit for size, rebel in rebels.sizes.items()},
            pirates=rebels.pirates,
            lists=lists,
        )

    def army_level(self, experience: int) -> ArmyLevel:
        """Return the level of an army by its experience (RL-EXP-04)."""
        return reached(self.army_levels, experience)

    def leader_level(self, experience: int) -> LeaderLevel:
        """Return the level of a leader by its experience (RL-EXP-05)."""
        return reached(self.leader_levels, experience)


def reached(bands: Sequence[Band], value: int) -> Band:
    """Return the last band that a roll or experience reaches, or the lowest; the highest band is the first."""
    return next((band for band in bands if value >= band.least), bands[-1])


def _check_bands(bands: Sequence[BandEntry], first: int, *path: str) -> None:
    """Check that bands rise from the lowest, which is first in the file and begins at `first`."""
    if bands[0].least != first:
        raise table_error(f"{bands[0].least} leaves out what is below. Use {first}.", *path, 0, "from")
    for position, (lower, band) in enumerate(pairwise(bands), start=1):
        if band.least <= lower.least:
            raise table_error(f"{band.least} is not above the {lower.least} before it.", *path, position, "from")
