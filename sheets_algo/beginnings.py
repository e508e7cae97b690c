"""How a season begins: in a new file, in a workbook that lacks tabs, in a spreadsheet that somebody shared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from sheets_algo import season
from sheets_algo.desk import tabs_to_read
from sheets_algo.forms.base import Form
from sheets_algo.ledger import season_receipt
from sheets_algo.places import Opened, Place, drop_unused_secret, opened
from sheets_algo.reports import Report
from sheets_algo.rulesets import RULESETS, open_forms
from sheets_algo.sites import Google, Site
from sheets_algo.template import Template, examples_of, missing, template
from sheets_algo.workbook.base import ChangeSet, WorkbookError, WorkbookUnavailable

EVERY = "all"
"""Stands for every ruleset."""


def begin(site: Site, *, rulesets: Sequence[str], empty: bool, dry: bool) -> Report:
    """A new workbook, or what an existing one lacks."""
    if site.path is not None:
        _refuse_as_new(site.path)
    place = site.place
    seen = _seen(site)
    forms = open_forms(place.library, _to_begin(rulesets, seen), place.own_maps)
    receipts = seen.receipts.receipts if seen else None
    found = season.find(place.folder, receipts.season if receipts else "")
    secret = found or season.make()
    begun = season_receipt(
        receipts.next_seq if receipts else 1, secret, place.now(), escape_markup=place.escapes_markup
    )
    theirs = _played(seen) if seen else ()  # then nobody wants the wars of 1066 among their own
    examples = examples_of(forms, place.library)
    made = template(forms, examples, empty or bool(theirs), begun)
    work = _Online(site.google, made) if site.google else _OnDisk(site, made, seen)
    tabs = work.lacking()
    if not tabs:
        return Report(_data(place, ()), [f"Nothing to do: {place.workbook.name} has every tab."])
    if dry:
        done = "would be completed" if seen else "would be made"
        line = f"{place.workbook.name} {done}: {', '.join(tabs)}. Nothing is written (dry run)."
        return Report(_data(place, tabs), [line])
    # Kept before anything is written: a digest without its secret would be worth nothing.
    file = season.keep(place.folder, secret) if found is None else None
    try:
        work.write()
    except WorkbookError as error:
        if file and site.path is not None and not site.path.exists():
            season.drop(place.folder, secret)
        elif file:
            drop_unused_secret(place, secret, error)
        raise
    lines = [f"{place.workbook.name} is {'completed' if seen else 'made'}: {', '.join(tabs)}."]
    if file:
        lines.append(f"The season secret lies in {file}. Keep it with the workbook, and to yourself.")
    if theirs and not empty and (examples.keys() & set(tabs)) - set(theirs):
        lines.append(f"No examples were added, since a game is there already: {', '.join(theirs)}.")
    return Report(_data(place, tabs, written=True, secret=file), lines)


def chosen_rulesets(names: Sequence[str]) -> tuple[type[Form[Any]], ...]:
    """The forms of the rulesets of those names, in reading order; `all`, or no name, for every one."""
    known = [*dict.fromkeys(form.ruleset_key for form in RULESETS), EVERY]
    for name in names:
        if name not in known:
            use = f"{', '.join(known[:-1])} or {known[-1]}"
            raise click.BadParameter(f'there is no ruleset "{name}". Use {use}.', param_hint="--ruleset")
    return tuple(form for form in RULESETS if not names or EVERY in names or form.ruleset_key in names)


class _OnDisk:
    """A file, which is made or gets the tabs it lacks."""

    def __init__(self, site: Site, made: Template, seen: Opened | None) -> None:
        self._site, self._made = site, made
        self._snapshot = site.place.workbook.read(made.needed) if seen else None
        self._changes = missing(made, self._snapshot) if self._snapshot else None

    def lacking(self) -> tuple[str, ...]:
        return self._made.needed if self._changes is None else _touched(self._changes)

    def write(self) -> None:
        if self._snapshot is not None and self._changes is not None:
            self._site.place.workbook.commit(self._snapshot, self._changes)
        elif self._site.path is not None:
            from sheets_algo.workbook.xlsx.new import write_new

            write_new(self._site.path, self._made)


class _Online:
    """A spreadsheet, which gets the tabs, lists, notes and protections it lacks."""

    def __init__(self, google: Google, made: Template) -> None:
        self._google, self._made = google, made

    def lacking(self) -> tuple[str, ...]:
        from sheets_algo.workbook.google.init import complete

        return complete(self._google.api, self._made, dry=True)

    def write(self) -> None:
        from sheets_algo.workbook.google.init import complete

        complete(self._google.api, self._made)


def _seen(site: Site) -> Opened | None:
    """What stands there; a spreadsheet that cannot be opened cannot be made either."""
    if site.path is not None and not site.path.exists():
        return None
    try:
        return opened(site.place, begins=True)
    except WorkbookUnavailable as error:
        has_answered = site.google is not None and site.google.api.clock_offset_s is not None
        if site.google is None or not has_answered:
            raise
        raise WorkbookUnavailable(
            f"{error} A service account cannot make a spreadsheet: make an empty one yourself (https://sheets.new),"
            f" share it with {site.google.access.email or 'the account'} as Editor, and name its address."
        ) from error


def _refuse_as_new(workbook: Path) -> None:
    if workbook.exists():
        return
    if workbook.suffix.lower() != ".xlsx":
        raise click.BadParameter(f"a new workbook's name ends in .xlsx: {workbook.stem}.xlsx.", param_hint="WORKBOOK")
    if not workbook.parent.is_dir():
        raise click.BadParameter(f"there is no folder {workbook.parent}; make it first.", param_hint="WORKBOOK")


def _played(seen: Opened) -> tuple[str, ...]:
    """Tabs of a game that stand there, of whatever ruleset: examples would not fit them, or be ruled among them."""
    sheets = ((name, seen.snapshot.sheet(name)) for name in tabs_to_read(RULESETS))
    return tuple(name for name, sheet in sheets if sheet and sheet.rows)


def _to_begin(rulesets: Sequence[str], seen: Opened | None) -> Sequence[type[Form[Any]]]:
    """The rulesets that were asked for, else those that the workbook plays by, else the main one."""
    if rulesets or seen is None or not seen.forms:
        return chosen_rulesets(rulesets or [RULESETS[0].ruleset_key])
    return tuple(type(form) for form in seen.forms)


def _touched(changes: ChangeSet) -> tuple[str, ...]:
    names = [tab.name for tab in changes.tabs]
    names += [cell.tab for cell in changes.cells] + [row.tab for row in changes.rows]
    return tuple(dict.fromkeys(names))


def _data(place: Place, tabs: Sequence[str], *, written: bool = False, secret: Path | None = None) -> dict[str, Any]:
    return {
        "workbook": place.workbook.name,
        "written": written,
        "tabs": [*tabs],
        "secret_file": None if secret is None else str(secret),
    }
