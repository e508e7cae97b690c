"""Differences between what a request was promised for and what it reads now (LUCK-09).

What rulings have written since is part of the game and voids no promise. Anything else does, and is named: a cell that
no receipt lists, or a row that came or went without a link to one that rulings have written.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from engine.columns import columns, loosely, row_label, tab_of
from engine.receipt import on_one_line
from engine.ruleset import Plain
from sheets_algo.database.problems import shorten_list, shortened
from sheets_algo.forms.base import Form
from sheets_algo.ruling.luck.draw import Cell
from sheets_algo.ruling.receipts.receipts import Change, Receipts, StoredReceipt

NAMED = 3
"""Maximum number of differences that a promise names; more are counted."""


def written_since(receipts: Receipts, promise: int, before: float) -> dict[Cell, Change]:
    """Return the cells that rulings have written between a promise and a receipt: the first and the last value of each.

    An undone ruling of that time counts as never made; one that was undone after the promise, but made before, was
    changed by a person.
    """
    since = [receipt for seq, receipt in receipts.by_seq.items() if promise < seq < before]
    rulings = {loosely(receipt.request) for receipt in since if receipt.kind == "Ruling"}
    written: dict[Cell, Change] = {}
    for receipt in since:
        if receipt.kind == "Ruling" or (receipt.kind == "Undo" and loosely(receipt.request) in rulings):
            for change in receipt.changes:
                first = written.get(change.cell, change)
                written[change.cell] = Change(first.tab, first.row, first.field, first.before, change.after)
    return written


class InputDifferences(NamedTuple):
    """Differences of inputs from those that were promised, in words: `size of Host of Left: 9,000 → 9,100`."""

    unexplained: tuple[str, ...] = ()  # Cells and rows that no ruling in between explains
    derived: tuple[str, ...] = ()  # Facts that follow from rows which rulings have written; receipts do not list them


class _Difference(NamedTuple):
    text: str
    names: frozenset[str]  # The rows in which it is, in small letters
    is_bound: bool = False  # True for what people type, False for what follows from rows which rulings may write
    is_row: bool = False  # True for a row that only one of the inputs has
    values: frozenset[str] = frozenset()  # The texts in such a row, in small letters: it may name others


def input_differences(
    form: Form[Any], promise: StoredReceipt, inputs: str, cells: Mapping[str, str], receipts: Receipts, before: float
) -> InputDifferences:
    """Return the differences of inputs from those of a promise, apart from rulings since (LUCK-09).

    Args:
        cells: The cells of the request that decide, by header, as `Figures.cells`.
        before: The number of the receipt that has the inputs; later ones are left out.
    """
    if inputs == promise.inputs:
        return InputDifferences()
    written = {cell: change.after for cell, change in written_since(receipts, promise.seq, before).items()}
    try:
        expected, actual = form.after(form.deserialize(promise.inputs), written), form.deserialize(inputs)
    except (ValueError, TypeError):  # edited inputs, or a map that is not here
        return InputDifferences(() if written else ("the inputs",))
    if type(expected) is not type(actual):  # a person has chosen another Kind
        return InputDifferences(("the kind of request",))
    differences = [*_Comparison(form, getattr(actual, "name", "")).fields(expected, actual)]
    linked = _linked(written)
    linked |= {text for each in differences if not linked.isdisjoint(each.names) for text in each.values}
    unexplained = [each.text for each in differences if not linked or _is_unexplained(each, linked)]
    for header, before_it in promise.figures.cells.items():  # which inputs may have in another shape
        if not unexplained and cells.get(header, before_it) != before_it:
            unexplained.append(f"{header}: {_word(before_it)} → {_word(cells[header])}")
    derived = [each.text for each in differences if linked and not (each.is_row or each.is_bound)]
    named, more = (shorten_list([*dict.fromkeys(texts)], NAMED, "{:,} more") for texts in (unexplained, derived))
    return InputDifferences(named, more)


def _linked(written: Mapping[Cell, Plain]) -> frozenset[str]:
    """Return the rows in which rulings have written what is no number, and the texts that they wrote, in small letters.

    A number, losses say, neither brings a row into the inputs of another request nor takes it away.
    """
    words = {cell: value for cell, value in written.items() if isinstance(value, bool | str | None)}
    rows = {part for _, row, _ in words for part in (row, row.partition(" (")[0])}
    return frozenset(rows | {loosely(value) for value in words.values() if isinstance(value, str)})


def _is_unexplained(difference: _Difference, linked: frozenset[str]) -> bool:
    """Return True if no ruling accounts for a difference, though rulings have written something."""
    return difference.is_bound or (difference.is_row and linked.isdisjoint(difference.names))


class _Comparison:
    """The comparison of two inputs of a form, cell by cell and row by row."""

    def __init__(self, form: Form[Any], title: str) -> None:
        self._records = form.database
        self._request = {name for name, _ in columns(form.request)}
        self._derived = form.derived
        self._title = title

    def fields(
        self, one: Any, other: Any, rows: tuple[str, ...] = (), *, is_bound: bool = True
    ) -> Iterator[_Difference]:
        """Yield the differences of two records of one class.

        Args:
            rows: The rows that contain the fields, the innermost last; none for the inputs themselves.
            is_bound: False for a record that follows from rows which rulings may write.
        """
        of_row = self._columns(one) if rows else self._request
        for field in dataclasses.fields(one):
            pair = getattr(one, field.name), getattr(other, field.name)
            is_read = is_bound and field.name not in self._derived
            what = field.name.replace("_", " ")
            yield from self._values(what, *pair, rows, is_bound=is_read or field.name in of_row)

    def _values(
        self, what: str, one: Any, other: Any, rows: tuple[str, ...], *, is_bound: bool
    ) -> Iterator[_Difference]:
        """Yield the differences of two values.

        Args:
            what: Their description.
            is_bound: True for what people type, False for what follows from rows which rulings may write.
        """
        names = self._name(one), self._name(other)
        if one is other or isinstance(one, np.ndarray):  # a map, whose digest is beside it
            return
        if _is_record(one) and type(one) is type(other) and loosely(names[0]) == loosely(names[1]):
            around = (*rows, names[0]) if names[0] else rows or (self._title,)
            yield from self.fields(one, other, around, is_bound=is_bound)
        elif isinstance(one, tuple) and isinstance(other, tuple) and all(map(self._name, (*one, *other))):
            left, right = ({loosely(self._name(each)): each for each in side} for side in (one, other))
            for name in dict.fromkeys((*left, *right)):
                yield from self._values(what, left.get(name), right.get(name), rows, is_bound=is_bound)
        elif names[0] or names[1]:
            places = frozenset(loosely(name) for name in (*rows, *names) if name)
            values = frozenset((*_texts(one), *_texts(other)))
            yield _Difference(self._words(what, one, other, rows), places, is_bound, is_row=True, values=values)
        elif isinstance(one, tuple) and isinstance(other, tuple) and (changed := _other_texts(one, other)):
            for name in changed:  # of rows that are in the list or not
                yield _Difference(self._words(what, one, other, rows), frozenset([name]), is_bound, is_row=True)
        elif one != other:
            places = frozenset(map(loosely, rows))
            yield _Difference(self._words(what, one, other, rows), places, is_bound=is_bound)

    def _words(self, what: str, one: Any, other: Any, rows: tuple[str, ...]) -> str:
        of = rows[-1] if rows else self._title
        return on_one_line(f"{what}{f' of {of}' if of else ''}: {_word(one)} → {_word(other)}")

    def _columns(self, value: Any) -> frozenset[str]:
        """Return the attributes of a row of the database; none for anything else."""
        of = (record for record in self._records if issubclass(record, type(value)))
        return frozenset(name for record in of for name, _ in columns(record))

    def _name(self, value: Any) -> str:
        """Return the label of a row, or of the first row inside a value; blank for none."""
        if not _is_record(value):
            return ""
        for record in self._records:
            if issubclass(record, type(value)) and tab_of(record).key:
                tab = tab_of(record)
                name, owners = getattr(value, tab.key), getattr(value, tab.within, None) if tab.within else None
                return str(row_label(name, owners[0]) if owners else name)
        parts = (self._name(getattr(value, field.name)) for field in dataclasses.fields(value))
        return next(filter(None, parts), "")


def _is_record(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def _other_texts(one: tuple[Any, ...], other: tuple[Any, ...]) -> frozenset[str]:
    """Return the texts that only one of two lists has, in small letters; none of lists of anything else."""
    if not all(isinstance(text, str) for text in (*one, *other)):
        return frozenset()
    return frozenset(map(loosely, one)) ^ frozenset(map(loosely, other))


def _texts(row: Any) -> Iterator[str]:
    """Yield the texts in the fields of a row, in small letters."""
    for field in dataclasses.fields(row) if _is_record(row) else ():
        if isinstance(value := getattr(row, field.name), str):
            yield loosely(value)


def rule_changes(promise: StoredReceipt, fingerprint: str, version: int) -> tuple[str, ...]:
    """Return the differences between the rules of a promise and others, in words."""
    changes = []
    if promise.rules_fingerprint != fingerprint:
        changes.append(f"the tables of the rules: {promise.rules_fingerprint[:12]} → {fingerprint[:12]}")
    if promise.rules_version != version:
        changes.append(f"the version of the rules: {promise.rules_version} → {version}")
    return tuple(changes)


def _word(value: Any) -> str:
    if dataclasses.is_dataclass(value):
        return shortened(str(getattr(value, "name", "") or getattr(value, "label", "") or "something else"))
    if isinstance(value, tuple | list):
        return f"{len(value):,} entries"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{int(value) if value == int(value) else value:,}"
    return shortened(str(value)) if value not in (None, "") else "nothing"
