"""Evaluation of formulas: arithmetic, comparison, references, the common functions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from localsheets.book import Book
from localsheets.cells import Fault, Scalar
from localsheets.display import shown
from localsheets.errors import ApiError
from localsheets.functions import FUNCTIONS, LAZY, Grid, Raised, Value, number, scalar, text
from localsheets.proto import whole
from localsheets.references import REFERENCE, Reference, references
from localsheets.sheet import Sheet

CIRCULAR = Fault("REF", "Circular dependency detected. To resolve with iterative calculation, see File > Settings.")
Place = tuple[int, int, int]
"""Tab id, row and column."""

_TOKEN = re.compile(
    rf'\s*(?:(?P<text>"(?:[^"]|"")*")|(?P<error>#[A-Z/0-9]+[!?]?)|(?P<reference>{REFERENCE})'
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>(?:'(?:[^']|'')*'!)?[^\W\d][\w.]*)|(?P<sign><>|<=|>=|.))",
    re.DOTALL,
)
_LEVELS = (("=", "<>", "<", ">", "<=", ">="), ("&",), ("+", "-"), ("*", "/"), ("^",))
"""Operators by precedence, from the loosest to the tightest."""

Node = Callable[["Scope"], Value]
"""A parsed formula: a function that evaluates it at a place."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The place of a formula."""

    book: Book
    sheet: Sheet
    row: int
    column: int

    def cells(self, found: Reference) -> Grid:
        """Return the values of a reference."""
        sheet = self.sheet if found.title is None else self.book.titled(found.title)
        area = found.area()
        if sheet is None or area.top >= sheet.rows or area.left >= sheet.columns:
            raise Raised(Fault("REF", "Reference does not exist."))
        box = area.within(sheet.rows, sheet.columns)
        rows: list[list[Scalar]] = [[None] * box.width for _ in range(box.height)]
        for row, column, _ in sheet.inside(box):
            rows[row - box.top][column - box.left] = value_of(self.book, sheet, row, column)
        return Grid(rows, box.top, box.left)


def value_of(book: Book, sheet: Sheet, row: int, column: int) -> Scalar:
    """Return the value of a cell, calculating its formula."""
    cell = sheet.cell(row, column)
    if cell.formula is None:
        return cell.value
    key = (sheet.id, row, column)
    return book.results[key] if key in book.results else evaluate(book, sheet, row, column)


def evaluate(book: Book, sheet: Sheet, row: int, column: int) -> Scalar:
    """Return the value of the formula in a cell, after that of the formulas it needs, without recursion."""
    waiting: list[tuple[Sheet, int, int]] = [(sheet, row, column)]
    open_: set[Place] = set()
    while waiting:
        tab, down, right = waiting[-1]
        place = (tab.id, down, right)
        if place in book.results:
            waiting.pop()
            continue
        needs = [] if place in open_ else _needs(book, tab, down, right)
        open_.add(place)
        missing = [need for need in needs if (need[0].id, need[1], need[2]) not in book.results]
        if any((need[0].id, need[1], need[2]) in open_ for need in missing):
            book.results[place] = CIRCULAR
        elif missing:
            waiting.extend(missing)
        else:
            book.results[place] = _result(Scope(book, tab, down, right))
    return book.results[sheet.id, row, column]


def _needs(book: Book, sheet: Sheet, row: int, column: int) -> list[tuple[Sheet, int, int]]:
    """Return the formulas that a formula refers to."""
    found = []
    formula = sheet.cell(row, column).formula or ""
    for reference in references(formula):
        tab = sheet if reference.title is None else book.titled(reference.title)
        if tab is not None:
            box = reference.area().within(tab.rows, tab.columns)
            found += [(tab, down, right) for down, right in book.formulas_inside(tab, box)]
    for named in book.named_ranges:
        if re.search(rf"\b{re.escape(named['name'])}\b", formula, re.IGNORECASE):
            tab = book.sheet(named["range"].get("sheetId", 0))
            inside = book.formulas_inside(tab, tab.box(named["range"]))
            found += [(tab, down, right) for down, right in inside]
    return found


def _result(scope: Scope) -> Scalar:
    formula = scope.sheet.cell(scope.row, scope.column).formula or ""
    try:
        found = scalar(_parse(formula[1:])(scope))
    except Raised as raised:
        return raised.fault
    except (OverflowError, ValueError, ArithmeticError):
        return Fault("NUM", "The number is out of range.")
    except RecursionError:
        return Fault("ERROR", "Formula parse error.")
    return 0 if found is None else whole(found)


@lru_cache(maxsize=4096)
def _parse(formula: str) -> Node:
    """Parse a formula without its `=`."""
    parser = _Parser(formula)
    node = parser.expression()
    return node if parser.is_done else _failing(Fault("ERROR", "Formula parse error."))


class _Parser:
    """A parser that reads a formula from left to right."""

    def __init__(self, formula: str) -> None:
        self._tokens = [
            (match.lastgroup or "", match[0].strip()) for match in _TOKEN.finditer(formula) if match[0].strip()
        ]
        self._at = 0

    @property
    def is_done(self) -> bool:
        """Return True if everything was read."""
        return self._at == len(self._tokens)

    def expression(self, level: int = 0) -> Node:
        """Parse operators of a level and all tighter ones."""
        if level == len(_LEVELS):
            return self._signed()
        node = self.expression(level + 1)
        while (sign := self._sign()) in _LEVELS[level]:
            self._at += 1
            node = _operate(sign, node, self.expression(level + 1))
        return node

    def _signed(self) -> Node:
        if (sign := self._sign()) in ("-", "+"):
            self._at += 1
            inner = self._signed()
            return (lambda scope: -number(inner(scope))) if sign == "-" else inner
        node = self._atom()
        while self._sign() == "%":
            self._at += 1
            node = _percent(node)
        return node

    def _atom(self) -> Node:
        if self.is_done:
            return _failing(Fault("ERROR", "Formula parse error."))
        kind, found = self._tokens[self._at]
        self._at += 1
        if kind == "text":
            return _constant(found[1:-1].replace('""', '"'))
        if kind == "number":
            return _constant(float(found))
        if kind == "error":
            return _failing(_FAULTS.get(found, Fault("REF", "Reference does not exist.")))
        if kind == "reference":
            reference = Reference.of(found)
            return lambda scope: scope.cells(reference)
        if kind == "name":
            return self._call(found) if self._sign() == "(" else _name(found)
        if found == "(":
            node = self.expression()
            if self._sign() == ")":
                self._at += 1
                return node
        self._at = len(self._tokens) + 1
        return _failing(Fault("ERROR", "Formula parse error."))

    def _call(self, name: str) -> Node:
        self._at += 1
        arguments: list[Node] = []
        while not self.is_done and self._sign() != ")":
            is_left_out = self._sign() in (",", ";")
            arguments.append(_constant(None) if is_left_out else self.expression())
            if self._sign() not in (",", ";"):
                break
            self._at += 1
        if self._sign() != ")":
            self._at = len(self._tokens) + 1
            return _failing(Fault("ERROR", "Formula parse error."))
        self._at += 1
        return _call_function(name.upper(), arguments)

    def _sign(self) -> str:
        kind, found = self._tokens[self._at] if self._at < len(self._tokens) else ("", "")
        return found if kind == "sign" else ""


_FAULTS = {
    fault.text: fault for fault in map(Fault, ("NULL_VALUE", "DIVIDE_BY_ZERO", "VALUE", "REF", "NAME", "NUM", "N_A"))
}


def _constant(value: Scalar) -> Node:
    return lambda scope: value


def _failing(fault: Fault) -> Node:
    def fail(scope: Scope) -> Value:
        raise Raised(fault)

    return fail


def _percent(inner: Node) -> Node:
    return lambda scope: number(inner(scope)) / 100


def _operate(sign: str, left: Node, right: Node) -> Node:
    def evaluate_operator(scope: Scope) -> Value:
        first, second = left(scope), right(scope)
        if sign == "&":
            return _text(scope, left, first) + _text(scope, right, second)
        if sign in _LEVELS[0]:
            return _compare(sign, scalar(first), scalar(second))
        a, b = number(first), number(second)
        if sign == "/":
            if b == 0:
                raise Raised(Fault("DIVIDE_BY_ZERO", "Function DIVIDE parameter 2 cannot be zero."))
            return a / b
        if sign == "^":
            power: Any = a**b
            if isinstance(power, complex):
                raise Raised(Fault("NUM", "The power is no real number."))
            return float(power)
        return a + b if sign == "+" else a - b if sign == "-" else a * b

    return evaluate_operator


def _text(scope: Scope, node: Node, value: Value) -> str:
    """Return a value as text inside a formula: a cell as it is shown."""
    if isinstance(value, Grid) and value.rows and value.rows[0]:
        cell = scope.sheet.cell(value.top, value.left)
        if cell.pattern and isinstance(value.rows[0][0], int | float):
            return shown(value.rows[0][0], cell.pattern, scope.book.properties["locale"])
    return text(value)


def _compare(sign: str, left: Scalar, right: Scalar) -> bool:
    """Compare two values: numbers before text before booleans; an empty cell counts as the other side's empty value."""
    blanks: dict[type, Scalar] = {str: "", bool: False}
    if left is None:
        left = blanks.get(type(right), 0)
    if right is None:
        right = blanks.get(type(left), 0)

    def key(value: Scalar) -> tuple[int, object]:
        if isinstance(value, bool):
            return 2, value
        return (1, value.casefold()) if isinstance(value, str) else (0, value)

    a, b = key(left), key(right)
    if sign in ("=", "<>"):
        return (a == b) == (sign == "=")
    is_less, is_equal = a < b, a == b
    return {"<": is_less, ">": not is_less and not is_equal, "<=": is_less or is_equal, ">=": not is_less}[sign]


def _name(name: str) -> Node:
    """Return the node of TRUE, FALSE or a named range."""
    if name.upper() in ("TRUE", "FALSE"):
        return _constant(name.upper() == "TRUE")

    def look_up(scope: Scope) -> Value:
        try:
            sheet, area = scope.book.locate(name)
        except ApiError as error:
            raise Raised(Fault("NAME", f"Unknown range name: '{name.upper()}'.")) from error
        box = area.within(sheet.rows, sheet.columns)
        values = [
            [value_of(scope.book, sheet, row, column) for column in range(box.left, box.right)]
            for row in range(box.top, box.bottom)
        ]
        return Grid(values, box.top, box.left)

    return look_up


def _call_function(name: str, arguments: list[Node]) -> Node:
    if name == "COLUMN" and not arguments:
        return lambda scope: scope.column + 1
    function = LAZY.get(name) or FUNCTIONS.get(name)
    if function is None:
        return _failing(Fault("NAME", f"Unknown function: '{name}'."))

    def call(scope: Scope) -> Value:
        values: list[Any] = [partial(node, scope) if name in LAZY else node(scope) for node in arguments]
        try:
            found: Value = function(*values)
            return found
        except TypeError as error:
            raise Raised(Fault("N_A", f"Wrong number of arguments to {name}.")) from error

    return call
