"""What the words in the sheet stand for: lists of allowed values, their ranks, their numbers per variable (VAR-02)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from engine.entry import Entry
from engine.fields import ValueList

ANY = "*"
"""In a pair table: every value that is not named."""


@dataclass(frozen=True, slots=True)
class Hazard:
    """What a location's Attrition does beside its terms in the variables.

    Args:
        constant: Share of the men who die each hour while there are too many (ATT-05).
        siege: Its part in the Siege Rate (VAR-SIEGE).
    """

    constant: float
    siege: float

    @classmethod
    def read(cls, it: Entry) -> Hazard:
        """From an entry of `attrition.json`."""
        return cls(it["constant"].number(), it["siege"].number())


@dataclass(frozen=True, slots=True, kw_only=True)
class Crop:
    """A staple crop (NAT-14).

    Args:
        protein: Kilocalories a cup.
        crop_yield: People whom an acre feeds.
        domestication: Against wheat, which has 1.
        diversity: Species of the genus.
        worth: Value beyond food.
    """

    protein: float
    crop_yield: float
    domestication: float
    diversity: float
    worth: float

    @classmethod
    def read(cls, it: Entry) -> Crop:
        """From an entry of `diet.json`."""
        return cls(
            protein=it["protein"].number(),
            crop_yield=it["yield"].number(),
            domestication=it["domestication"].number(),
            diversity=it["diversity"].number(),
            worth=it["worth"].number(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Disease:
    """An endemic disease (NAT-18); all zero for `none`.

    Args:
        outbreak: Relative chance to break out (DIS-02).
        reproduction: People one sick man infects.
        deadliness: Share of the untreated sick who die.
        infectivity: Tuning constant of DIS-03.
        power: How it wears down an occupier (OCC-01).
    """

    outbreak: float
    reproduction: float
    deadliness: float
    infectivity: float
    power: float

    @classmethod
    def read(cls, it: Entry) -> Disease:
        """From an entry of `disease.json`."""
        return cls(
            outbreak=it["outbreak"].number(),
            reproduction=it["reproduction"].number(),
            deadliness=it["deadliness"].number(),
            infectivity=it["infectivity"].number(),
            power=it["power"].number(),
        )


@dataclass(frozen=True, slots=True)
class PairTable:
    """Numbers for two values together (VAR-03)."""

    default: float
    exceptions: Mapping[str, Mapping[str, float]]

    def number(self, first: str, second: str) -> float:
        """The exception for both, for the first with any second, for any first with the second, or the default."""
        row = self.exceptions.get(first, {})
        for number in (row.get(second), row.get(ANY), self.exceptions.get(ANY, {}).get(second)):
            if number is not None:
                return number
        return self.default


@dataclass(frozen=True, slots=True)
class Scores:
    """The numbers that words stand for, per variable.

    Args:
        ranks: Header to value to rank, 0 is worst; ordered lists only.
        singles: (Header, variable) to value to number.
        pairs: (First header, second header, variable) to its table.
    """

    ranks: Mapping[str, Mapping[str, int]]
    singles: Mapping[tuple[str, str], Mapping[str, float]]
    pairs: Mapping[tuple[str, str, str], PairTable]

    def single(self, variable: str, header: str, value: str) -> float:
        """VAR-02: the number of one value in one variable: `single("Economy", "Trade", "Minor")`."""
        return self.singles[header, variable][value]

    def pair(self, variable: str, headers: tuple[str, str], values: tuple[str, str]) -> float:
        """VAR-03: the number of two values together."""
        return self.pairs[*headers, variable].number(*values)

    def best(self, header: str, values: Iterable[str]) -> str:
        """The value with the highest rank; Traditional among the Soldier Types (QN-07)."""
        return max(values, key=self.ranks[header].__getitem__)

    def worst(self, header: str) -> str:
        """The lowest value of an ordered list: `none`, where there is one."""
        return min(self.ranks[header], key=self.ranks[header].__getitem__)


def read_lists(values: Entry, ordered: Entry, others: Mapping[str, Iterable[str]]) -> dict[str, ValueList]:
    """Every list of allowed values, in the sheet's order, with meanings and other spellings (inputs 1.6, 2).

    Args:
        values: `values.json`.
        ordered: `ordered.json`.
        others: Lists that have a file of their own, in their order.

    Raises:
        Slip: A meaning or another spelling belongs to no value.
    """
    allowed = {name: tuple(it.value) for name, it in values["unordered"].items()}
    allowed |= {name: tuple(words) for name, words in others.items()}
    for name, it in ordered["lists"].items():
        words = tuple(word.text() for word in it["worst_to_best"].each())
        allowed[name] = words if it["best_stands"].one_of(("first", "last"), "a place") == "last" else words[::-1]
    meanings = {name: it for part in ("unordered", "meanings") for name, it in values[part].items()}
    aliases = dict(values["aliases"].items())
    for name, it in (*meanings.items(), *aliases.items()):
        it.known(name, allowed, "a list")
    return {
        name: ValueList(
            name,
            words,
            {word: it.text() for word, it in _named(meanings.get(name), words)},
            {other: it.one_of(words, f"a value of {name}") for other, it in _items(aliases.get(name))},
        )
        for name, words in allowed.items()
    }


def read_scores(ordered: Entry, pairs: Entry, lists: Mapping[str, ValueList]) -> Scores:
    """Ranks and numbers of `ordered.json` and `pairs.json`.

    Raises:
        Slip: A value is not in its list or has no number, or numbers do not keep to the rank (VAR-02).
    """
    ranks: dict[str, Mapping[str, int]] = {}
    singles: dict[tuple[str, str], Mapping[str, float]] = {}
    for name, it in ordered["lists"].items():
        words = [word.text() for word in it["worst_to_best"].each()]
        ranks[name] = {word: rank for rank, word in enumerate(words)}
        for variable, feed in it["feeds"].items():
            singles[name, variable] = read_numbers(feed["values"], words, name)
            _keeps_to_rank(feed, [singles[name, variable][word] for word in words])
    tables: dict[tuple[str, str, str], PairTable] = {}
    for headers, by_variable in pairs["pairs"].items():
        first, _, second = headers.partition("–")
        by_variable.known(first, lists, "a list")
        by_variable.known(second, lists, "a list")
        for variable, it in by_variable.items():
            tables[first, second, variable] = _pair_table(it, lists[first], lists[second])
    return Scores(ranks, singles, tables)


def read_numbers(entry: Entry, words: Iterable[str], name: str) -> dict[str, float]:
    """A number for every value of a list, no more and no less."""
    words = tuple(words)
    for word, it in entry.items():
        it.known(word, words, f"a value of {name}")
    return {word: entry[word].number() for word in words}


def _keeps_to_rank(feed: Entry, numbers: list[float]) -> None:
    direction = feed["direction"].one_of(("rises", "falls", "never falls"), "a direction")
    sign = -1 if direction == "falls" else 1
    for worse, better in pairwise(numbers):
        if sign * better < sign * worse or (direction != "never falls" and better == worse):
            raise feed["values"].slip(f"{better:g} comes after {worse:g} from worst to best; it {direction} with rank.")


def _pair_table(entry: Entry, first: ValueList, second: ValueList) -> PairTable:
    exceptions = {}
    for word, row in entry["exceptions"].items():
        row.known(word, (*first.values, ANY), f"a value of {first.name}")
        for other, it in row.items():
            it.known(other, (*second.values, ANY), f"a value of {second.name}")
        exceptions[word] = {other: it.number() for other, it in row.items()}
    return PairTable(entry["default"].number(), exceptions)


def _items(entry: Entry | None) -> Iterable[tuple[str, Entry]]:
    return () if entry is None else entry.items()


def _named(entry: Entry | None, words: tuple[str, ...]) -> Iterable[tuple[str, Entry]]:
    for word, it in _items(entry):
        it.known(word, words, "a value of the list")
        yield word, it
