"""Reads the numbers moderators edit: `config/`, packaged or in the checkout, overlaid file by file with their own.

A ruleset is a folder below `tables/` and `schema/`; nothing here knows one by name. Each file is checked against its
JSON Schema before anybody uses it, and what is wrong is said with file, place, what was found and what is allowed.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from engine.config_value import REMARKS, TableError, place, shown, suggestion
from engine.errors import ExpectedError
from sheets_algo.workbook.atomic_file import atomic_write

PACKAGE = Path(__file__).resolve().parents[1]
TABLES, SCHEMA, RULEBOOK, EXAMPLES = "tables", "schema", "rulebook", "examples"
SCHEMA_SUFFIX = ".schema.json"
CHECKED = "checked"
"""Folder of notes on tables that fit their schemas, where a program is packed for machines that cannot check them."""

Built = TypeVar("Built")


class ConfigError(ExpectedError):
    """Files of the configuration cannot be used; a line for each slip: file, place, found, allowed."""

    exit_code = 2


class ConfigLoader:
    """The configuration of one run. Files are read when they are asked for, and once.

    Args:
        overlay: The moderator's own folder (`--config`), laid out like `config/`; a file there replaces ours.
        cache: The file that notes which tables fit their schema, so that the next run need not check them again.

    Raises:
        ConfigError: `overlay` is no folder or holds a file that nothing reads.
    """

    def __init__(self, overlay: Path | None = None, cache: Path | None = None) -> None:
        self._home = _packaged("config")
        self._overlay = overlay
        self._cache = cache or _user_cache()
        self._raw: dict[str, Mapping[str, Any]] = {}
        if overlay is not None:
            self._check_overlay(overlay)

    @property
    def rulesets(self) -> tuple[str, ...]:
        """Return the names of all rulesets, in alphabetical order."""
        return tuple(sorted(folder.name for folder in (self._home / TABLES).iterdir() if folder.is_dir()))

    @property
    def maps_folder(self) -> Path:
        """Return the packaged terrain maps (MAP-04)."""
        return _packaged("maps")

    @property
    def examples(self) -> tuple[str, ...]:
        """Return the names of all example workbooks, in alphabetical order."""
        return tuple(sorted(file.stem for file in (self._home / EXAMPLES).glob("*.json")))

    def raw(self, ruleset: str) -> Mapping[str, Any]:
        """Return the content of a ruleset's table files by file name without `.json`.

        Raises:
            ConfigError: There is no such ruleset, a file is missing or something in one is wrong.
        """
        if ruleset not in self._raw:
            if ruleset not in self.rulesets:
                raise ConfigError(f"{shown(ruleset)} is not a ruleset. {suggestion(ruleset, self.rulesets)}")
            schemas = self._home / SCHEMA / ruleset
            names = sorted(schema.name.removesuffix(SCHEMA_SUFFIX) for schema in schemas.glob("*" + SCHEMA_SUFFIX))
            files = {name: self._file(TABLES, ruleset, f"{name}.json") for name in names}
            self._raw[ruleset] = self._checked(
                f"tables-{ruleset}", {name: (file, schemas / (name + SCHEMA_SUFFIX)) for name, file in files.items()}
            )
        return self._raw[ruleset]

    def build(self, ruleset: str, tables: Callable[[Mapping[str, Any]], Built]) -> Built:
        """Return the result of `tables` for a ruleset's files: `library.build(form.key, Tables.of)`.

        Raises:
            ConfigError: As for `raw`; or the files do not fit together.
        """
        try:
            return tables(self.raw(ruleset))
        except TableError as slip:
            raise ConfigError(_line(self._file(TABLES, ruleset, slip.file), slip.path, slip.what)) from slip

    def slips(self, ruleset: str, name: str, content: Any) -> Sequence[tuple[tuple[str | int, ...], str]]:
        """Return the errors of other content for a table by its schema: place in the file and sentence.

        Args:
            ruleset: The ruleset that the table belongs to.
            name: The table's file without `.json`.
            content: The table's content.
        """
        from sheets_algo.config.schema_errors import slips

        return slips(content, json.loads((self._home / SCHEMA / ruleset / (name + SCHEMA_SUFFIX)).read_bytes()))

    def rulebook(self, ruleset: str) -> Mapping[str, Mapping[str, str]]:
        """Rule id to its `text`, with `ruling` and `why` where something was decided."""
        return self._single(RULEBOOK, ruleset)

    def example(self, name: str) -> Mapping[str, list[dict[str, Any]]]:
        """Return the content of an example workbook: the rows of each tab, header to value."""
        if name not in self.examples:
            raise ConfigError(f"{shown(name)} is not an example. {suggestion(name, self.examples)}")
        return self._single(EXAMPLES, name)

    def fingerprint(self, ruleset: str) -> str:
        """Return the SHA-256 of a ruleset's numbers in hexadecimal, independent of the files' layout and remarks."""
        tables = {name: _without_remarks(content) for name, content in self.raw(ruleset).items()}
        canonical = json.dumps(_canonical(tables), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(canonical.encode()).hexdigest()

    def packed(self) -> Iterator[tuple[str, bytes]]:
        """Yield path and content of all tables in force, of their schemas, and of the notes that they fit.

        A loader whose program lies beside them, with the folder of notes as its cache, needs no library of schemas.

        Raises:
            ConfigError: A table is wrong.
        """
        with TemporaryDirectory() as notes:
            checked = ConfigLoader(self._overlay, Path(notes))
            for ruleset in self.rulesets:
                for name in checked.raw(ruleset):
                    for kind, file in ((TABLES, f"{name}.json"), (SCHEMA, name + SCHEMA_SUFFIX)):
                        yield f"config/{kind}/{ruleset}/{file}", self._file(kind, ruleset, file).read_bytes()
            for note in Path(notes).iterdir():
                yield f"{CHECKED}/{note.name}", note.read_bytes()

    def _single(self, kind: str, name: str) -> Mapping[str, Any]:
        schema = self._home / SCHEMA / (kind.removesuffix("s") + SCHEMA_SUFFIX)
        checked = self._checked(f"{kind}-{name}", {name: (self._file(kind, f"{name}.json"), schema)})
        return _without_remarks(checked[name])

    def _file(self, *parts: str) -> Path:
        if self._overlay is not None and (own := self._overlay.joinpath(*parts)).exists():
            return own
        return self._home.joinpath(*parts)

    def _check_overlay(self, overlay: Path) -> None:
        """Refuse a file that is not a table: its name is misspelled, and the moderator believes that it works."""
        if not overlay.is_dir():
            raise ConfigError(f"{overlay} is not a folder.")
        lines = []
        known = {str(path.relative_to(self._home)): path for path in self._home.rglob("*.json")}
        for kind in (TABLES, RULEBOOK, EXAMPLES):
            for file in sorted((overlay / kind).rglob("*")):
                name = str(file.relative_to(overlay))
                if file.is_file() and not file.name.startswith(".") and name not in known:
                    siblings = [other for other in known if other.startswith(kind)]
                    lines.append(f"{file}: the program does not use a file of this name. {suggestion(name, siblings)}")
        if not any((overlay / kind).is_dir() for kind in (TABLES, RULEBOOK, EXAMPLES)):
            lines.append(f"{overlay} holds none of the folders {TABLES}, {RULEBOOK}, {EXAMPLES}.")
        if lines:
            raise ConfigError("\n".join(lines))

    def _checked(self, label: str, files: Mapping[str, tuple[Path, Path]]) -> dict[str, Any]:
        """Return the parsed files, each checked against its schema.

        Loading the schema library takes longer than everything else here (65 of 90 ms), so the digest of files that
        passed is noted and looked up first.
        """
        lines: list[str] = []
        contents: dict[str, Any] = {}
        digest = hashlib.sha256()
        for name, (file, schema) in files.items():
            try:
                data = file.read_bytes()
                contents[name] = _parsed(data)
                digest.update(len(data).to_bytes(8, "big") + data + schema.read_bytes())
            except FileNotFoundError:
                lines.append(f"{file}: the file is missing.")
            except (OSError, ValueError) as error:
                lines.append(f"{file}: {error}")
        note = self._cache / f"checked-{label}"
        if not lines and _noted(note) != digest.hexdigest():
            from sheets_algo.config.schema_errors import slips

            for name, (file, schema) in files.items():
                found = slips(contents[name], json.loads(schema.read_bytes()))
                lines += [_line(file, path, what) for path, what in found]
            if not lines:
                _write_note(note, digest.hexdigest())
        if lines:
            raise ConfigError("\n".join(lines))
        return contents


def _user_cache() -> Path:
    from platformdirs import user_cache_path  # which a browser lacks

    return user_cache_path("sheets-algo")


def _packaged(folder: str) -> Path:
    """Return a folder of data: below `data/` in the installed package, beside the package in the checkout."""
    inside = PACKAGE / "data" / folder
    return inside if inside.is_dir() else PACKAGE.parent / folder


def _parsed(data: bytes) -> Any:
    """Parse JSON in UTF-8, with or without a byte order mark; refuse names that are there twice, and NaN.

    Raises:
        ValueError: It is not; the text says where.
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
            raise ValueError(f"{shown(name)} is there twice; keep one of them.")
        fields[name] = value
    return fields


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is not a number that can be used.")
    return number


def _line(file: Path, path: tuple[str | int, ...], what: str) -> str:
    return f"{place(str(file), path)}: {what}"


def _without_remarks(content: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name not in REMARKS}


def _canonical(value: Any) -> Any:
    """Return the value with whole numbers as integers, so that 1.0 and 1 are the same."""
    if isinstance(value, dict):
        return {name: _canonical(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_canonical(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _noted(note: Path) -> str:
    try:
        return note.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return ""


def _write_note(note: Path, digest: str) -> None:
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(note) as new:
            new.write_text(digest, encoding="ascii")
    except OSError:
        return  # a folder one may not write costs the next run a check, nothing else
