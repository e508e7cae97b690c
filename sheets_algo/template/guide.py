"""The first tab: what a moderator does here, what the colours mean, and what a ruling's words mean (RCPT-03)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.fields import Place, columns, tab_of
from engine.fields import Tab as Declared
from sheets_algo.forms.base import Form
from sheets_algo.receipts import ReceiptRow
from sheets_algo.template.looks import (
    FLANK_STATUSES,
    HEADING,
    NAVY,
    PALE,
    PLAIN,
    REQUEST_STATUSES,
    STRONG,
    TITLE,
    heading,
)
from sheets_algo.template.parts import Cell, Column, Style, Tab, Tint

GUIDE = "Guide"

Line = tuple[Cell, ...]


def guide(forms: Sequence[Form[Any]], programs: Sequence[Declared]) -> Tab:
    """The page.

    Args:
        forms: The rulesets of the workbook.
        programs: Tabs that only the program writes.
    """
    lines = [*_steps(forms), *_colours(), *_statuses(forms), *_tabs(forms, programs), *_legends(forms)]
    return Tab(
        name=GUIDE,
        columns=[Column(header="", width=26, style=STRONG), Column(header="", width=110, style=PLAIN)],
        rows=lines,
        colour=NAVY,
        has_header=False,
        is_needed=False,
    )


def _steps(forms: Sequence[Form[Any]]) -> Iterator[Line]:
    requests = _listed([tab_of(form.request).name for form in forms])
    database = _listed(list(dict.fromkeys(tab_of(record).name for form in forms for record in form.database)))
    yield (Cell("A map game, ruled from this workbook", TITLE),)
    yield from _part("How it goes")
    yield from (
        (Cell(f"{number}. {words}", PLAIN),)
        for number, words in enumerate(
            (
                f"Describe the game in {database}.",
                "The note on each header says what may stand there and what a blank cell means.",
                f"Fill in one row of {requests} for each ruling. Every row there has its Request id already.",
                "Set Ready to TRUE and save; in Google Sheets, tick it. Nothing happens to a row before that.",
                "sheets-algo check WORKBOOK  names every problem with its cell,  sheets-algo run WORKBOOK  rules.",
                "WORKBOOK is this file, or this spreadsheet's address;  sheets-algo watch ADDRESS  rules by itself.",
                f"Status and Message say what became of the row. {tab_of(ReceiptRow).name} holds the text to post.",
            ),
            start=1,
        )
    )


def _colours() -> Iterator[Line]:
    yield from _part("Who writes what")
    yield (Cell("You", heading(Place.PERSON, required=True)), Cell("A bold header: the column must be filled in."))
    yield (Cell("You", heading(Place.CONTROL)), Cell("What the program is to do with the row, and when."))
    says = "Tinted cells: what you type there is overwritten. Insert columns of your own wherever you like."
    yield (Cell("The program", heading(Place.STATUS)), Cell(says, Style(fill=PALE, is_at_top=True)))


def _statuses(forms: Sequence[Form[Any]]) -> Iterator[Line]:
    yield from _part("Status of a request")
    yield from (_tinted(tint, meaning) for tint, meaning in REQUEST_STATUSES.values())
    heads = {column.header for form in forms for record in form.parts for _, column in columns(record)}
    if "End Status" in heads:
        yield from _part("End Status of a flank")
        yield from (_tinted(tint, meaning) for tint, meaning in FLANK_STATUSES.values())


def _tabs(forms: Sequence[Form[Any]], programs: Sequence[Declared]) -> Iterator[Line]:
    yield from _part("Tabs")
    declared = dict.fromkeys(tab_of(record) for form in forms for record in form.records())
    for tab in (*declared, *programs):
        yield (Cell(tab.name), Cell(tab.about))


def _legends(forms: Sequence[Form[Any]]) -> Iterator[Line]:
    for form in forms:
        for legend in form.legends():
            yield from _part(legend.title)
            colours = [f"{red:02X}{green:02X}{blue:02X}" for red, green, blue in legend.colours]
            for number, words in enumerate(legend.lines):
                yield (Cell(None, Style(fill=colours[number])), Cell(words)) if colours else (Cell(words, PLAIN),)


def _part(title: str) -> Iterator[Line]:
    yield ()
    yield (Cell(title, HEADING),)


def _tinted(tint: Tint, meaning: str) -> Line:
    word = Cell(tint.word, Style(fill=tint.fill, ink=tint.ink, bold=True))
    return (word, Cell(meaning[0].upper() + meaning[1:] + "."))


def _listed(names: Sequence[str]) -> str:
    """`Nations, Militaries and Units`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
