"""A printed line of `explain`, read by the rules of school: products first, then sums, from left to right (VAR-05).

A name, with what was found of it in quotes, is before its number and no operation; signs between spaces are. Each
number is read as all those that it may be rounded from, so that a line agrees or does not.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

NUMBER = re.compile(r"−?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?(?= |,|\)|$)")
FOUND = re.compile(r' ?"[^"]*" ')
LONG = 10_000
"""Numbers of five figures may be written without their decimals, smaller ones with one at least."""
APPLIED = {
    "rounded up": lambda number: float(math.ceil(number - 1e-9)),
    "rounded down": lambda number: float(math.floor(number + 1e-9)),
    "without its fraction": lambda number: float(math.trunc(number + math.copysign(1e-9, number))),
    "to one decimal": lambda number: round(number, 1),
}


class Unreadable(Exception):
    """A line that school rules do not read, or that they read as another number."""


class Between(NamedTuple):
    """All numbers that a printed one may be rounded from."""

    low: float
    high: float

    def plus(self, other: Between) -> Between:
        return Between(self.low + other.low, self.high + other.high)

    def minus(self) -> Between:
        return Between(-self.high, -self.low)

    def times(self, other: Between) -> Between:
        products = [one * two for one in self for two in other]
        return Between(min(products), max(products))

    def inverse(self) -> Between:
        if self.low <= 0.0 <= self.high:
            return Between(-math.inf, math.inf)
        return Between(1.0 / self.high, 1.0 / self.low)


class Reader:
    """The text of a formula, read from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    @property
    def rest(self) -> str:
        return self.text[self.at :]

    def take(self, *signs: str) -> str:
        """Return the sign that comes next, blank for none of them."""
        sign = next((sign for sign in signs if self.rest.startswith(sign)), "")
        self.at += len(sign)
        return sign

    def whole(self) -> Between:
        """Read all: a sum, then its bounds and roundings."""
        value = self.sum()
        while self.take(", "):
            if name := self.take(*APPLIED):
                value = Between(*map(APPLIED[name], value))
            elif key := self.take("at most ", "at least "):
                bound, choose = self.product(), min if key == "at most " else max
                value = Between(choose(value.low, bound.low), choose(value.high, bound.high))
            else:
                raise Unreadable(f"{self.text!r}: {self.rest!r}")
        return value

    def sum(self) -> Between:
        value = self.product()
        while sign := self.take(" + ", " − "):
            other = self.product()
            value = value.plus(other if sign == " + " else other.minus())
        return value

    def product(self) -> Between:
        value = self.factor()
        while sign := self.take(" × ", " ÷ ", " / ", " ×"):
            other = self.factor()
            value = value.times(other if "×" in sign else other.inverse())
        return value

    def factor(self) -> Between:
        """Read a number or a bracket, with the name before it."""
        self.skip_name()
        for sign, function in (("√(", math.sqrt), ("log(", math.log10), ("(", float)):
            if self.take(sign):
                value = Between(*(function(max(number, 1e-300)) if sign != "(" else number for number in self.whole()))
                if not self.take(")"):
                    raise Unreadable(f"{self.text!r}: no bracket closes before {self.rest!r}")
                return value
        if (match := NUMBER.match(self.rest)) is None:
            raise Unreadable(f"{self.text!r}: no number at {self.rest!r}")
        self.at += match.end()
        return printed(match)

    def skip_name(self) -> None:
        """Skip a name; operations may stand in its brackets alone."""
        depth = 0
        for place, sign in enumerate(self.rest):
            here = self.rest[place:]
            if depth == 0 and (found := FOUND.match(here)):
                self.at += place + found.end()
                return
            if depth == 0 and re.match(r" [+−×÷/] | ×\d|, (at|rounded|to|without)|\)", here):
                break
            depth += (sign == "(") - (sign == ")")
        name = re.match(r"(?!√\(|log\()[^\d\W][^\d()×÷+−\[\]]*? (?=−?\d|\(|√\(|log\()", self.rest)
        self.at += name.end() if name else 0


def printed(match: re.Match[str]) -> Between:
    """Return what a printed number may be; zeros at its end are left out, also those of two decimals."""
    value, decimals = float(match[0].replace(",", "").replace("−", "-")), len(match[1] or "")
    if decimals == 0 and abs(value) < LONG:
        decimals = 1
    elif decimals == 1 and abs(value) < 1.0:
        decimals = 2
    within = 10.0**-decimals / 2
    return Between(value - within, value + within)


def disagreement(line: str) -> str:
    """Return why a line of `explain` is not computed as it is printed; blank if it is, or has no formula."""
    match = re.fullmatch(r"(.*?) (−?[\d,]+(?:\.\d+)?) = (.*) \[[^\]]+\](?: \((.*)\))?", line.strip())
    if match is None:
        return ""
    number = NUMBER.match(match[2])
    assert number is not None
    wanted, reader = printed(number), Reader(match[3])
    try:
        found = reader.whole()
    except Unreadable as error:
        return str(error)
    if reader.rest:
        return f"{match[3]!r}: {reader.rest!r} is left"
    if limits := re.search(r"kept within (\S+) to ([\d.]+)", match[4] or ""):
        found = Between(*(min(max(each, float(limits[1])), float(limits[2])) for each in found))
    return "" if found.low <= wanted.high + 1e-9 and wanted.low - 1e-9 <= found.high else f"{line}: {found}"
