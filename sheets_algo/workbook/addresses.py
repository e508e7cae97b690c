"""Addresses of cells."""

from __future__ import annotations

from functools import lru_cache

from sheets_algo.workbook.tab_key import TabKey

Address = tuple[TabKey, int, int]
"""Tab, row and column of a cell; row and column 0 mean any row below the tab's last one."""


def a1(row: int, column: int) -> str:
    """Return the A1 address of a cell: `a1(14, 3) == "C14"`."""
    return f"{letters(column)}{row}"


def area_name(top: int, left: int, bottom: int, right: int) -> str:
    """Return the A1 address of a rectangle of cells: `area_name(2, 3, 4, 3) == "C2:C4"`."""
    return f"{a1(top, left)}:{a1(bottom, right)}"


@lru_cache(maxsize=1024)
def column_number(letters: str) -> int:
    """Return the number of a column from its letters: `column_number("ab") == 28`."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


@lru_cache(maxsize=1024)
def letters(column: int) -> str:
    """Return the letters of a column: `letters(28) == "AB"`."""
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text
