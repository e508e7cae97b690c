"""Numbers of the words in the sheet: lists of allowed values, their ranks, and a number per variable (VAR-02)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.columns import ValueList, loosely
from engine.config_value import at, is_one, quote, table_error
from engine.declare import entry, record, table
from engine.shapes import Choice, ListOf, MapOf, Number, Text

ANY = "*"
"""In a pair table: every value without an entry."""
SHARE, LEAST_0 = Number(0, 1), Number(0)
NUMBER = Number(0, 2)


@record
class Hazard:
    """Effects of a value of the column Attrition of a location."""

    constant: float = entry(
        SHARE, "Share of the men in the field who die each hour when there are twice as many as can be fed (ATT-05)."
    )
    siege: float = entry(SHARE, "Its part in the Siege Rate (VAR-SIEGE).")
    efficiency: float = entry(SHARE, "What it stands for in Efficiency (VAR-EFF).", "Efficiency")
    capacity: float = entry(SHARE, "What it stands for in Capacity (VAR-CAP).", "Capacity")
    morale: float = entry(NUMBER, "What it stands for in the Morale Bonus (VAR-MOR).", "Morale Bonus")


@table("attrition", "Attrition")
class Hazards:
    """Effects of the hazards of a location (LOC-06)."""

    values: Mapping[str, Hazard] = entry(MapOf(Hazard, 1), "Each hazard by name, mildest first.")


@record
class Crop:
    """A staple crop (NAT-14)."""

    protein: float = entry(LEAST_0, "Kilocalories in a cup.")
    crop_yield: float = entry(LEAST_0, "People whom an acre feeds.", "yield")
    domestication: float = entry(SHARE, "How far it is domesticated; wheat has 1.")
    diversity: float = entry(Number(1), "Species of its genus; more resist blight better.")
    worth: float = entry(LEAST_0, "Value beyond food.")


@table("diet", "Crops")
class Crops:
    """The records of the staple crops (NAT-14)."""

    crops: Mapping[str, Crop] = entry(MapOf(Crop, 1), "Each crop by name, in the sheet's order.")


@record
class Disease:
    """An endemic disease (NAT-18); all zero for `none`."""

    outbreak: float = entry(SHARE, "Relative chance of an outbreak (DIS-02).")
    reproduction: float = entry(LEAST_0, "People whom one sick man infects.")
    deadliness: float = entry(SHARE, "Share of the untreated who die.")
    infectivity: float = entry(LEAST_0, "For tuning the losses (DIS-03).")
    power: float = entry(LEAST_0, "How much it hinders an occupier (OCC-01).")


@table("disease", "Diseases")
class Diseases:
    """The records of the endemic diseases (NAT-18)."""

    diseases: Mapping[str, Disease] = entry(MapOf(Disease, 1), "Each disease by name, in the sheet's order.")


ONE_LINE = "One line for the moderator."


@table("values", "Lists of values")
class ValueWords:
    """Allowed values and their meanings."""

    unordered: Mapping[str, Mapping[str, str]] = entry(
        MapOf(MapOf(Text(), 1, about=ONE_LINE), about="Values in the sheet's order."), "Lists without rank."
    )
    meanings: Mapping[str, Mapping[str, str]] = entry(
        MapOf(MapOf(Text(), about=ONE_LINE)), "Meanings for the lists of other files."
    )


@record
class ListAliases:
    """Alternative words for the values of a list."""

    source: str = entry(Text(), "What sorts the words.")
    words: Mapping[str, tuple[str, ...]] = entry(MapOf(ListOf(Text())), "Each value with its other words.")

    def __post_init__(self) -> None:
        """Refuse an alias of two values."""
        claimed: dict[str, str] = {}
        for value, words in self.words.items():
            for word in words:
                if (other := claimed.setdefault(loosely(word), value)) != value:
                    with at("words", value):
                        raise table_error(f"{quote(word)} is also a word for {other}.")


@table("aliases", "Other words")
class Aliases:
    """Other words for the values of the lists (DB-07)."""

    lists: Mapping[str, ListAliases] = entry(MapOf(ListAliases), "Each list by its name.")


@record
class Feed:
    """The numbers of a list in one variable."""

    direction: str = entry(Choice(("rises", "falls", "never falls")), "How the numbers go from worst to best.")
    values: Mapping[str, float] = entry(MapOf(LEAST_0, about="The number."), "Each value with its number.")

    def check(self, name: str, worst_to_best: tuple[str, ...]) -> None:
        """Refuse numbers that do not match the values one by one, or violate the rank (VAR-02)."""
        exactly(self.values, worst_to_best, f"a value of {name}")
        sign = -1 if self.direction == "falls" else 1
        for worse, better in pairwise(self.values[word] for word in worst_to_best):
            if sign * better < sign * worse or (self.direction != "never falls" and better == worse):
                says = f"{better:g} comes after {worse:g} from worst to best; it {self.direction} with rank."
                raise table_error(says)


@record
class OrderedList:
    """A list with a best and a worst value."""

    worst_to_best: tuple[str, ...] = entry(ListOf(Text(), 1), "Its values by rank, as people type them.")
    best_stands: str = entry(Choice(("first", "last")), "Which end the sheet's drop-down shows first.")
    feeds: Mapping[str, Feed] = entry(MapOf(Feed), "Variables with the number of each value.")


@table("ordered", "Ordered lists")
class OrderedLists:
    """Ranks and numbers of the lists with a best and a worst value (VAR-02)."""

    lists: Mapping[str, OrderedList] = entry(MapOf(OrderedList), "Each list by its column's name.")

    def __post_init__(self) -> None:
        for name, words in self.lists.items():
            for variable, feed in words.feeds.items():
                with at("lists", name, "feeds", variable, "values"):
                    feed.check(name, words.worst_to_best)


@record
class PairTable:
    """Numbers for two values together (VAR-03)."""

    default: float = entry(NUMBER, "For every pair not named.")
    exceptions: Mapping[str, Mapping[str, float]] = entry(
        MapOf(MapOf(NUMBER)), "First value, or * for any, to second value, or * for any, to number."
    )

    def number(self, first: str, second: str) -> float:
        """Return the number of both values, the first and any second, of any first and the second, or the default."""
        row = self.exceptions.get(first, {})
        for number in (row.get(second), row.get(ANY), self.exceptions.get(ANY, {}).get(second)):
            if number is not None:
                return number
        return self.default


@table("pairs", "Pair tables")
class PairTables:
    """Numbers for two values together (VAR-03)."""

    pairs: Mapping[str, Mapping[str, PairTable]] = entry(
        MapOf(MapOf(PairTable)), "Two lists with a dash between them, to variables that use them."
    )


@dataclass(frozen=True, slots=True)
class Scores:
    """The numbers of words, per variable."""

    ranks: Mapping[str, Mapping[str, int]]  # Header to value to rank, 0 is worst; ordered lists only
    singles: Mapping[tuple[str, str], Mapping[str, float]]  # (Header, variable) to value to number
    pairs: Mapping[tuple[str, str, str], PairTable]  # (First header, second header, variable) to its table

    def single(self, variable: str, header: str, value: str) -> float:
        """Return the number of a value in a variable (VAR-02): `single("Economy", "Trade", "Minor")`."""
        return self.singles[header, variable][value]

    def pair(self, variable: str, headers: tuple[str, str], values: tuple[str, str]) -> float:
        """Return the number of two values together (VAR-03)."""
        return self.pairs[*headers, variable].number(*values)

    def best(self, header: str, values: Iterable[str]) -> str:
        """Return the value with the highest rank; Traditional among the Soldier Types (QN-07)."""
        return max(values, key=self.ranks[header].__getitem__)

    def worst(self, header: str) -> str:
        """Return the lowest value of an ordered list: `none`, where there is one."""
        return min(self.ranks[header], key=self.ranks[header].__getitem__)


def exactly(names: Mapping[str, object], words: Iterable[str], what: str) -> None:
    """Refuse a set of names with a missing or unknown one."""
    words = tuple(words)
    _are_values(names, words, what)
    for word in words:
        if word not in names:
            raise table_error(f"{quote(word)} is missing.")


def _are_values(names: Iterable[str], words: Sequence[str], what: str) -> None:
    for name in names:
        with at(name):
            is_one(name, words, what)


def lists_of(
    values: ValueWords,
    aliases: Mapping[str, ListAliases],
    ordered: Mapping[str, OrderedList],
    others: Mapping[str, Iterable[str]],
) -> dict[str, ValueList]:
    """Return every list of allowed values in the sheet's order, with meanings and aliases.

    Args:
        values: Of `values.json`.
        aliases: Of `aliases.json`.
        ordered: Of `ordered.json`.
        others: Lists with a file of their own, in their order.

    Raises:
        TableError: A meaning or an alias belongs to no value.
    """
    allowed = {name: tuple(words) for name, words in {**values.unordered, **others}.items()}
    for name, ordered_list in ordered.items():
        allowed[name] = (
            ordered_list.worst_to_best if ordered_list.best_stands == "last" else ordered_list.worst_to_best[::-1]
        )
    for name, words in values.meanings.items():
        with at("meanings", name):
            is_one(name, allowed, "a list")
            _are_values(words, allowed[name], "a value of the list")
    with at("lists", file="aliases.json"):
        for name, listed in aliases.items():
            with at(name):
                is_one(name, allowed, "a list")
                with at("words"):
                    _are_values(listed.words, allowed[name], f"a value of {name}")
    meanings = {**values.unordered, **values.meanings}
    others_words = {
        name: {word: value for value, words in listed.words.items() for word in words}
        for name, listed in aliases.items()
    }
    return {
        name: ValueList(name, words, meanings.get(name, {}), others_words.get(name, {}))
        for name, words in allowed.items()
    }


def scores_of(
    ordered: Mapping[str, OrderedList], pairs: Mapping[str, Mapping[str, PairTable]], lists: Mapping[str, ValueList]
) -> Scores:
    """Return the ranks and numbers of `ordered.json` and `pairs.json`.

    Raises:
        TableError: A pair table names a list or value that does not exist.
    """
    tables: dict[tuple[str, str, str], PairTable] = {}
    for headers, by_variable in pairs.items():
        first, _, second = headers.partition("–")
        with at("pairs", headers):
            is_one(first, lists, "a list")
            is_one(second, lists, "a list")
            for variable, pair_table in by_variable.items():
                tables[first, second, variable] = pair_table
                for word, row in pair_table.exceptions.items():
                    with at(variable, "exceptions", word):
                        is_one(word, (*lists[first].values, ANY), f"a value of {first}")
                        for other in row:
                            with at(other):
                                is_one(other, (*lists[second].values, ANY), f"a value of {second}")
    ranks = {
        name: {word: rank for rank, word in enumerate(ordered_list.worst_to_best)}
        for name, ordered_list in ordered.items()
    }
    singles = {
        (name, variable): feed.values
        for name, single_list in ordered.items()
        for variable, feed in single_list.feeds.items()
    }
    return Scores(ranks, singles, tables)
