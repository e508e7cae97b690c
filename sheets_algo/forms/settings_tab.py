"""Settings tabs, in which a workbook overrides values of the ruleset's tables."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from engine.columns import TabDeclaration, column, tab_of, text
from engine.config_value import TableError, TableErrors, at, table_error
from engine.dated import DATED, SEASON, DatedChange, dated_settings
from engine.declare import table_of
from engine.settings import ConfigPath, ConfigPaths, Raw, Setting, name_of, overridden, steps
from sheets_algo.database.cell_text import ReadError
from sheets_algo.database.problems import Problem, one_of
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Row
from sheets_algo.database.typed_numbers import number_of
from sheets_algo.forms.settable_tables import SettableTables, find_path


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRow:
    """Columns shared by all settings tabs."""

    name: str = text(
        "Setting",
        "SET-01",
        "Which number: file and names in the tables, joined by slashes. As much of its end as tells it apart will do.",
        required=True,
    )
    value: str = text(
        "Value",
        "SET-02",
        "What it is in this workbook; within the range that the table allows.",
        required=True,
        is_any_unit=True,
    )


def settings_tab(
    name: str, about: str = "numbers of the rules that this game has otherwise, by name"
) -> TabDeclaration:
    """Return the declaration of a settings tab."""
    # A setting has many spellings, so names need not be unique here: `SettingsTab` reports duplicates (SET-01).
    return TabDeclaration(name, key="name", one="setting", unique=False, about=f"Optional: {about}.", optional=True)


@dataclass(frozen=True, slots=True)
class SettingsResult:
    """Result of reading a settings tab."""

    settings: tuple[Setting, ...] = ()  # The effective settings of the rows without a problem, sorted by name
    problems: tuple[Problem, ...] = ()  # The problems of the tab
    # The names of all settings of its rows, including those that repeat the number of the tables; dated numbers of
    # these names do not count.
    named: frozenset[str] = frozenset()
    season: int = 1  # The number of the season, 1 without such a row (SET-07)


class SettingsTab:
    """Reader of one ruleset's settings tab.

    Args:
        raw: The tables whose values may be set.
        words: The allowed words by full name, for settings whose value is a word.
        build: The function that builds the ruleset's tables with settings and raises TableError if they are
            inconsistent.
        dated: The numbers that count from a date on (SET-07).
        dates: The unit of dates in the ruleset's requests: `year`, `turn` or blank.
        unlisted: The table files whose names are left out of the drop-down list, in which Google allows 500; they may
            be typed.
        differing: The values in which the moderator's tables differ from the release; each request names them (SET-06).

    Raises:
        TableError: A dated number is not one of the tables, is not allowed or does not fit; its file is `dated`.
    """

    def __init__(
        self,
        record: type[SettingRow],
        raw: Raw,
        words: Mapping[str, tuple[str, ...]],
        declared: Iterable[type],
        build: Callable[[Sequence[Setting]], object],
        dated: Sequence[DatedChange] = (),
        dates: Collection[str] = (),
        unlisted: Collection[str] = (),
        differing: Iterable[Setting] = (),
    ) -> None:
        self.record = record
        self._unlisted = unlisted
        self.differing = tuple(differing)
        self._tables = SettableTables(raw, words, {table_of(cls).file: cls for cls in declared})
        self._build = build
        self._rules: tuple[Setting, ...] = ()
        self._read: WeakKeyDictionary[Database, SettingsResult] = WeakKeyDictionary()
        self.dated = self._read_dated(dated, (SEASON, *dates)) if dated else ()
        """The numbers that count from a date on, by full name (SET-07)."""

    def under(self, rules: Sequence[Setting], raw: Raw, differing: Iterable[Setting]) -> SettingsTab:
        """Return the reader for a season under other rules, whose numbers a row may replace.

        Args:
            rules: The settings of these rules, common to all requests of the season.
        """
        tab, build = copy.copy(self), self._build
        tab.differing = tuple(differing)
        tab._tables, tab._rules = replace(self._tables, raw=raw), tuple(rules)
        tab._build = lambda settings: build((*rules, *settings))
        tab._read = WeakKeyDictionary()
        return tab

    def numbers(self, settings: Iterable[Setting]) -> Raw:
        """Return the tables with settings in place, as requests of this season have them."""
        return overridden(self._tables.raw, settings)

    def names(self) -> Mapping[str, str]:
        """Return the full names for a drop-down list, each with the value of the tables."""
        paths = self._tables.paths.by_name.values()
        season = {SEASON: "Which season this is, for numbers that count from a season on; 1 if it is not here."}
        return (season if any(change.kind == SEASON for change in self.dated) else {}) | {
            path.name: f"The tables have {path.value}." + (f" {one_of(path.words)}." if path.words else "")
            for path in paths
            if path.path[0] not in self._unlisted
        }

    def read(self, database: Database) -> SettingsResult:
        """Read the settings of a workbook; the result is cached."""
        if database not in self._read:
            self._read[database] = self._read_tab(database)
        return self._read[database]

    def in_force(self, database: Database, row: Row, date: Mapping[str, int | None]) -> SettingsResult:
        """Return the settings of a request: those of the workbook, and the dated numbers that it does not set (SET-07).

        Args:
            row: The request's row, which gets the problem if the numbers do not fit together.
            date: Its year or turn, None if it has none.
        """
        result = self.read(database)
        known = {kind: number for kind, number in date.items() if number is not None}
        dated = dated_settings(self.dated, {SEASON: result.season, **known})
        possible = [setting for name, setting in dated.items() if name not in result.named]
        added = [setting for setting in possible if overridden(self._tables.raw, [setting]) != self._tables.raw]
        if not added:
            return result
        names = {setting.name for setting in added}
        kept = (setting for setting in result.settings if setting.name not in names)  # of own tables
        settings = tuple(sorted((*kept, *added), key=lambda setting: setting.name))
        try:
            self._build(settings)
        except TableError as error:
            says = f"the numbers that count {added[-1].origin} do not fit the settings of the workbook: {error.line}"
            problem = row.problem("", "SET-07", says.rstrip("."), allowed=f"Change {tab_of(self.record).name}")
            return replace(result, problems=(*result.problems, problem))
        return replace(result, settings=settings)

    def _read_dated(self, dated: Sequence[DatedChange], dates: Collection[str]) -> tuple[DatedChange, ...]:
        """Return dated numbers by full name, each checked by itself and with those before it."""
        paths, errors, changes = self._tables.paths, TableErrors(), list[DatedChange]()
        for position, change in enumerate(dated):
            if change.kind not in dates:
                says = f"requests of this ruleset have no {change.kind}. Use {' or '.join(dates)}."
                errors.add(table_error(says, "changes", position, "from"))
            numbers: dict[str, int | float | str] = {}
            for name, value in change.numbers.items():
                with errors.at("changes", position, "numbers", name):
                    numbers[self._dated_path(name, value, paths).name] = value
            changes.append(replace(change, numbers=numbers))
        with at(file=DATED):
            errors.end()
        for position in range(len(changes)):
            settings = {
                name: Setting(name=name, value=value)
                for one in changes[: position + 1]
                for name, value in one.numbers.items()
            }
            try:
                self._build([*settings.values()])
            except TableError as error:
                says = f"with these numbers the tables do not fit together: {error.line}"
                raise TableError(DATED, ("changes", position), says) from error
        return tuple(changes)

    def _dated_path(self, name: str, value: float | str, paths: ConfigPaths) -> ConfigPath:
        try:
            path = find_path(name, paths)
        except ReadError as error:
            near = f'Did you mean "{error.nearest}"?' if error.nearest else f"{error.allowed}."
            raise table_error(f"{error.says}. {near}") from error
        for wrong in self._tables.errors(str(path.path[0]), [Setting(name=path.name, value=value)]):
            raise table_error(wrong.what)
        return path

    def deserialize(self, frozen: Mapping[str, Any]) -> tuple[Setting, ...]:
        """Return the settings of decoded inputs (SET-04).

        Raises:
            TableError: The tables no longer have such a value, or are inconsistent with the settings.
        """
        settings = tuple(Setting(**fields) for fields in frozen.get("settings", ()))
        self._build(settings)
        return settings

    def _read_tab(self, database: Database) -> SettingsResult:
        table = database.table(self.record)
        problems = dict.fromkeys(table.header_problems)
        chosen: dict[str, _Override] = {}
        season: int | None = None
        if table.rows:
            paths = self._tables.paths
            for row in table:
                read = database.read(row, self.record)
                problems |= dict.fromkeys(read.problems)
                if read.record is not None and steps(read.record.name) == (SEASON,):
                    number = number_of(row.value("value"))
                    if season is not None or number is None or number != int(number) or not 1 <= number <= 9_999:
                        says = "the season is a whole number from 1 to 9,999, named once"
                        problems[row.problem("value", "SET-07", says)] = None
                    else:
                        season = int(number)
                elif read.record is not None:
                    problems |= dict.fromkeys(self._read_row(row, read.record.name, paths, chosen))
        out_of_range = self._out_of_range(chosen)
        problems |= dict.fromkeys(problem for _, problem in out_of_range)
        in_range = _without(chosen, {name for name, _ in out_of_range})
        inconsistent = self._inconsistent(in_range)
        if not problems:  # otherwise the error may come from a missing setting
            problems |= dict.fromkeys(problem for _, problem in inconsistent)
        settings = _effective(_without(in_range, {name for name, _ in inconsistent}).values())
        unreplaced = (setting for setting in self.differing if setting.name not in chosen)
        return SettingsResult(
            tuple(sorted((*self._rules, *unreplaced, *settings), key=lambda setting: setting.name)),
            tuple(sorted(problems, key=lambda problem: (problem.cell.row, problem.cell.column))),
            frozenset(chosen),
            season or 1,
        )

    def _read_row(self, row: Row, name: str, paths: ConfigPaths, chosen: dict[str, _Override]) -> Iterator[Problem]:
        """Add the setting of a row to `chosen`, or yield the problem of its cells."""
        attribute = "name"
        try:
            path = find_path(name, paths)
            if path.name in chosen:
                says = f"{path.name} is set in row {chosen[path.name].row.number} already"
                raise ReadError(says, "Keep one of them")
            attribute = "value"
            chosen[path.name] = _Override(row, path, self._tables.value(row.value("value"), path))
        except ReadError as error:
            yield row.read_problem(attribute, column(SettingRow, attribute), error)

    def _out_of_range(self, chosen: Mapping[str, _Override]) -> list[tuple[str, Problem]]:
        """Read each changed table file by itself and return the wrong settings by name (SET-02)."""
        settings = _effective(chosen.values())
        return [
            (name, setting.problem(setting.target.name, each.what, "SET-02"))
            for file in dict.fromkeys(str(setting.target.path[0]) for setting in chosen.values())
            for each in self._tables.errors(file, settings)
            for name, setting in chosen.items()
            if setting.target.path[: len(each.path) + 1] == (file, *each.path)
        ]

    def _inconsistent(self, chosen: Mapping[str, _Override]) -> list[tuple[str, Problem]]:
        """Check that the tables are consistent with the settings, and return the causes by name (SET-05, R-40)."""
        problems = []
        left = dict(chosen)
        while (error := self._build_error(left)) is not None:
            file = error.file.removesuffix(".json")
            location = name_of(self._tables.raw, (file, *error.path))
            # A setting is a cause if the error disappears without it.
            suspects = [name for name, setting in left.items() if setting.target.path[0] == file] or [*left]
            causes = [
                name for name in suspects if _first(self._build_error(_without(left, {name}))) != error.line
            ] or suspects
            for name in causes:
                problems.append((name, left.pop(name).problem(location, error.what, "SET-05")))
        return problems

    def _build_error(self, chosen: Mapping[str, _Override]) -> TableError | None:
        try:
            self._build(_effective(chosen.values()))
        except TableError as error:
            return error
        return None


@dataclass(frozen=True, slots=True)
class _Override:
    """A row with the table value that it names and the value that it sets."""

    row: Row
    target: ConfigPath
    value: int | float | str

    def problem(self, location: str, message: str, id: str) -> Problem:
        """Return a problem of the setting's cell, which names the location of the error if it is elsewhere."""
        says, _, allowed = message.removesuffix(".").partition(". ")
        if location != self.target.name:
            says = f"{location}: {says}"
        return self.row.problem("value", id, says, allowed=allowed)


def _first(error: TableError | None) -> str:
    return error.line if error else ""


def _effective(chosen: Iterable[_Override]) -> tuple[Setting, ...]:
    """Return the settings that differ from the tables, by name and so independent of the row order (SET-04)."""
    differing = [
        Setting(name=setting.target.name, value=setting.value)
        for setting in chosen
        if setting.value != setting.target.value
    ]
    return tuple(sorted(differing, key=lambda setting: setting.name))


def _without(chosen: Mapping[str, _Override], names: Collection[str]) -> dict[str, _Override]:
    return {other: setting for other, setting in chosen.items() if other not in names}
