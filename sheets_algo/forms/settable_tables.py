"""Tables whose values settings may replace: their paths, and the allowed values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.columns import LARGER_THAN_SHARES, loosely
from engine.config_value import TableError
from engine.declare import table_errors
from engine.settings import ConfigPath, ConfigPaths, Raw, Setting, overridden
from engine.suggest import nearest
from sheets_algo.database.cell_text import ReadError, as_text
from sheets_algo.database.problems import one_of
from sheets_algo.database.typed_numbers import as_shown, hundredfold, is_share, number_of
from sheets_algo.workbook.values import Value

FEW = 16
"""Maximum number of settings that a message lists by name."""
NUMBERS = re.compile(r"\d+")
LARGEST_WHOLE = 2**53
"""Minimum magnitude from which spreadsheets cannot represent every whole number."""


@dataclass(frozen=True)
class SettableTables:
    """Tables as in their files, with the classes that declare allowed values."""

    raw: Raw
    words: Mapping[str, tuple[str, ...]]  # The allowed words by full name, for settings whose value is a word
    declared: Mapping[str, type]  # The record classes of the files by name

    @cached_property
    def paths(self) -> ConfigPaths:
        """Return the paths of all values."""
        return ConfigPaths(self.raw, self.words)

    def errors(self, file: str, settings: Iterable[Setting]) -> tuple[TableError, ...]:
        """Return the errors of single values in a file that settings change."""
        return table_errors(self.declared[file], overridden(self.raw, settings), by_itself=True)

    def value(self, typed: Value, path: ConfigPath) -> int | float | str:
        """Return the value that a cell sets.

        Raises:
            ReadError: It is not allowed.
        """
        return self._word(typed, path) if path.words else self._number(typed, path)

    def _number(self, typed: Value, path: ConfigPath) -> int | float:
        number = number_of(typed, is_whole=self._is_whole(path))
        if number is None or not math.isfinite(number):
            raise ReadError(f'"{as_text(typed)}" is not a number', f"Enter a number; the tables have {path.value}")
        if number and is_share(typed) and self._is_allowed(path, LARGER_THAN_SHARES):
            says = f"{as_shown(typed)} could mean {as_text(number)} or {as_text(hundredfold(number))}"
            raise ReadError(says, f"Type it without the per cent sign; the tables have {path.value}", id="NUM-03")
        return int(number) if number == int(number) and abs(number) < LARGEST_WHOLE else number

    def _is_whole(self, path: ConfigPath) -> bool:
        return isinstance(path.value, int) and not any(
            self._is_allowed(path, path.value + half) for half in (0.5, -0.5)
        )

    def _word(self, typed: Value, path: ConfigPath) -> int | float | str:
        """Return the allowed word, or the number if the setting accepts numbers too (`none` or a limit)."""
        text = as_text(typed)
        for word in path.words:
            if loosely(word) == loosely(text):
                return word
        number = number_of(typed)
        if number is not None and self._is_allowed(path, number):
            return self._number(typed, path)
        raise ReadError(f'"{text}" is not allowed', one_of(path.words), nearest(text, path.words))

    def _is_allowed(self, path: ConfigPath, number: float) -> bool:
        file = str(path.path[0])
        errors = self.errors(file, [Setting(name=path.name, value=number)])
        return not any((file, *each.path) == path.path for each in errors)


def find_path(name: str, paths: ConfigPaths) -> ConfigPath:
    """Return the path of a typed name.

    Raises:
        ReadError: The name is unknown or ambiguous.
    """
    matches = paths.find(name)
    if not matches:
        few = [paths.shortest(path) for path in paths.by_name.values()] if len(paths.by_name) <= FEW else []
        allowed = one_of(few) or f"Write the file and the names in the tables, for example {next(iter(paths.by_name))}"
        near = paths.nearest(name)  # its number says which rule is meant, and another rule is no misspelling
        is_same_rule = NUMBERS.findall(near) == NUMBERS.findall(name)
        raise ReadError(f'"{name}" is not a setting', allowed, near if is_same_rule else "")
    if len(matches) > 1:
        names = [path.name for path in matches]
        listed = f"{', '.join(names[:3])} and {len(names) - 3} more" if len(names) > 4 else ", ".join(names)
        raise ReadError(f'"{name}" could mean {listed}', "Add the part of the name that comes before it")
    return matches[0]
