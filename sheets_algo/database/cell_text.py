"""Cells as text, and tests for blank cells and ticks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time

from sheets_algo.workbook.values import BlankFormula, CellError, Uncalculated, Value

TICKED = """true yes y x 1 on ✓ ✔ ☑ ✅ 🗹 wahr ja oui vrai si sí sì verdadero vero verdadeiro sim waar prawda tak sant
    sann sand tosi kyllä pravda ano igaz igen doğru evet adevărat истина да істина так"""
"""Words and signs of a tick: TRUE as spreadsheets show it in each language, and yes."""
UNTICKED = """false no n 0 off - – − ☐ falsch nein non faux falso não onwaar nee fałsz nie falskt falsk nej usann nei
    epätosi ei nepravda ne hamis nem yanlış yanliş hayır hayir fals ложь нет хибність ні"""
YES, NO = frozenset(TICKED.split()), frozenset(UNTICKED.split())
VARIANTS = "\ufe0e\ufe0f"
"""Variation signs that phones add to a tick."""
UNSEEN = (0xFEFF, 0x200B, 0x2060, 0x00AD, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Code points of invisible characters that copied text may contain: byte order marks, direction marks ..."""
JOINERS = "\u200c\u200d"
"""Invisible characters that are part of a spelling inside a word (Persian, emoji), so only trimmed at its ends."""
UNHOLDABLE = (*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0x7F, 0xFFFE, 0xFFFF)
"""Code points that a spreadsheet cell cannot contain."""
CLEANED = dict.fromkeys((*UNSEEN, *UNHOLDABLE)) | dict.fromkeys(range(0xD800, 0xE000), 0xFFFD)
WHOLE_MOST = 10**15
"""Smallest whole number with more digits than the 15 that spreadsheets keep."""


@dataclass
class ReadError(Exception):
    """A cell that cannot be read."""

    says: str  # The sentence of the `Problem`, without the full stop
    allowed: str = ""  # The hint of the `Problem`
    nearest: str = ""  # The allowed value that is most similar, or blank
    id: str = ""  # The rule id, or blank for that of the column


class OutOfRange(ReadError):
    """A number above the greatest that a column allows."""


class NotYetKnown(ReadError):
    """A formula whose value may still be loading; the cell may not even be blank (DB-01)."""


def is_blank(value: Value) -> bool:
    """Return True if a cell shows no visible text or value."""
    # The first character decides for most texts, without the cost of trimming.
    if isinstance(value, str):
        return not value[:1].isalnum() and not trimmed(value)
    return value is None or isinstance(value, BlankFormula)


def is_typed(value: Value) -> bool:
    """Return True if a cell is neither blank nor an unticked checkbox."""
    return value is not False and not is_blank(value)


def is_answer(value: Value) -> bool:
    """Return True for a tick or its contrary, however it is typed."""
    return is_yes(value) or _answer(value) in NO


def is_yes(value: Value) -> bool:
    """Return True for a tick or a yes, however it is typed."""
    return _answer(value) in YES


def _answer(value: Value) -> str:
    return as_text(value).rstrip(VARIANTS).casefold()


def trimmed(text: str) -> str:
    """Return a text without outer white space and invisible characters, with single plain spaces inside."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip(" ")
    return " ".join(" ".join(text.split()).translate(CLEANED).split()).strip(" " + JOINERS)


def as_text(value: Value) -> str:
    """Return a cell as displayed text, for messages and text columns: the id 7.0 is `7`."""
    match value:
        case str():  # most cells
            return trimmed(value)
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case float() if value.is_integer() and abs(value) < WHOLE_MOST:
            return str(int(value))
        case float():
            return f"{value:.15g}"
        case datetime():
            return value.isoformat(sep=" ", timespec="minutes") if value.time() != time() else value.date().isoformat()
        case date() | time():
            return value.isoformat()
        case CellError():
            return value.code
        case Uncalculated():
            return value.formula
        case _:
            return trimmed(str(value))
