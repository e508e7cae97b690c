"""The workbook as records: rows read on demand, references followed, every problem collected with its cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from engine.fields import Field, Kind, ValueList, columns, loosely, tab_of
from engine.words import Words
from sheets_algo.problems import Problem, quoted, rows_named
from sheets_algo.tables import Row, Table
from sheets_algo.values import Trouble, is_blank, read_value, wanted
from sheets_algo.workbook.base import Plain, Snapshot, Value, tab_key

Record = TypeVar("Record")
RULE_AGAIN = "Rule again"
"""The Action of a row that is meant although it looks like one that was ruled (REQ-08)."""

RowCheck = Callable[[Row, Any], Iterable[Problem]]
"""What must hold within one row beyond its single cells: `proportions_fit(row, military)`."""


@dataclass(frozen=True, slots=True)
class Read(Generic[Record]):
    """One row, read.

    Args:
        row: Where it came from.
        record: The record, or None if a cell of it is wrong.
        values: Attribute to value of every cell that could be read.
        problems: What is wrong, in column order; warnings too.
    """

    row: Row
    record: Record | None
    values: Mapping[str, Any]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a ruleset's tables say about cells.

    Args:
        lists: Value lists by name.
        builtin: Tab name to records that exist without a row (the starter units); a row of the same name wins.
        spellings: Tab name to other names of a row: the one alias of a unit.
        checks: Record class to its row checks.
    """

    lists: Mapping[str, ValueList]
    builtin: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    spellings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    checks: Mapping[type, Sequence[RowCheck]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Let every ruleset's requests be ruled again where the program asks for it: no table of rules says so."""
        actions = self.lists.get("Action")
        if actions and RULE_AGAIN not in actions.values:
            meanings = {**actions.meanings, RULE_AGAIN: "Rule it although it looks like a request that was ruled."}
            more = replace(actions, values=(*actions.values, RULE_AGAIN), meanings=meanings)
            object.__setattr__(self, "lists", {**self.lists, "Action": more})

    def __or__(self, other: Vocabulary) -> Vocabulary:
        """Both, for forms that share tabs; of what both say, the other's counts."""
        return Vocabulary(
            {**self.lists, **other.lists},
            {**self.builtin, **other.builtin},
            {**self.spellings, **other.spellings},
            {**self.checks, **other.checks},
        )


class Book:
    """The tabs of one ruleset in one snapshot.

    Args:
        snapshot: As read.
        records: The record classes whose tabs may be asked for.
        vocabulary: The ruleset's own.
    """

    def __init__(self, snapshot: Snapshot, records: Iterable[type], vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._tables = {record: Table(record, snapshot.sheet(tab_of(record).name)) for record in records}
        self._by_tab = {tab_key(tab_of(record).name): table for record, table in self._tables.items()}
        self._read: dict[tuple[type, int], Read[Any]] = {}
        self._troubled: set[tuple[type, int]] = set()
        self._names: dict[type, Words] = {}
        self._typed: dict[type, frozenset[str]] = {}
        self._builtin: dict[type, dict[str, str]] = {}
        self._meanings: dict[tuple[type, str, str], Any] = {}

    def table(self, record: type[Any]) -> Table:
        """The table of a record class."""
        return self._tables[record]

    def read(self, row: Row, record: type[Record]) -> Read[Record]:
        """A row as a record, read once."""
        key = (record, row.number)
        if key not in self._read:
            self._read[key] = self._freshly_read(row, record)
            if self._read[key].problems:
                self._troubled.add(key)
        return self._read[key]

    @property
    def rows_read(self) -> tuple[tuple[type, Row], ...]:
        """Record class and row of everything read so far."""
        return tuple((record, it.row) for (record, _), it in self._read.items())

    def find(self, record: type[Any], name: str) -> Sequence[Row]:
        """The rows of that name; a builtin has none."""
        table = self._tables[record]
        return table.by_name.get(table.compared(self._spelled(table, name)), ())

    def builtin(self, record: type[Record], name: str) -> Record | None:
        """The record of that name that exists without a row."""
        table = self._tables[record]
        found: Record | None = self.vocabulary.builtin.get(tab_of(record).name, {}).get(self._spelled(table, name))
        return found

    def names(self, record: type[Any]) -> Words:
        """Every name a reference to a tab may use."""
        if record not in self._names:
            builtin = self.vocabulary.builtin.get(tab_of(record).name, ())
            self._names[record] = Words((*builtin, *self._tables[record].names))
        return self._names[record]

    def write(self, row: Row, attribute: str, value: Plain) -> None:
        """Let later rulings of the same pass see a changed cell."""
        row.table.write(row.number, attribute, value)
        self._read.pop((row.table.record, row.number), None)

    def add(self, record: type[Any], values: Mapping[str, Plain]) -> Row:
        """Let later rulings of the same pass see a new row, attribute to value."""
        row = self._tables[record].grow(values)
        self._names.pop(record, None)
        for key in self._troubled:  # perhaps it was this row that they missed
            self._read.pop(key, None)
        self._troubled.clear()
        return row

    def problems_of(self, record: type) -> Iterator[Problem]:
        """Everything wrong in one tab: headers, cells, row checks, references, names that stand twice."""
        table = self._tables[record]
        problems = dict.fromkeys(table.header_problems)
        for row in table:
            problems |= dict.fromkeys(self.read(row, record).problems)
        yield from problems

    def _freshly_read(self, row: Row, record: type[Record]) -> Read[Record]:
        problems = list(row.table.header_problems)
        values: dict[str, Any] = {}
        for attribute, column, value in row.values():
            if is_blank(value):
                if column.required:
                    says = "required, but empty"
                    problems.append(
                        row.problem(attribute, column.id, says, allowed=wanted(column, self.vocabulary.lists))
                    )
                continue
            try:
                values[attribute] = self._meaning(record, attribute, column, value)
            except Trouble as trouble:
                # What the program wrote is never held against a person.
                if not column.place.is_programs:
                    problems.append(row.trouble(attribute, column, trouble))
        problems += self._shared_name(row)
        it = None if any(problem.is_error for problem in problems) else record(**values)
        if it is not None:
            problems += (found for check in self.vocabulary.checks.get(record, ()) for found in check(row, it))
        return Read(row, None if any(problem.is_error for problem in problems) else it, values, tuple(problems))

    def _meaning(self, record: type, attribute: str, column: Field, value: Value) -> Any:
        """What a cell means, its names followed; the few values of a list are read once for all rows."""
        if column.kind is not Kind.CHOICE or not isinstance(value, str):
            found = read_value(column, value, self.vocabulary.lists)
            return self._followed(column, found) if column.kind in (Kind.REFERENCE, Kind.REFERENCES) else found
        key = (record, attribute, value)
        if key not in self._meanings:
            self._meanings[key] = read_value(column, value, self.vocabulary.lists)
        return self._meanings[key]

    def _followed(self, column: Field, found: str | tuple[str, ...]) -> str | tuple[str, ...]:
        """The names as their own rows spell them (DB-06)."""
        if isinstance(found, tuple):
            return tuple(self._named(column, name) for name in found)
        return self._named(column, found)

    def _named(self, column: Field, name: str) -> str:
        if (column.zero_means_none and name == "0") or loosely(name) in column.also:
            return loosely(name)
        table = self._by_tab[tab_key(column.to)]
        tab = tab_of(table.record)
        if table.sheet is None and not tab.optional:
            says = f"{tab.one} not found: {quoted(name)}, for the tab {tab.name} is missing"
            raise Trouble(says, "Run init to add it")
        spelled = self._spelled(table, name)
        rows = table.by_name.get(table.compared(spelled))
        if rows:
            return rows[0].name
        if spelled in self.vocabulary.builtin.get(tab.name, {}):
            return spelled
        if self._is_begun(table, spelled):
            raise Trouble(f"the row of {tab.one} {quoted(name)} is still empty", f"Fill it in on the tab {tab.name}")
        known = self.names(table.record)
        near = known.nearest(name)
        hint = "" if near else wanted(column, self.vocabulary.lists) if known else f"Add it to the tab {tab.name}"
        capitals = "Names match capitals" if tab.exact else ""
        raise Trouble(f"{tab.one} not found: {quoted(name)}", ". ".join(filter(None, (hint, capitals))), near)

    def _is_begun(self, table: Table, name: str) -> bool:
        """Whether a row has that name and nothing else, as those whose ids a new workbook fills in."""
        if table.record not in self._typed:
            self._typed[table.record] = frozenset(map(table.compared, table.typed(tab_of(table.record).key)))
        return table.compared(name) in self._typed[table.record]

    def _spelled(self, table: Table, name: str) -> str:
        """A name as the rows that exist without a row of the tab spell it."""
        tab = tab_of(table.record)
        spelled = self.vocabulary.spellings.get(tab.name, {}).get(name, name)
        builtin = self.vocabulary.builtin.get(tab.name)
        if builtin is None or spelled in builtin:
            return spelled
        if table.record not in self._builtin:
            self._builtin[table.record] = {table.compared(it): it for it in builtin}
        return self._builtin[table.record].get(table.compared(spelled), spelled)

    def _shared_name(self, row: Row) -> Iterator[Problem]:
        table = row.table
        tab = tab_of(table.record)
        rows = table.by_name.get(table.compared(row.name), [row]) if tab.key and tab.unique else [row]
        if len(rows) > 1:
            others = rows_named((other.number for other in rows if other.number != row.number), len(rows) - 1)
            says = f"{quoted(row.name)} stands in {others} too"
            allowed = f"Give every {tab.one} a name of its own"
            yield row.problem(tab.key, dict(columns(table.record))[tab.key].id, says, allowed=allowed)
