"""The Guide tab, with instructions for moderators and the meanings of colours and of a ruling's terms (RCPT-03)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from engine.columns import ColumnPlace, columns, tab_of
from engine.columns import TabDeclaration as Declared
from sheets_algo.database.problems import enumeration
from sheets_algo.forms.base import Form
from sheets_algo.forms.capabilities import BoardForm
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
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
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.template_spec import CellSpec, ColumnSpec, Style, TabSpec, Tint

GUIDE = TabKey.named("Guide")

Line = tuple[CellSpec, ...]


def guide(forms: Sequence[Form[Any]], programs: Sequence[Declared], foreign: Collection[TabKey] = ()) -> TabSpec:
    """Return the description of the Guide tab; `foreign` are the tabs that exist beside people's own ones."""
    lines = [*_steps(forms), *_colours(forms), *_statuses(forms), *_tabs(forms, programs, foreign), *_legends(forms)]
    return TabSpec(
        key=GUIDE,
        columns=[ColumnSpec(header="", width=26, style=STRONG), ColumnSpec(header="", width=110, style=PLAIN)],
        rows=lines,
        colour=NAVY,
        has_header=False,
        is_needed=False,
    )


def _steps(forms: Sequence[Form[Any]]) -> Iterator[Line]:
    requests = enumeration([tab_of(form.request).name for form in forms])
    database = enumeration(list(dict.fromkeys(tab_of(record).name for form in forms for record in form.database)))
    yield (CellSpec("A map game, ruled from this workbook", TITLE),)
    yield from _picture(forms)
    yield from _section("How it goes")
    yield from (
        (CellSpec(f"{number}. {step}", PLAIN),)
        for number, step in enumerate(
            (
                *_first_tries(forms),
                f"Describe the game in {database}.",
                "The note on each header says what a cell may hold and what a blank one means.",
                f"Fill in one row of {requests} for each ruling. Every row there has its Request id already.",
                "Set Ready to TRUE and save; in Google Sheets, tick it. Nothing happens to a row before that.",
                *_boards(forms),
                "sheets-algo check WORKBOOK  names every problem with its cell,  sheets-algo run WORKBOOK  rules.",
                "WORKBOOK is this file, or this spreadsheet's address;  sheets-algo watch ADDRESS  rules by itself.",
                f"Status and Message say what happened to the row. {tab_of(ReceiptRow).name} holds the text to post.",
            ),
            start=1,
        )
    )


def _picture(forms: Sequence[Form[Any]]) -> Iterator[Line]:
    """Yield a request and its answer as they look: cells, since Google Sheets shows no picture without an address."""
    for form in forms[:1]:
        tab = tab_of(form.request)
        kept = {"ready", "status", "message", *tab.in_view} - {"request"}
        declared = [column for name, column in columns(form.request) if column.required or name in kept]
        for who, place in ((f"You: a row of {tab.name}", ColumnPlace.PERSON), ("The program", ColumnPlace.STATUS)):
            headers = [column.header for column in declared if column.place.is_programs == place.is_programs]
            yield (CellSpec(who), CellSpec(" │ ".join(headers), heading(place, required=not place.is_programs)))


def _first_tries(forms: Sequence[Form[Any]]) -> Iterator[str]:
    """Yield the minimum cells of a request for each ruleset with generic entries (DB-10)."""
    for form in forms:
        required = [column for _, column in columns(form.request) if column.required]
        generic = {column.header: column.also[0] for column in required if column.also}
        if generic:
            typed = enumeration([column.header for column in required if not column.also])
            word = next(iter(generic.values()))
            yield (
                f"{len(required) + 1} cells of {tab_of(form.request).name} are enough for a first try: {typed}, the"
                f" word {word} as {enumeration([*generic])}, and Ready."
            )


def _boards(forms: Sequence[Form[Any]]) -> Iterator[str]:
    """Yield the instructions for opening a board and its effects, for each ruleset with boards."""
    for form in forms:
        if isinstance(form, BoardForm):
            one, rows = tab_of(form.request).one, tab_of(form.board_rows.record)
            yield (
                f"sheets-algo board WORKBOOK  opens the map of each {one} in your browser: place its {rows.one}s with"
                f" the mouse, see the odds, and Save writes {rows.name}."
            )


def _colours(forms: Sequence[Form[Any]]) -> Iterator[Line]:
    yield from _section("Who writes what")
    yield (
        CellSpec("You", heading(ColumnPlace.PERSON, required=True)),
        CellSpec("A bold header: the column must be filled in."),
    )
    yield (CellSpec("You", heading(ColumnPlace.CONTROL)), CellSpec("What the program is to do with the row, and when."))
    hint = "Tinted cells: what you type there is overwritten. Insert columns of your own wherever you like."
    yield (CellSpec("The program", heading(ColumnPlace.STATUS)), CellSpec(hint, Style(fill=PALE, is_at_top=True)))
    if any(tab_of(record).in_view for form in forms for record in form.records()):
        yield (
            CellSpec("+ and - above columns"),
            CellSpec("A click opens or closes columns that are seldom used. They are read, open or closed."),
        )


def _statuses(forms: Sequence[Form[Any]]) -> Iterator[Line]:
    yield from _section("Status of a request")
    yield from (_status_line(tint, meaning) for tint, meaning in REQUEST_STATUSES.values())
    headers = {column.header for form in forms for record in form.parts for _, column in columns(record)}
    if "End Status" in headers:
        yield from _section("End Status of a flank")
        yield from (_status_line(tint, meaning) for tint, meaning in FLANK_STATUSES.values())


def _tabs(forms: Sequence[Form[Any]], programs: Sequence[Declared], foreign: Collection[TabKey]) -> Iterator[Line]:
    yield from _section("Tabs")
    declared = dict.fromkeys(tab_of(record) for form in forms for record in form.records())
    for tab in (*declared, *programs):
        yield (CellSpec(tab.name), CellSpec(tab.about))
    if foreign:
        names = enumeration([key.beside.name for key in foreign])
        says = f"Nothing is read of those of your own that have the same names: the program's are {names}."
        yield (CellSpec("Beside yours"), CellSpec(says))


def _legends(forms: Sequence[Form[Any]]) -> Iterator[Line]:
    for legend in (legend for form in forms for legend in form.legends()):
        yield from _section(legend.title)
        for line, colour, label in zip_longest(legend.lines, legend.colours, legend.labels):
            fill = "".join(f"{part:02X}" for part in colour or ())
            if not fill:
                yield (CellSpec(line, PLAIN),)
            elif label:
                yield (CellSpec(label, Style(fill=fill, bold=True)), CellSpec(line, Style(fill=fill, align="center")))
            else:
                yield (CellSpec(None, Style(fill=fill)), CellSpec(line))


def _section(title: str) -> Iterator[Line]:
    yield ()
    yield (CellSpec(title, HEADING),)


def _status_line(tint: Tint, meaning: str) -> Line:
    status = CellSpec(tint.word, Style(fill=tint.fill, ink=tint.ink, bold=True))
    return (status, CellSpec(meaning[0].upper() + meaning[1:] + "."))
