"""Loader of the numbers that moderators edit: `config/`, packaged or in the checkout, overlaid with own files.

A ruleset is a folder below `tables/`; nothing here knows one by name. A plug-in brings a folder `config/` that is laid
out likewise. Each error is a line with file, place, the value found and the values allowed.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from engine.config_value import KINDS, REMARKS, TableError, not_allowed, place, quote, suggestion, table_error
from engine.dated import DATED, DatedChange, DatedChanges
from engine.declare import entry, read_table, record, table, table_errors, table_of
from engine.errors import ExpectedError
from engine.settings import differences
from engine.shapes import Known, ListOf, MapOf, Schema, Shape, Text
from sheets_algo.plugins import RULESETS, folder_of, open_each, plugins


@record
class Rule:
    """One rule."""

    text: str = entry(Text(), "What it says, in one line.")
    ruling: str = entry(Text(), "What was decided where the source is silent or contradicts itself.", default="")
    why: str = entry(Text(), "Why it was decided so.", default="")
    source: str = entry(Text(), "What counts instead in seasons by the rules of the source (R-98).", default="")


@table("rulebook", "Rulebook")
class Rulebook:
    """Every rule of a ruleset in one line, with the rulings on open questions."""

    rules: Mapping[str, Rule] = entry(MapOf(Rule, 1), "Rule id to rule.", "*")


class Cell(Shape):
    """Type of the values that are allowed in a cell."""

    def schema(self) -> Schema:
        """Return the schema of anything but a list or an object."""
        return {"type": ["string", "number", "boolean"]}

    def read(self, value: Any, known: Known) -> Any:
        """Return a text, a number, true or false as it is."""
        if not isinstance(value, str | int | float):
            raise table_error(not_allowed(value, " or ".join(KINDS[kind] for kind in self.schema()["type"])))
        return value


HEADERS = "Column header to value; a column left out stays blank."


@table("example", "Example workbook")
class Example:
    """Rows that a new workbook starts with, by tab."""

    tabs: Mapping[str, Any] = entry(
        MapOf(ListOf(MapOf(Cell()), about=HEADERS, repeats=True), about="The tab's rows from the top."),
        "Tab to rows.",
        "*",
    )


PACKAGE = Path(__file__).resolve().parents[1]
TABLES, RULEBOOK, EXAMPLES, CASES = "tables", "rulebook", "examples", "cases"
FOLDERS = (TABLES, RULEBOOK, EXAMPLES, DATED)
"""Folders of a moderator's own configuration."""

Built = TypeVar("Built")


class ConfigError(ExpectedError):
    """An unusable configuration; the message has a line for each error: file, place, found, allowed."""

    exit_code = 2


class ConfigLoader:
    """The configuration of one run; each file is read once, when needed.

    Args:
        overlay: The moderator's own folder (`--config`), laid out like `config/`; a file there replaces ours.

    Raises:
        ConfigError: `overlay` is not a folder, or holds a file that nothing reads.
    """

    def __init__(self, overlay: Path | None = None) -> None:
        folders, _ = open_each(RULESETS, folder_of)
        self._homes = (_packaged("config"), *(folder / "config" for folder in folders.values()))
        self._overlay = overlay
        self._raw: dict[str, Mapping[str, Any]] = {}
        self._fingerprints: dict[str, str] = {}
        self._made: dict[str, dict[Callable[[Mapping[str, Any]], Any], Any]] = {}
        if overlay is not None:
            self._check_overlay(overlay)

    @property
    def rulesets(self) -> tuple[str, ...]:
        """Return the names of all rulesets, in alphabetical order."""
        return tuple(sorted({folder.name for home in self._homes for folder in (home / TABLES).glob("*/")}))

    @property
    def maps_folder(self) -> Path:
        """Return the packaged terrain maps (MAP-04)."""
        return _packaged("maps")

    @property
    def examples(self) -> tuple[str, ...]:
        """Return the names of all example workbooks, in alphabetical order."""
        return tuple(sorted({file.stem for home in self._homes for file in (home / EXAMPLES).glob("*.json")}))

    def raw(self, ruleset: str) -> Mapping[str, Any]:
        """Return the content of a ruleset's table files by file name without `.json`, not checked.

        Raises:
            ConfigError: There is no such ruleset, or a file cannot be read.
        """
        if ruleset not in self._raw:
            if ruleset not in self.rulesets and (plugin := plugins(RULESETS).get(ruleset)):
                raise ConfigError(
                    f"{folder_of(plugin) / 'config' / TABLES / ruleset}: this folder of tables is missing."
                )
            if ruleset not in self.rulesets:
                raise ConfigError(f"{quote(ruleset)} is not a ruleset. {suggestion(ruleset, self.rulesets)}")
            names = sorted(file.stem for file in self._packaged(TABLES, ruleset).glob("*.json"))
            self._raw[ruleset] = _read({name: self._file(TABLES, ruleset, f"{name}.json") for name in names})
        return self._raw[ruleset]

    def released(self, ruleset: str) -> Mapping[str, Any]:
        """Return the content of a ruleset's table files without the moderator's own, as `raw` does."""
        return self.raw(ruleset) if self._overlay is None else self._release.raw(ruleset)

    @cached_property
    def _release(self) -> ConfigLoader:
        return ConfigLoader()

    def differences(self, ruleset: str) -> tuple[str, ...]:
        """Return the moderator's differences from the release, a line each; dated numbers with their dates.

        Raises:
            ConfigError: A table cannot be read.
        """
        dated = (
            f"{name}: {value} from {change.since} on"
            for change in self.dated(ruleset)
            for name, value in change.numbers.items()
        )
        return (*differences(self.raw(ruleset), self.released(ruleset)), *dated)

    def build(
        self, ruleset: str, tables: Callable[[Mapping[str, Any]], Built], declared: Collection[type] = ()
    ) -> Built:
        """Return the result of `tables` for a ruleset's files: `library.build(form.key, Tables.of, TABLES)`.

        Args:
            declared: The classes of its files; if the function fails, all errors of these files are reported.

        Raises:
            ConfigError: As for `raw`; or something in a file is wrong, or the files do not fit together.
        """
        raw = self.raw(ruleset)
        try:
            return tables(raw)
        except TableError as error:
            errors = {each.line: each for cls in declared for each in table_errors(cls, raw)}
            errors |= {each.line: each for each in error.errors}
            files = {DATED: self._file(DATED, f"{ruleset}.json")}
            lines = [
                _line(files.get(each.file) or self._file(TABLES, ruleset, each.file), each) for each in errors.values()
            ]
            raise ConfigError("\n".join(lines)) from error

    def made(self, ruleset: str) -> dict[Callable[[Mapping[str, Any]], Any], Any]:
        """Return the cached results of functions on a ruleset's tables, for all passes of the run."""
        return self._made.setdefault(ruleset, {})

    def rulebook(self, ruleset: str) -> Mapping[str, Mapping[str, str]]:
        """Return the `text` of each rule by id, with `ruling` and `why` where something was decided."""
        return self._single(RULEBOOK, ruleset)

    def example(self, name: str) -> Mapping[str, list[dict[str, Any]]]:
        """Return the content of an example workbook: the rows of each tab, header to value."""
        if name not in self.examples:
            raise ConfigError(f"{quote(name)} is not an example. {suggestion(name, self.examples)}")
        return self._single(EXAMPLES, name)

    def dated(self, ruleset: str) -> tuple[DatedChange, ...]:
        """Return the moderator's dated numbers of a ruleset, in force from their dates on (SET-07).

        Raises:
            ConfigError: Their file cannot be read, or something in it is wrong.
        """
        file = self._file(DATED, f"{ruleset}.json")
        if not file.exists():
            return ()
        content = _read({DATED: file})
        try:
            return read_table(DatedChanges, content).changes
        except TableError as error:
            raise ConfigError("\n".join(_line(file, each) for each in error.errors)) from error

    def case_files(self) -> Iterator[tuple[ConfigLoader, list[Path]]]:
        """Yield the files of cases: ours with the loader of our numbers, the moderator's own with that of all in force.

        An own file replaces ours of the same name.
        """
        replacing = sorted((self._overlay / RULEBOOK / CASES).glob("*.yaml")) if self._overlay else []
        names = {file.name for file in replacing}
        ours = sorted(file for home in self._homes for file in (home / RULEBOOK / CASES).glob("*.yaml"))
        yield ConfigLoader(), [file for file in ours if file.name not in names]
        yield self, replacing

    def fingerprint(self, ruleset: str) -> str:
        """Return the SHA-256 of a ruleset's numbers in hexadecimal, independent of the files' layout and remarks."""
        if ruleset not in self._fingerprints:
            tables = {name: _without_remarks(content) for name, content in self.raw(ruleset).items()}
            canonical = json.dumps(_canonical(tables), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            self._fingerprints[ruleset] = hashlib.sha256(canonical.encode()).hexdigest()
        return self._fingerprints[ruleset]

    def packed(self) -> Iterator[tuple[str, bytes]]:
        """Yield path and content of all tables in force, for a loader whose program lies beside them.

        Raises:
            ConfigError: A table cannot be read.
        """
        for ruleset in self.rulesets:
            for name in self.raw(ruleset):
                path = (TABLES, ruleset, f"{name}.json")
                yield "/".join(("config", *path)), self._file(*path).read_bytes()

    def _single(self, kind: str, name: str) -> Mapping[str, Any]:
        declared: type[Any] = Rulebook if kind == RULEBOOK else Example
        file = self._file(kind, f"{name}.json")
        content = _read({table_of(declared).file: file})
        if errors := table_errors(declared, content):
            raise ConfigError("\n".join(_line(file, each) for each in errors))
        return _without_remarks(content[table_of(declared).file])

    def _file(self, *parts: str) -> Path:
        if self._overlay is not None and (file := self._overlay.joinpath(*parts)).exists():
            return file
        return self._packaged(*parts)

    def _packaged(self, *parts: str) -> Path:
        """Return a file or folder of the program or of a plug-in; where none has it, the program's."""
        places = [home.joinpath(*parts) for home in self._homes]
        return next((place for place in places if place.exists()), places[0])

    def _check_overlay(self, overlay: Path) -> None:
        """Refuse a file that is not a table: it is probably misspelled and would have no effect."""
        if not overlay.is_dir():
            raise ConfigError(f"{overlay} is not a folder.")
        lines = []
        known = {str(path.relative_to(home)) for home in self._homes for path in home.rglob("*.json")}
        known |= {f"{DATED}/{ruleset}.json" for ruleset in self.rulesets}
        for kind in FOLDERS:
            for file in sorted((overlay / kind).rglob("*")):
                name = str(file.relative_to(overlay))
                is_case = file.parent == overlay / RULEBOOK / CASES and file.suffix == ".yaml"
                if file.is_file() and not file.name.startswith(".") and name not in known and not is_case:
                    siblings = sorted(other for other in known if other.startswith(kind))
                    lines.append(f"{file}: the program does not use a file of this name. {suggestion(name, siblings)}")
        if not any((overlay / kind).is_dir() for kind in FOLDERS):
            lines.append(f"{overlay} holds none of the folders {', '.join(FOLDERS)}.")
        if lines:
            raise ConfigError("\n".join(lines))


def _read(files: Mapping[str, Path]) -> dict[str, Any]:
    """Return the parsed content of files by name; a line of the error for each that cannot be read."""
    lines: list[str] = []
    contents: dict[str, Any] = {}
    for name, file in files.items():
        try:
            contents[name] = _parsed(file.read_bytes())
        except FileNotFoundError:
            lines.append(f"{file}: the file is missing.")
        except (OSError, ValueError) as error:
            lines.append(f"{file}: {error}")
    if lines:
        raise ConfigError("\n".join(lines))
    return contents


def _packaged(folder: str) -> Path:
    """Return a folder of data: below `data/` in the installed package, beside the package in the checkout."""
    inside = PACKAGE / "data" / folder
    return inside if inside.is_dir() else PACKAGE.parent / folder


def _parsed(data: bytes) -> Any:
    """Parse JSON in UTF-8, with or without a byte order mark; refuse duplicate names, and NaN.

    Raises:
        ValueError: The content is not such JSON; the text names the place.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start + 1} is not UTF-8; save the file in that encoding.") from error
    try:
        return json.loads(text, object_pairs_hook=_once, parse_float=_finite, parse_constant=_finite)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno}, column {error.colno}: not valid JSON: {error.msg}.") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"{quote(name)} is there twice; keep one of them.")
        fields[name] = value
    return fields


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is not a number that can be used.")
    return number


def _line(file: Path, error: TableError) -> str:
    return f"{place(str(file), error.path)}: {error.what}"


def _without_remarks(content: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name not in REMARKS}


def _canonical(value: Any) -> Any:
    """Return the value with whole numbers as integers, so that 1.0 and 1 are the same."""
    if isinstance(value, dict):
        return {name: _canonical(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_canonical(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
