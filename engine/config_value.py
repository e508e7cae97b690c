"""Places in a table file, so that an error in it is reported like a cell: file, path, found, allowed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from engine.errors import ExpectedError
from engine.suggest import nearest


class TableError(ExpectedError, ValueError):
    """An error in a value of a table file.

    Args:
        file: `variables.json`; blank until `at` adds it.
        path: Keys and list positions that lead to the place.
        what: The sentence after the place: what was found and what is allowed.
        more: Further errors of the same file or value.
    """

    exit_code = 2

    def __init__(self, file: str, path: tuple[str | int, ...], what: str, more: tuple[TableError, ...] = ()) -> None:
        super().__init__(file, path, what)
        self.file, self.path, self.what, self.more = file, path, what, more
        self.contradicts = False
        """True if the value is allowed by itself but contradicts another of its file."""

    @property
    def errors(self) -> tuple[TableError, ...]:
        """Return this error and those reported with it."""
        return (self, *self.more)

    @property
    def line(self) -> str:
        """Return place and sentence of this error alone."""
        return f"{place(self.file, self.path)}: {self.what}"

    def __str__(self) -> str:
        """Return place and sentence of each error, a line each."""
        return "\n".join(each.line for each in self.errors)

    def lies_below(self, *steps: str | int, file: str = "") -> None:
        """Add a file and steps before the place of each error whose file is not known."""
        for each in self.errors:
            if not each.file:
                each.file, each.path = file, (*steps, *each.path)


def table_error(what: str, *path: str | int) -> TableError:
    """Return an error at a place below the current one; `at` completes the path."""
    return TableError("", path, what)


class at:  # noqa: N801 (reads as a word: `with at(name):`)
    """Prefix steps to the paths of errors raised inside: `with at(step):`.

    Args:
        steps: Keys and list positions.
        file: The file, where the path begins.
    """

    __slots__ = ("_file", "_steps")

    def __init__(self, *steps: str | int, file: str = "") -> None:
        self._steps = steps
        self._file = file

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, TableError):
            error.lies_below(*self._steps, file=self._file)


class TableErrors:
    """Collector of the errors of a value's parts: `with errors.at(name):` for each part, then `end`."""

    __slots__ = ("_found", "_steps")

    def __init__(self) -> None:
        self._found: list[TableError] = []
        self._steps: tuple[str | int, ...] = ()

    def at(self, *steps: str | int) -> TableErrors:
        """Return a context that prefixes steps to an error and keeps it for `end`."""
        self._steps = steps
        return self

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, TableError):
            return False
        error.lies_below(*self._steps)
        self._found += error.errors
        error.more = ()
        return True

    def add(self, error: TableError) -> None:
        """Keep an error of the value itself."""
        self._found += error.errors
        error.more = ()

    def end(self) -> None:
        """Raise the collected errors as one.

        Raises:
            TableError: There are any.
        """
        if self._found:
            first, *more = self._found
            first.more = tuple(more)
            raise first


REMARKS = {"$schema": "Where this schema is.", "about": "What the file is."}
"""Keys of a table file for people only."""


def place(file: str, path: tuple[str | int, ...]) -> str:
    """Return a file and a place in it as a JSON pointer: `variables.json#/VAR-DEF/major/1`."""
    return file + ("#" + "".join(f"/{part}" for part in path) if path else "")


def quote(value: object) -> str:
    """Return a value as its file spells it, shortened if it is long."""
    words = _spelled(value)
    return words if len(words) <= 60 else words[:57] + "..."


def suggestion(name: str, allowed: Collection[str]) -> str:
    """Return `Did you mean "fortifications"?`, or the allowed values if none is similar."""
    near = nearest(name, allowed)
    if near:
        return f"Did you mean {quote(near)}?"
    if not allowed:
        return "Nothing is allowed here."
    *most, last = (quote(word) for word in allowed)
    return f"Use {', '.join(most)} or {last}." if most else f"Use {last}."


def is_one(name: str, allowed: Collection[str], what: str) -> None:
    """Refuse a name that is not allowed; the message suggests the nearest."""
    if name not in allowed:
        raise table_error(f"{quote(name)} is not {what}. {suggestion(name, allowed)}")


def are_of(names: Sequence[str], allowed: Collection[str], what: str) -> None:
    """Refuse a list with a name that is not allowed."""
    errors = TableErrors()
    for position, name in enumerate(names):
        with errors.at(position):
            is_one(name, allowed, what)
    errors.end()


KINDS = {
    "object": "names with values in braces",
    "array": "a list in brackets",
    "string": 'a text in "quotes"',
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}
"""JSON's kinds of values, as messages call them."""


def not_allowed(value: object, allowed: str) -> str:
    """Return the message about a value that is not allowed."""
    return f"{quote(value)} is not allowed. Use {allowed}."


def as_object(value: Any) -> dict[str, Any]:
    """Return a value that must be a JSON object."""
    if not isinstance(value, dict):
        raise table_error(not_allowed(value, KINDS["object"]))
    return value


def bounds(low: float | None, above: float | None, high: float | None) -> str:
    """Return the range as text: `a number from 0 to 5`."""
    least = f"above {above:,}" if above is not None else f"{low:,} or more" if low is not None else ""
    if high is None:
        return f"a number {least}"
    if not least:
        return f"a number up to {high:,}"
    return f"a number above {above:,} and up to {high:,}" if above is not None else f"a number from {low:,} to {high:,}"


def counts(least: int | None, most: int | None) -> str:
    """Return the number of entries as text: `exactly 3`."""
    if least == most:
        return f"exactly {least}"
    return f"at least {least}" if most is None else f"{least or 0} to {most}"


def _spelled(value: object) -> str:
    """Return a value as JSON, without the module `json`: the rules open no files."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{value}"'
        case list():
            return f"[{', '.join(_spelled(entry) for entry in value)}]"
        case dict():
            return "{" + ", ".join(f'"{name}": {_spelled(entry)}' for name, entry in value.items()) + "}"
        case _:
            return str(value)
