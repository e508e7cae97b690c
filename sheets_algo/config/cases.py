"""Files of cases: `rulebook/cases/*.yaml`, packaged and in the moderator's own folder.

They are YAML without types, tags, anchors or aliases, so that no file can run code: every scalar is a text (`no` is not
false, `1:30` is not a number), and every place knows its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from engine.case import Given
from engine.config_value import TableError, not_allowed, quote, table_error
from engine.declare import entry, read_table, table
from engine.declare import record as declared
from engine.shapes import Known, ListOf, MapOf, Schema, Shape, Text
from sheets_algo.config.loader import ConfigError

MOST_BYTES = 250_000
DEEPEST = 8
Steps = tuple[str | int, ...]


class BadYaml(ValueError):
    """A file that is not YAML, or uses an unsupported feature; the text names the place."""


@dataclass(frozen=True, slots=True)
class YamlTree:
    """The content of a file."""

    content: Any  # Texts, lists and dictionaries
    lines: Mapping[Steps, int]  # The line, from 1, of each name and list entry, by the steps that lead to it

    def line(self, path: Steps) -> int:
        """Return the line of a place, or of the nearest place above it."""
        return next((self.lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self.lines), 1)


def read_yaml(file: Path) -> YamlTree:
    """Read a YAML file in UTF-8.

    Raises:
        OSError: It cannot be read.
        BadYaml: It is too large, not YAML, or has tags, anchors, aliases or a name twice.
    """
    with file.open("rb") as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise BadYaml(f"the file has more than {MOST_BYTES:,} bytes. Split it.")
    return _tree(data)


@lru_cache(32)  # a watcher writes the rules of its site after each ruling, and files of cases seldom change
def _tree(data: bytes) -> YamlTree:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadYaml(f"byte {error.start + 1} is not UTF-8; save the file in that encoding.") from error
    try:
        _refuse_features(text)
        lines: dict[Steps, int] = {}
        node = yaml.compose(text, Loader=yaml.BaseLoader)
        return YamlTree("" if node is None else _content(node, (), lines), lines)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise BadYaml(f"line {line}: not valid YAML: {error.problem}.") from error
    except yaml.YAMLError as error:
        raise BadYaml(f"not valid YAML: {' '.join(str(error).split())}.") from error


def _refuse_features(text: str) -> None:
    """Refuse unsupported features by the parser's events, which are flat and build no objects."""
    documents = depth = 0
    for event in yaml.parse(text, Loader=yaml.BaseLoader):
        line = _line(event)
        documents += isinstance(event, yaml.DocumentStartEvent)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise BadYaml(f"line {line}: anchors (&) and aliases (*) are not allowed. Write the value out.")
        if tag := getattr(event, "tag", None):
            raise BadYaml(f"line {line}: tags such as {quote(tag)} are not allowed. Write the value alone.")
        if documents > 1:
            raise BadYaml(f"line {line}: a second document (---) is not allowed.")
        if depth > DEEPEST:
            raise BadYaml(f"line {line}: more than {DEEPEST} levels.")


def _content(node: yaml.Node, steps: Steps, lines: dict[Steps, int]) -> Any:
    """Return a part of the file, and note the lines of its content."""
    if isinstance(node, yaml.SequenceNode):
        lines |= {(*steps, place): _line(item) for place, item in enumerate(node.value)}
        return [_content(item, (*steps, place), lines) for place, item in enumerate(node.value)]
    if not isinstance(node, yaml.MappingNode):
        return node.value
    content: dict[str, Any] = {}
    for name, value in node.value:
        if not isinstance(name, yaml.ScalarNode):
            raise BadYaml(f"line {_line(name)}: a name must be a text.")
        if name.value in content:
            raise BadYaml(f"line {_line(name)}: {quote(name.value)} is there twice; keep one of them.")
        lines[*steps, name.value] = _line(name)
        content[name.value] = _content(value, (*steps, name.value), lines)
    return content


def _line(place: yaml.Event | yaml.Node) -> int:
    return place.start_mark.line + 1 if place.start_mark else 1


MOST_CASES = 1_000


class GivenValue(Shape):
    """Type of the values of a case: a text or a list of texts, interpreted by the function's argument."""

    def schema(self) -> Schema:
        """Return the schema of a scalar or a list of scalars."""
        scalar = {"type": ["string", "number", "boolean"]}
        return {"anyOf": [scalar, {"type": "array", "items": scalar}]}

    def read(self, value: Any, known: Known) -> Given:
        """Return a text as it is, a list as a tuple."""
        if isinstance(value, dict):
            raise table_error(not_allowed(value, "a value or a list in brackets"))
        shape = ListOf(Text(longest=200), most=200, repeats=True) if isinstance(value, list) else Text(longest=200)
        given: Given = shape.read(value, known)
        return given


@declared
class CaseRow:
    """One case."""

    name: str = entry(Text(longest=200), "What it shows, in a few words.")
    rule: str = entry(Text(longest=40), "The rule's id: STAB-04.")
    function: str = entry(Text(longest=80), "Which number of the rule, where it has several.", default="")
    inputs: Mapping[str, Given] = entry(MapOf(GivenValue()), "Each input by its name.")
    expected: Given = entry(GivenValue(), "What must come out.")


@table("cases", "Cases")
class CaseRows:
    """Worked examples of the rules of one ruleset."""

    ruleset: str = entry(Text(among="a ruleset"), "The ruleset.")
    cases: Sequence[CaseRow] = entry(ListOf(CaseRow, 1, MOST_CASES, repeats=True), "The cases.")


@dataclass(frozen=True, slots=True)
class CaseFile:
    """A file of cases."""

    file: Path  # Its path
    ruleset: str
    rows: tuple[CaseRow, ...]  # The cases
    tree: YamlTree  # Its content with lines

    def place(self, number: int, *steps: str | int) -> str:
        """Return file, line and name of a case, by its number from 0: `cases/stability.yaml:12 (Harold's army)`."""
        line = self.tree.line(("cases", number, *steps))
        return f"{self.file}:{line} ({self.rows[number].name})"


def read_cases(files: Iterable[Path], rulesets: Sequence[str]) -> tuple[CaseFile, ...]:
    """Read files of cases.

    Raises:
        ConfigError: Something in them is wrong; a line for each error.
    """
    case_files, lines = [], []
    for file in files:
        try:
            tree = read_yaml(file)
        except (OSError, BadYaml) as error:
            lines.append(f"{file}: {error}")
            continue
        try:
            rows = read_table(CaseRows, {"cases": tree.content}, {"a ruleset": rulesets})
        except TableError as error:
            lines += [f"{file}:{tree.line(each.path)}: {each.what}" for each in error.errors]
            continue
        case_files.append(CaseFile(file, rows.ruleset, tuple(rows.cases), tree))
    if lines:
        raise ConfigError("\n".join(lines))
    return tuple(case_files)
