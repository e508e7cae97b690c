"""YAML files as trees of texts, lists and names: no types, tags, anchors or aliases, so that a file cannot do anything.

Every scalar is a text (`no` is not false, `1:30` is no number), and every place knows its line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from engine.config_value import shown

MOST_BYTES = 250_000
DEEPEST = 8
Steps = tuple[str | int, ...]


class BadYaml(ValueError):
    """A file is not YAML, or not of the kind that is read here; the text says where."""


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
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadYaml(f"byte {error.start + 1} is not UTF-8; save the file in that encoding.") from error
    try:
        return _Builder().built(text)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise BadYaml(f"line {line}: not valid YAML: {error.problem}.") from error
    except yaml.YAMLError as error:
        raise BadYaml(f"not valid YAML: {' '.join(str(error).split())}.") from error


class _Builder:
    """The tree of one file, built from the parser's events, which are not nested and make no objects."""

    def __init__(self) -> None:
        self._lines: dict[Steps, int] = {}
        self._open: list[Any] = []  # the lists and dictionaries around the next value
        self._steps: list[str | int] = []
        self._name: str | None = None
        self._content: Any = ""
        self._documents = 0

    def built(self, text: str) -> YamlTree:
        """Return the tree."""
        for event in yaml.parse(text, Loader=yaml.BaseLoader):
            mark = event.start_mark
            line = mark.line + 1 if mark else 1
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise BadYaml(f"line {line}: anchors (&) and aliases (*) are not allowed. Write the value out.")
            if tag := getattr(event, "tag", None):
                raise BadYaml(f"line {line}: tags such as {shown(tag)} are not allowed. Write the value alone.")
            match event:
                case yaml.DocumentStartEvent():
                    self._documents += 1
                    if self._documents > 1:
                        raise BadYaml(f"line {line}: a second document (---) is not allowed.")
                case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                    self._open.pop()
                    if self._open:
                        self._steps.pop()
                case yaml.ScalarEvent(value=value):
                    self._add(value, line)
                case yaml.MappingStartEvent():
                    self._add({}, line)
                case yaml.SequenceStartEvent():
                    self._add([], line)
        return YamlTree(self._content, self._lines)

    def _add(self, value: Any, line: int) -> None:
        around = self._open[-1] if self._open else None
        if isinstance(around, dict) and self._name is None:
            if not isinstance(value, str):
                raise BadYaml(f"line {line}: a name must be a text.")
            if value in around:
                raise BadYaml(f"line {line}: {shown(value)} is there twice; keep one of them.")
            self._name = value
            self._lines[(*self._steps, value)] = line
            return
        if around is None:
            self._content = value
        elif isinstance(around, dict):
            assert self._name is not None
            step: str | int = self._name
            around[step], self._name = value, None
        else:
            step = len(around)
            around.append(value)
            self._lines[(*self._steps, step)] = line
        if not isinstance(value, str):
            if len(self._open) == DEEPEST:
                raise BadYaml(f"line {line}: more than {DEEPEST} levels.")
            if around is not None:
                self._steps.append(step)
            self._open.append(value)
