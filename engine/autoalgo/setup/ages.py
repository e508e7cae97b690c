"""Ages: presets for blank cells of a nation, of its forces and of a location it defends (NAT-29)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from typing import Any

from engine.autoalgo.inputs import SIDES, TYPES, WarInputs
from engine.autoalgo.records import NONE_ON_PURPOSE, Nation
from engine.columns import ValueList, columns, tab_of
from engine.config_value import at, is_one, table_error
from engine.declare import entry, record, table
from engine.shapes import ListOf, MapOf, Number, Text

SLOTS = TYPES[:3]
SHARE, TRAINING = Number(0, 1), Number(0, 10)


def _share(slot: str) -> Any:
    return entry(SHARE, "Share of Size.", f"{slot} Proportion", default=0.0)


def _word(header: str) -> Any:
    """Declare the entry that presets a column of a nation to a word of its list; without it the column stays blank."""
    return entry(Text(among=f"a value of {header}"), "Of the nation.", header, default="")


def _unit(header: str) -> Any:
    return entry(Text(), "A unit of the catalogue or of the tab Units; left out for none.", header, default="")


@record
class Age:
    """Usual values of nations and forces of one time and part of the world (NAT-29)."""

    name: str = entry(Text(), "What moderators choose.")
    years: tuple[int, int] = entry(
        ListOf(Number(whole=True), 2, 2, repeats=True), "From and to, BC negative; for people."
    )
    federal_government: str = _word("Federal Government")
    state_government: str = _word("State Government")
    religion: str = _word("Religion")
    ethnicity: str = _word("Ethnicity")
    civilization_type: str = _word("Civilization Type")
    diet: str = _word("Diet")
    domesticated_animals: str = _word("Domesticated Animals")
    medicine: str = _word("Medicine")
    writing: str = _word("Writing")
    urban_population: float = entry(SHARE, "Of the nation.", "Urban Population", default=0.0)
    steel: float = entry(Number(0), "Steel Production in tons for 1,000 people.", "Steel per 1,000 people")
    road_system: str = entry(Text(among="a value of Road System"), "Of a location.", "Road System")
    infantry_type: str = _unit("Infantry Type")
    infantry_proportion: float = _share("Infantry")
    cavalry_type: str = _unit("Cavalry Type")
    cavalry_proportion: float = _share("Cavalry")
    artillery_type: str = _unit("Artillery Type")
    artillery_proportion: float = _share("Artillery")
    transport: str = _unit("Transport")
    source: str = entry(Text(), "What units, shares and society rest on; for people.")

    def __post_init__(self) -> None:
        shares = self._shares(SLOTS)
        if abs(sum(shares.values()) - 1) > 1e-9:
            raise table_error(f"the proportions sum to {sum(shares.values()):g}, not to 1.", "Infantry Proportion")
        for slot, share in shares.items():
            if bool(share) != bool(getattr(self, f"{slot}_type")):
                raise table_error("a slot has both a type and a proportion, or neither.", f"{slot.title()} Type")

    @property
    def meaning(self) -> str:
        """Return its years and units, for people."""
        first, last = (f"{-year} BC" if year < 0 else f"{year}" for year in self.years)
        units = [getattr(self, f"{slot}_type") for slot, share in self._shares(SLOTS).items() if share]
        return f"{first} to {last}: {', '.join(units)}."

    def nation(self, typed: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values for a nation's blank columns, by attribute."""
        filled = {name: getattr(self, name) for name in NATION_ENTRIES}
        filled["steel_production"] = float(round(self.steel * typed.get("population", 0) / 1000))
        return _blank(filled, typed)

    def military(self, typed: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values for a force's blank columns, by attribute.

        Shares are filled if none is typed: the shares of slots left empty on purpose go to the others in proportion. A
        unit is filled in every slot with a share.
        """
        slots = [slot for slot in SLOTS if typed.get(f"{slot}_type") != NONE_ON_PURPOSE]
        given = {slot: typed[f"{slot}_proportion"] for slot in SLOTS if f"{slot}_proportion" in typed}
        whole = sum(self._shares(slots).values())
        shares = given or {slot: share / whole for slot, share in self._shares(slots).items() if whole}
        filled: dict[str, Any] = {f"{slot}_proportion": share for slot, share in shares.items()} if not given else {}
        filled |= {f"{slot}_type": getattr(self, f"{slot}_type") for slot, share in shares.items() if share}
        filled["transport"] = self.transport
        return _blank(filled, typed)

    def _shares(self, slots: Collection[str]) -> dict[str, float]:
        return {slot: getattr(self, f"{slot}_proportion") for slot in slots}


_ENTRIES = {field.name for field in fields(Age)} - {Nation.tab.key}
NATION_ENTRIES = tuple(name for name, _ in columns(Nation) if name in _ENTRIES)
"""Entries of an Age for columns of a nation, by attribute."""


def _blank(filled: Mapping[str, Any], typed: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in filled.items() if name not in typed and value not in ("", 0)}


def preset_lines(war: WarInputs) -> Iterator[str]:
    """Yield the cells filled by a nation's Age, a line for each row (NAT-29)."""
    for preset in war.presets:
        side = war.attacker if preset.side == SIDES[0] else war.defender
        own = next(army for army in (side, *side.allies) if preset.member in ("", army.member))
        row = next(row for row in (own.nation, own.military, war.location) if tab_of(type(row)).name == preset.tab)
        filled = [(name, column.header) for name, column in columns(type(row)) if column.header in preset.columns]
        cells = [f"{header} {_value_text(getattr(row, name))}" for name, header in filled]
        whose = f"{preset.side}, {own.member}" if preset.member else preset.side
        yield f"{whose}, {preset.tab}, blank and by the Age {preset.age}: {'; '.join(cells)}."


def _value_text(value: object) -> str:
    return f"{value:,g}" if isinstance(value, float) else str(value)


@record
class TrainingWord:
    """A word of the columns Tactical Training (MIL-15)."""

    number: float = entry(TRAINING, "The training that it stands for.")
    meaning: str = entry(Text(), "Whom it means; for people.")


@table("training", "Training")
class TrainingWords:
    """Words of the columns Tactical Training (MIL-15)."""

    words: Mapping[str, TrainingWord] = entry(MapOf(TrainingWord, 1), "The least trained first.")
    ages: Mapping[str, Mapping[str, float]] = entry(
        MapOf(MapOf(TRAINING)),
        "Other numbers of words in an Age, by its name, which ages.json may lack.",
    )

    def __post_init__(self) -> None:
        for age, numbers in self.ages.items():
            for word in numbers:
                with at("ages", age, word):
                    is_one(word, self.words, "a word of training.json")

    @property
    def values(self) -> ValueList:
        """Return the words as a value list."""
        meanings = {name: f"{word.number:g}. {word.meaning}" for name, word in self.words.items()}
        return ValueList("Training", tuple(self.words), meanings)

    def number(self, word: str, age: Age | None) -> float:
        """Return the training that a word stands for in an Age (MIL-15)."""
        return self.ages.get(age.name if age else "", {}).get(word, self.words[word].number)


@table("ages", "Ages")
class Ages:
    """Presets of the column Age in Nations (NAT-29)."""

    ages: Mapping[str, Age] = entry(ListOf(Age, 1, key="name", repeats=True), "In the order of the drop-down list.")

    @property
    def values(self) -> ValueList:
        """Return the ages as a value list."""
        return ValueList("Age", tuple(self.ages), {name: age.meaning for name, age in self.ages.items()})
