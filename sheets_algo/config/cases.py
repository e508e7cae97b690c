"""Files of cases: `rulebook/cases/*.yaml`, packaged and in the moderator's own folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.case import Given
from engine.config_value import TableError, not_allowed, table_error
from engine.declare import entry, read_table, table
from engine.declare import record as declared
from engine.shapes import Known, ListOf, MapOf, Schema, Shape, Text
from sheets_algo.config.loader import ConfigError
from sheets_algo.config.yaml_tree import BadYaml, YamlTree, read_yaml

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
