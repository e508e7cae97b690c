"""The command `init`: make a new workbook, or complete an existing file or spreadsheet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from sheets_algo.commands.report import Report
from sheets_algo.forms.base import Form
from sheets_algo.forms.registry import RULESETS, FormEntry, open_forms
from sheets_algo.ruling.planner import tabs_to_read
from sheets_algo.ruling.receipt_log import season_receipt
from sheets_algo.ruling.receipts import StoredReceipt
from sheets_algo.runtime import season_secret
from sheets_algo.runtime.locate import GoogleRef, WorkbookRef
from sheets_algo.runtime.session import OpenWorkbook, Session, drop_unused_secret, opened
from sheets_algo.template import Template, examples_of, missing, template
from sheets_algo.workbook.base import ChangeSet, WorkbookError, WorkbookUnavailable

EVERY = "all"
"""Option value that stands for every ruleset."""


def begin(ref: WorkbookRef, *, rulesets: Sequence[str], empty: bool, dry: bool) -> Report:
    """Make a new workbook, or add what an existing one lacks."""
    if ref.path is not None:
        _check_new_path(ref.path)
    session = ref.session
    seen = _opened(ref)
    forms = _forms(session, rulesets, seen)
    receipts = seen.receipts.receipts if seen else None
    found = season_secret.find(session.folder, receipts.season if receipts else "")
    secret = found or season_secret.make()
    begun = season_receipt(
        receipts.next_seq if receipts else 1, secret, session.now(), escape_markup=session.escapes_markup
    )
    game_tabs = _game_tabs(seen) if seen else ()  # a workbook with a game gets no examples
    examples = examples_of(forms, session.library)
    new_template = template(forms, examples, empty or bool(game_tabs), begun)
    target = _GoogleTarget(ref.google, new_template) if ref.google else _FileTarget(ref, new_template, begun, seen)
    tabs = target.missing_tabs()
    if not tabs:
        return Report(_data(session, ()), [f"Nothing to do: {session.workbook.name} has every tab."])
    if dry:
        done = "would be completed" if seen else "would be made"
        line = f"{session.workbook.name} {done}: {', '.join(tabs)}. Nothing is written (dry run)."
        return Report(_data(session, tabs), [line])
    # Kept before anything is written, since a digest without its secret is useless.
    file = season_secret.keep(session.folder, secret) if found is None else None
    try:
        target.write()
    except WorkbookError as error:
        if file and ref.path is not None and not ref.path.exists():
            season_secret.drop(session.folder, secret)
        elif file:
            drop_unused_secret(session, secret, error)
        raise
    lines = [f"{session.workbook.name} is {'completed' if seen else 'made'}: {', '.join(tabs)}."]
    if file:
        lines.append(f"The season secret is in {file}. Keep it with the workbook, and keep it secret.")
    if game_tabs and not empty and (examples.keys() & set(tabs)) - set(game_tabs):
        lines.append(f"No examples were added, because the workbook already has a game: {', '.join(game_tabs)}.")
    return Report(_data(session, tabs, written=True, secret=file), lines)


def chosen_rulesets(names: Sequence[str]) -> tuple[FormEntry, ...]:
    """Return the forms of the named rulesets in reading order; those of all rulesets for `all` or no name.

    Raises:
        BadParameter: There is no ruleset of a name.
    """
    known = [*dict.fromkeys(form.ruleset_key for form in RULESETS), EVERY]
    for name in names:
        if name not in known:
            use = f"{', '.join(known[:-1])} or {known[-1]}"
            raise click.BadParameter(f'there is no ruleset "{name}". Use {use}.', param_hint="--ruleset")
    return tuple(form for form in RULESETS if not names or EVERY in names or form.ruleset_key in names)


class _FileTarget:
    """File to be made or completed with the tabs it lacks."""

    def __init__(self, ref: WorkbookRef, template: Template, begun: StoredReceipt, seen: OpenWorkbook | None) -> None:
        self._ref, self._template = ref, template
        self._snapshot = ref.session.workbook.read(template.needed) if seen else None
        self._changes = missing(template, self._snapshot, begun) if self._snapshot else None

    def missing_tabs(self) -> tuple[str, ...]:
        return self._template.needed if self._changes is None else _changed_tabs(self._changes)

    def write(self) -> None:
        if self._snapshot is not None and self._changes is not None:
            self._ref.session.workbook.commit(self._snapshot, self._changes)
        elif self._ref.path is not None:
            from sheets_algo.workbook.xlsx.new import write_new

            write_new(self._ref.path, self._template)


class _GoogleTarget:
    """Spreadsheet to be completed with the tabs, lists, notes and protections it lacks."""

    def __init__(self, google: GoogleRef, template: Template) -> None:
        self._google, self._template = google, template

    def missing_tabs(self) -> tuple[str, ...]:
        from sheets_algo.workbook.google.init import complete

        return complete(self._google.api, self._template, dry=True)

    def write(self) -> None:
        from sheets_algo.workbook.google.init import complete

        complete(self._google.api, self._template)


def _opened(ref: WorkbookRef) -> OpenWorkbook | None:
    """Return the existing workbook, or None for a new file.

    Raises:
        WorkbookUnavailable: It cannot be opened; a spreadsheet cannot be made here either.
    """
    if ref.path is not None and not ref.path.exists():
        return None
    try:
        return opened(ref.session, begins=True)
    except WorkbookUnavailable as error:
        has_answered = ref.google is not None and ref.google.api.clock_offset_s is not None
        if ref.google is None or not has_answered:
            raise
        raise WorkbookUnavailable(
            f"{error} A service account cannot make a spreadsheet: make an empty one yourself (https://sheets.new),"
            f" share it with {ref.google.access.email or 'the account'} as Editor, and name its address."
        ) from error


def _check_new_path(workbook: Path) -> None:
    if workbook.exists():
        return
    if workbook.suffix.lower() != ".xlsx":
        raise click.BadParameter(f"a new workbook's name ends in .xlsx: {workbook.stem}.xlsx.", param_hint="WORKBOOK")
    if not workbook.parent.is_dir():
        raise click.BadParameter(f"there is no folder {workbook.parent}; make it first.", param_hint="WORKBOOK")


def _game_tabs(opened: OpenWorkbook) -> tuple[str, ...]:
    """Return the filled tabs of any ruleset, beside which examples must not be added: they would be ruled too."""
    sheets = ((name, opened.snapshot.sheet(name)) for name in tabs_to_read(RULESETS))
    return tuple(name for name, sheet in sheets if sheet and sheet.rows)


def _forms(session: Session, rulesets: Sequence[str], seen: OpenWorkbook | None) -> tuple[Form[Any], ...]:
    """Return the forms of the rulesets that were named, else those of the workbook, else those of the main ruleset."""
    if seen and seen.forms and not rulesets:
        return seen.forms
    return open_forms(session.library, chosen_rulesets(rulesets or [RULESETS[0].ruleset_key]), session.own_maps)


def _changed_tabs(changes: ChangeSet) -> tuple[str, ...]:
    names = [tab.name for tab in changes.tabs]
    names += [cell.tab for cell in changes.cells] + [row.tab for row in changes.rows]
    return tuple(dict.fromkeys(names))


def _data(
    session: Session, tabs: Sequence[str], *, written: bool = False, secret: Path | None = None
) -> dict[str, Any]:
    return {
        "workbook": session.workbook.name,
        "written": written,
        "tabs": [*tabs],
        "secret_file": None if secret is None else str(secret),
    }
