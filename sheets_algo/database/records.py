"""Workbook rows as records, read on demand with references resolved and problems collected by cell."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from engine.columns import ColumnPlace, Field, Kind, ValueList, columns, loosely, tab_of
from engine.suggest import WordList, nearest
from sheets_algo.database.cell_text import ReadError, as_text, is_blank, trimmed
from sheets_algo.database.cells import allowed_values, date_instead_of_name, read_value
from sheets_algo.database.members import SEPARATORS, UnclearMembers, members
from sheets_algo.database.problems import CellRef, Problem, one_of, quoted, rows_named
from sheets_algo.database.tables import Row, Table
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.values import BlankFormula, Plain, Value

Record = TypeVar("Record")
RULE = "Rule"
"""Action of a row to be ruled, and of one whose Action is blank."""
RULE_AGAIN = "Rule again"
"""Action of a row to be ruled whatever was ruled before; one whose id has a ruling gets the next id (REQ-22)."""
PREVIEW = "Preview"
"""Action that draws a row's board before its ruling (REQ-15), for tabs that list it."""
END_ANYWAY = "End anyway"
"""Action of a row that ends its turn even if orders of the turn still have errors (REQ-18)."""

_MEANINGS = {RULE: "Rule it once and for all.", "Forecast": "Only say what may come; nothing is ruled."}
ACTIONS = ValueList("Action", tuple(_MEANINGS), _MEANINGS)
"""The actions of a ruleset whose tables list none."""
_OF_TURNS = {**_MEANINGS, END_ANYWAY: "In a row that ends a turn: end it without the orders that are to be mended."}
TURN_ACTIONS = ValueList("Action", tuple(_OF_TURNS), _OF_TURNS)
"""The actions of a game with turns."""

RowCheck = Callable[[Row, Any], Iterable[Problem]]
"""Function that yields the problems of a row and its record beyond those of single cells."""
Preset = Callable[["Database", Mapping[str, Any]], Mapping[str, Any]]
"""Function from the values of a row's cells to those of its blank cells, by attribute."""


@dataclass(frozen=True, slots=True)
class ReadRow(Generic[Record]):
    """Result of reading one row."""

    row: Row  # The row that was read
    record: Record | None  # The record, or None if the row has an error
    values: Mapping[str, Any]  # The values of all readable cells by attribute
    problems: tuple[Problem, ...]  # The errors and warnings, in column order
    filled: Mapping[str, Any] = field(default_factory=dict)  # The values of blank cells that a preset fills


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Value lists, built-in records and row checks of a ruleset."""

    lists: Mapping[str, ValueList] = field(default_factory=dict)  # The value lists by name
    # The records that exist without a row (the starter units) by tab name and name; a row of the same name takes
    # precedence.
    builtin: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    spellings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # Row names by tab name and folded alias
    checks: Mapping[type, Sequence[RowCheck]] = field(default_factory=dict)  # The row checks by record class
    presets: Mapping[type, Preset] = field(default_factory=dict)  # The functions that fill blank cells, by record class
    # The first and last year of built-in records by tab name and name; drop-downs begin with those of the last request.
    periods: Mapping[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Add the actions that the rulesets' tables do not contain: all if they list none, else `RULE_AGAIN`."""
        actions = self.lists.get(ACTIONS.name, ACTIONS)
        if RULE_AGAIN not in actions.values:
            meanings = {
                **actions.meanings,
                RULE_AGAIN: "Rule it whatever was ruled before; a row with a ruling gets a new id.",
            }
            extended = replace(actions, values=(*actions.values, RULE_AGAIN), meanings=meanings)
            object.__setattr__(self, "lists", {**self.lists, ACTIONS.name: extended})

    def __or__(self, other: Vocabulary) -> Vocabulary:
        """Return the union of both, for forms that share tabs; the entries of `other` take precedence."""
        return Vocabulary(
            {**self.lists, **other.lists},
            {**self.builtin, **other.builtin},
            {**self.spellings, **other.spellings},
            {**self.checks, **other.checks},
            {**self.presets, **other.presets},
            {**self.periods, **other.periods},
        )


def _holds_names(record: type, attribute: str, column: Field) -> bool:
    """Return True for the names of rows and the references to them; request ids and labels may be numbers."""
    is_name = attribute == tab_of(record).key and column.place is ColumnPlace.PERSON
    return is_name or column.kind in (Kind.REFERENCE, Kind.REFERENCES)


def _is_wrong(column: Field, content: Any) -> bool:
    """Return True if a cell's content is a problem; an unreadable cell that the program wrote is not."""
    if not isinstance(content, ReadError) or isinstance(content, MissingTab):
        return isinstance(content, MissingTab)
    return column.required if content is _BLANK else not column.place.is_programs


class MissingTab(ReadError):
    """A reference to a tab that the workbook lacks."""

    def __init__(self, table: Table) -> None:
        super().__init__(f"the tab {table.title} is missing", "")
        self.table = table


MEMBERS = "Put + between the names of a side"
_BLANK = ReadError("required, but empty")
"""The content of a blank cell."""
_MOST_CONTENTS = 20_000
_ROWS_AT_ONCE = 5_000


class _Contents(dict[Any, Any]):
    """Values of one column by cell: equal cells are read once.

    A text is its own key; any other value has one with its type, since 1, 1.0 and TRUE are equal to Python.
    """

    def __init__(self, read: Callable[[Value], Any]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, key: Any) -> Any:
        if len(self) >= _MOST_CONTENTS:
            self.clear()
        content = self[key] = self._read(key if isinstance(key, str) else key[1])
        return content


class Database:
    """The tabs of one ruleset in one snapshot.

    Args:
        ruled: The ids and titles of requests that were ruled, as they are compared; these need no row to be named.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        records: Iterable[type],
        vocabulary: Vocabulary,
        ruled: Collection[str] = (),
    ) -> None:
        self.vocabulary = vocabulary
        self._ruled = ruled
        self._by_tab: dict[TabKey, Table] = {}
        self._tables = {record: Table.of(snapshot, record, others=self._by_tab) for record in records}
        self._by_tab |= {table.key: table for table in self._tables.values()}
        self._read_rows: dict[tuple[type, int], ReadRow[Any]] = {}
        self._rows_with_problems: set[tuple[type, int]] = set()
        self._names: dict[type, WordList] = {}
        self._typed_names: dict[type, frozenset[str]] = {}
        self._builtin: dict[type, dict[str, str]] = {}
        self._contents: dict[type, Mapping[str, _Contents]] = {}

    def knows(self, record: type[Any]) -> bool:
        """Return True if the tab of a record class belongs to the ruleset, whether or not the workbook has it."""
        return record in self._tables

    def table(self, record: type[Any]) -> Table:
        """Return the table of a record class."""
        return self._tables[record]

    def read(self, row: Row, record: type[Record]) -> ReadRow[Record]:
        """Read a row as a record; the result is cached."""
        key = (record, row.number)
        if key not in self._read_rows:
            self._read_rows[key] = self._read_row(row, record)
            if self._read_rows[key].problems:
                self._rows_with_problems.add(key)
        return self._read_rows[key]

    def content(self, record: type, attribute: str, value: Value) -> Any:
        """Return the content of a column's cell, with references resolved, or the error if it cannot be read."""
        return self._contents_of(record)[attribute][value if type(value) is str else (type(value), value)]

    @property
    def rows_read(self) -> tuple[tuple[type, Row], ...]:
        """Return the record class and the row of everything read so far."""
        return tuple((record, read_row.row) for (record, _), read_row in self._read_rows.items())

    def find(self, record: type[Any], name: str) -> Sequence[Row]:
        """Return the rows with a name; a built-in record has none."""
        table = self._tables[record]
        return table.by_name.get(loosely(self._spelling(table, name)), ())

    def labelled(self, record: type[Any], label: str) -> Sequence[Row]:
        """Return the rows with a label, which is the name in tabs in which no rows share one."""
        if not tab_of(record).within:
            return self.find(record, label)
        table = self._tables[record]
        return table.by_label.get(loosely(label), ())

    def builtin(self, record: type[Record], name: str) -> Record | None:
        """Return the built-in record with a name, or None."""
        table = self._tables[record]
        named: Record | None = self.vocabulary.builtin.get(tab_of(record).name, {}).get(self._spelling(table, name))
        return named

    def names(self, record: type[Any]) -> WordList:
        """Return every name that a reference to a tab may use."""
        if record not in self._names:
            builtin = self.vocabulary.builtin.get(tab_of(record).name, ())
            self._names[record] = WordList((*builtin, *self._tables[record].names))
        return self._names[record]

    def write(self, row: Row, attribute: str, value: Plain) -> None:
        """Set a cell in memory, so that later rulings of the same pass read the new value."""
        row.table.write(row.number, attribute, value)
        self._read_rows.pop((row.table.record, row.number), None)
        if attribute == tab_of(row.table.record).key:
            self._contents.clear()  # other cells may refer to this row

    def add(self, record: type[Any], values: Mapping[str, Plain], number: int | None = None) -> Row:
        """Add a row in memory, so that later rulings of the same pass find it.

        Args:
            number: The number of the row; None for the first one that is blank.
        """
        row = self._tables[record].add_row(values, number)
        self._names.pop(record, None)
        for key in self._rows_with_problems:  # other cells may have referred to this row
            self._read_rows.pop(key, None)
        self._rows_with_problems.clear()
        self._contents.clear()
        return row

    def drop(self, row: Row) -> None:
        """Remove the row that was added last."""
        row.table.drop_row(row)
        self._read_rows.pop((row.table.record, row.number), None)

    def problems_of(self, record: type) -> Iterator[Problem]:
        """Yield the problems of one tab: headers, cells, row checks, references, duplicate names."""
        table = self._tables[record]
        yield from (*table.header_problems, *table.further_header_problems)
        for row in self._rows_to_read(table):
            yield from self.read(row, record).problems

    def _rows_to_read(self, table: Table) -> Iterator[Row]:
        """Yield the rows of a tab that may have problems: those with a wrong cell, unless rows are checked as such.

        Checking whole columns is much faster than reading each row as a record. Some thousand rows are checked at a
        time, since the caller stops once it has enough problems.
        """
        if table.overlay or table.has_namesakes or self.vocabulary.checks.get(table.record):
            yield from table.rows
            return
        for first in range(0, len(table.rows), _ROWS_AT_ONCE):
            yield from self._rows_with_wrong_cells(table, table.rows[first : first + _ROWS_AT_ONCE])

    def _rows_with_wrong_cells(self, table: Table, some: Sequence[Row]) -> Iterator[Row]:
        """Yield the rows with a wrong cell."""
        contents = self._contents_of(table.record)
        rows = [table.cells(row.number) for row in some]
        indexes: set[int] = set()
        for attribute, column, place in table.placed:
            cells = [cells[place - 1] if place <= len(cells) else None for cells in rows]
            known = contents[attribute]
            for kind in set(map(type, cells)):  # 1, 1.0 and TRUE are equal to Python
                held = {cell for cell in cells if type(cell) is kind}
                wrong = {cell for cell in held if _is_wrong(column, known[cell if kind is str else (kind, cell)])}
                if kind is not str and _holds_names(table.record, attribute, column):
                    wrong.update(filter(date_instead_of_name, held))
                if wrong:
                    indexes.update(at for at, cell in enumerate(cells) if type(cell) is kind and cell in wrong)
        return (some[number] for number in sorted(indexes))

    def _read_row(self, row: Row, record: type[Record]) -> ReadRow[Record]:
        problems = list(row.table.header_problems)
        values: dict[str, Any] = {}
        contents = self._contents_of(record)
        for attribute, column, value in row.values():
            if value is None and not column.required:
                continue
            if attribute == "ready" and row.table.merged_downwards(attribute, row.number):
                continue  # one tick is not that of several rows (REQ-04)
            content = contents[attribute][value if type(value) is str else (type(value), value)]
            is_name = type(value) is not str and _holds_names(record, attribute, column)
            if is_name and (says := date_instead_of_name(value)):
                allowed = "If a name was meant, format the cell as text and type it again"
                problems.append(row.warning(attribute, column.id, says, allowed=allowed))
            if not isinstance(content, ReadError):
                values[attribute] = content
            elif isinstance(content, MissingTab):  # one error, however many cells refer to the tab
                problems += content.table.header_problems
            elif _is_wrong(column, content) and content is _BLANK:
                allowed = allowed_values(column, self.vocabulary.lists)
                problems.append(row.problem(attribute, column.id, content.says, allowed=allowed))
            elif _is_wrong(column, content):
                problems.append(row.read_problem(attribute, column, content))
        problems += self._duplicate_name_problems(row)
        preset = self.vocabulary.presets.get(record)
        filled = preset(self, values) if preset else {}
        built = None if any(problem.is_error for problem in problems) else record(**{**filled, **values})
        if built is not None:
            problems += (problem for check in self.vocabulary.checks.get(record, ()) for problem in check(row, built))
        is_wrong = any(problem.is_error for problem in problems)
        return ReadRow(row, None if is_wrong else built, values, tuple(problems), filled)

    def _contents_of(self, record: type) -> Mapping[str, _Contents]:
        """Return the contents of each column of a tab by attribute."""
        if record not in self._contents:
            self._contents[record] = {
                attribute: _Contents(functools.partial(self._content, self._tables[record], column))
                for attribute, column in columns(record)
            }
        return self._contents[record]

    def _content(self, table: Table, column: Field, value: Value) -> Any:
        """Return the content of a cell, with references resolved, or the error if it cannot be read."""
        if is_blank(value) and not (isinstance(value, BlankFormula) and column.decides is not False):
            return _BLANK
        try:
            content = read_value(column, value, self.vocabulary.lists, functools.partial(table.is_name, column))
            if column.several and isinstance(value, str):
                content = "\n".join(filter(None, map(trimmed, value.splitlines())))  # line breaks are between names
            return self._resolve(column, content) if column.kind in (Kind.REFERENCE, Kind.REFERENCES) else content
        except ReadError as error:
            return error.with_traceback(None)

    def _resolve(self, column: Field, names: str | tuple[str, ...]) -> str | tuple[str, ...]:
        """Return the names as spelled in the rows that they refer to (DB-06)."""
        if column.several and isinstance(names, str):
            return self._members(column, names)
        if isinstance(names, tuple):
            return tuple(self._resolve_name(column, name) for name in names)
        return self._resolve_name(column, names)

    def _members(self, column: Field, text: str) -> tuple[str, ...]:
        """Return the names of one side, the leader's first (WRS-02)."""
        table = self._by_tab[TabKey.named(column.to)]
        if table.sheet is None or loosely(text) in column.also:
            return (self._resolve_name(column, text),)
        if rows := table.by_name.get(loosely(text)):
            return (rows[0].name,)
        sizes = self.vocabulary.lists.get(column.words)
        if sizes and (text.startswith("~") or sizes.canonical(text)):
            return (text,)
        if not SEPARATORS.search(text) and "(" not in text:
            return (self._resolve_name(column, text),)
        try:
            return tuple(members(text, table.names, tab_of(table.record).one))
        except UnclearMembers as error:
            if not SEPARATORS.search(text):
                return (self._resolve_name(column, text),)
            raise ReadError(str(error), "" if error.nearest else MEMBERS, error.nearest) from error

    def _resolve_name(self, column: Field, name: str) -> str:
        if (column.zero_means_none and name == "0") or loosely(name) in column.also:
            return loosely(name)
        table = self._by_tab[TabKey.named(column.to)]
        tab = tab_of(table.record)
        if table.sheet is None and not tab.optional:
            raise MissingTab(table)
        spelled = self._spelling(table, name)
        rows = table.by_name.get(loosely(spelled))
        if rows:
            return rows[0].name
        titled = table.by_title.get(loosely(name), ())
        if len(titled) == 1:
            return titled[0].name or name
        if tab.title and loosely(name) in self._ruled:
            return name
        if titled:
            says = f"{len(titled)} rows of {table.title} have the {table.header(tab.title)} {quoted(name)}"
            raise ReadError(says, one_of([row.name or f"an id in row {row.number}" for row in titled]))
        if spelled in self.vocabulary.builtin.get(tab.name, {}):
            return spelled
        if self._is_numbered_only(table, spelled):
            raise ReadError(f"the row of {tab.one} {quoted(name)} is still empty", f"Fill it in on the tab {tab.name}")
        if request := self._request_of(tab.name, name):
            is_undone, cell = request
            says = f"{tab.one} not found: {quoted(name)}, whom {cell} asks for"
            if is_undone:
                ways = f'Choose its Action "{RULE_AGAIN}" to have the {tab.one} drawn anew'
                raise ReadError(f"{says}; the ruling of that request is undone", ways)
            raise ReadError(says, "Let that request be ruled first")
        known = self.names(table.record)
        if kind := self._kind_of(name):
            says = f"{tab.one} not found: {quoted(name)}, which is a {kind}"
            raise ReadError(says, allowed_values(column, self.vocabulary.lists))
        titles = [row.title for rows in table.by_title.values() for row in rows] if tab.title else []
        near = known.nearest(name) or (nearest(name, titles) if titles else "")
        hint = (
            "" if near else allowed_values(column, self.vocabulary.lists) if known else f"Add it to the tab {tab.name}"
        )
        limits = f"; {tab.limits}" if tab.limits and not near and any(map(str.isalpha, name)) else ""
        raise ReadError(f"{tab.one} not found: {quoted(name)}{limits}", hint, near)

    def _request_of(self, tab: str, name: str) -> tuple[bool, CellRef] | None:
        """Return True if the ruling is undone, and the cell, of a request that would add a row with a name.

        One that is not ruled yet comes first; None if there is no request.
        """
        made = (
            (row.value("status") == "Undone", row.cell(attribute))
            for table in self._tables.values()
            for attribute, column in table.columns
            if column.makes == tab
            for row in table
            if loosely(as_text(row.value(attribute))) == loosely(name)
        )
        return min(made, key=lambda request: request[0], default=None)

    def _kind_of(self, name: str) -> str:
        """Return the kind of thing that a name belongs to, such as `nation`; blank if no tab has it."""
        for table in self._by_tab.values():
            tab = tab_of(table.record)
            if tab.key == "name" and tab.one != "setting" and table.by_name.get(loosely(name)):
                return tab.one
        return ""

    def _is_numbered_only(self, table: Table, name: str) -> bool:
        """Return True if a row has only that name, like the numbered blank rows of a new workbook."""
        if table.record not in self._typed_names:
            self._typed_names[table.record] = frozenset(map(loosely, table.texts(tab_of(table.record).key)))
        return loosely(name) in self._typed_names[table.record]

    def _spelling(self, table: Table, name: str) -> str:
        """Return a name in the spelling of the built-in record that it means, otherwise unchanged."""
        tab = tab_of(table.record)
        aliases = {} if loosely(name) in table.by_name else self.vocabulary.spellings.get(tab.name, {})
        spelled = aliases.get(loosely(name), name)
        builtin = self.vocabulary.builtin.get(tab.name)
        if builtin is None or spelled in builtin:
            return spelled
        if table.record not in self._builtin:
            self._builtin[table.record] = {loosely(known): known for known in builtin}
        return self._builtin[table.record].get(loosely(spelled), spelled)

    def _duplicate_name_problems(self, row: Row) -> Iterator[Problem]:
        """Yield the problem of a name that several rows share, for each the same: at the second of them."""
        table = row.table
        if not table.has_namesakes:
            return
        tab = tab_of(table.record)
        rows = table.by_name.get(loosely(row.name), [row]) if tab.key and tab.unique else [row]
        if len(rows) > 1:
            first, second, *more = rows
            others = rows_named((other.number for other in (first, *more)), len(rows) - 1)
            says = f"{quoted(second.name)} is also in {others}"
            allowed = f"Give every {tab.one} its own name"
            yield second.problem(tab.key, dict(columns(table.record))[tab.key].id, says, allowed=allowed)
