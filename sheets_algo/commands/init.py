"""The command `init`: make a new workbook, or complete an existing file or spreadsheet."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from sheets_algo.commands.opening import workbook_ref
from sheets_algo.commands.report import Report
from sheets_algo.config.settings import FILE, add_maps, maps_line
from sheets_algo.database.problems import quoted
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import lacking, optional_columns
from sheets_algo.forms.own_sheet import Proposal
from sheets_algo.forms.rulesets import FormEntry, form_entries, open_forms, ruleset_names
from sheets_algo.ruling.luck.beacon import UNCHECKED, beacon_name, can_check_signatures
from sheets_algo.ruling.receipts.chain import hold, losses
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.ruling.receipts.season_receipts import season_receipt, versions_of
from sheets_algo.runtime.locate import WorkbookRef
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.foreign_tabs import (
    LEAST_BEFORE_INIT,
    PROGRAMS,
    SHARED,
    assign,
    least_signs,
    proposal_of,
    refuse_beside_renamed,
    without_foreign,
)
from sheets_algo.runtime.session.lineage import new_lineage
from sheets_algo.runtime.session.record import forget_former, note_head, note_place, noted_heads
from sheets_algo.runtime.session.session import OpenWorkbook, Session, drop_unused_secret, opened
from sheets_algo.steps import tabs_to_read
from sheets_algo.template import examples_of, missing, template
from sheets_algo.workbook.errors import BadAddress, BadSetting, RefusedChange, WorkbookError, WorkbookUnavailable
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.snapshot import Snapshot
from sheets_algo.workbook.store import Workbook, WorkbookAddress

EVERY = "all"
"""Option value for all rulesets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InitChoices:
    """Options of the command beside those of a workbook."""

    rulesets: Sequence[str] = ()  # The names of rulesets whose tabs are added; none for those of the workbook
    empty: bool = False  # True to leave the examples out
    overrides: bool = False  # True to add the tab Overrides
    full: bool = False  # True to open all groups of columns of the tabs that are made
    dry: bool = False  # True to write nothing
    luck: str | None = None
    rules: str | None = None
    rename: bool = False  # True to make tabs beside people's own of the same names without asking
    # True to accept the proposals for people's own tabs, False to propose nothing, None to ask.
    takes_columns: bool | None = False


def init(**options: Any) -> Report:
    """Make a new workbook, or add what an existing one lacks; the options are `InitChoices` and those of a workbook."""
    choices = InitChoices(**{name: options.pop(name) for name in {*InitChoices.__dataclass_fields__} & {*options}})
    report = begin(workbook_ref(luck=choices.luck, rules=choices.rules, **options), choices)
    maps = options.get("maps")
    return with_maps(report, options["workbook"], maps, dry=choices.dry) if maps else report


def begin(ref: WorkbookRef, choices: InitChoices) -> Report:
    """Make a new workbook, or add what an existing one lacks.

    Raises:
        UsageError: People have tabs of their own with names of the program's, and have not agreed to tabs beside them;
            or that look like the program's, and have not agreed to what is proposed of them.
        BadParameter: There is no such ruleset, the season has begun with another luck or by other rules, or the
            rulesets have no rules of a name.
        WorkbookUnavailable: Receipts are gone, so that another season would begin beside the results of this one.
        BadSetting: A season with beacon luck would begin, and no signature can be checked here (LUCK-05).
    """
    dry, luck, rules = choices.dry, choices.luck, choices.rules
    session, workbook = ref.session, ref.session.workbook
    book = None if _is_new(workbook) else _opened(session)
    forms = _forms(session, choices.rulesets, book)
    receipts = book.receipts if book else None
    if receipts and receipts.by_seq and luck not in (None, receipts.luck.luck):
        says = f"the season has begun with {receipts.luck.luck} luck, which stays. Begin another season for {luck}."
        raise click.BadParameter(says, param_hint="--luck")
    season = receipts.options if receipts and receipts.by_seq else session.season_options
    if rules not in (None, season.rules_name):
        says = f"the season has begun by the rules of {season.rules_name}, which stay."
        raise click.BadParameter(f"{says} Begin another season for {rules}.", param_hint="--rules")
    if rules and not any(form.ruleset.rule_sets for form in forms):
        says = f"{forms[0].ruleset_key} has one rule set only. Leave the option out."
        raise click.BadParameter(says, param_hint="--rules")
    forms = tuple(form.in_season(season) for form in forms)
    begins_beacon = session.season_luck.is_beacon and not (receipts and receipts.by_seq)
    if begins_beacon and not can_check_signatures():
        raise BadSetting(f"luck: {UNCHECKED}. Nothing is made.")
    if receipts and (lost := losses(receipts, noted_heads(session, receipts.record_key, asks=False))):
        raise WorkbookUnavailable(f"{workbook.name} is not completed. {lost.problem}")
    if receipts and receipts.renamed:
        raise RefusedChange(f"{workbook.name} is not completed. {hold(receipts)}")
    asides: list[str] = []
    known_secret = season_secret.find(session.folder, receipts.season if receipts else "")
    secret = known_secret or season_secret.make()
    snapshot = book.snapshot if book else Snapshot({})
    if book:
        records = [*PROGRAMS, *SHARED, *(record for form in forms for record in form.records())]
        is_made_for_it = bool(book.receipts.by_seq or book.forms)
        least = least_signs(book.receipts) if is_made_for_it else LEAST_BEFORE_INIT
        snapshot = without_foreign(snapshot, records, book.receipts.columns, least)
    columns = optional_columns(forms, snapshot, is_completed=True)
    seq = receipts.next_seq if receipts else 1
    begun = season_receipt(
        seq,
        secret,
        session.now(),
        session.season_options,
        columns,
        session.season_luck,
        versions_of(forms, session.library.differences),
        new_lineage(workbook),
    )
    if book and not book.receipts.by_seq and choices.takes_columns is not False:
        proposal = proposal_of(workbook, snapshot, forms)
        if proposal.assignments and not dry:
            _agree(proposal, choices.takes_columns)
            assign(workbook, proposal)
            again = begin(ref, replace(choices, takes_columns=False))
            return replace(again, lines=[*proposal.lines(), *again.lines])
        asides = [*proposal.lines()]
    game_tabs = _game_tabs(snapshot)  # a workbook with a game gets no examples
    examples = examples_of(forms, session.library)
    is_empty = choices.empty or bool(game_tabs)
    new_template = template(
        forms,
        examples,
        is_empty,
        begun,
        with_overrides=choices.overrides,
        is_open=choices.full,
        foreign=snapshot.foreign,
    )
    missing_tabs = partial(missing, new_template, season=begun)
    tabs = workbook.complete(new_template, missing_tabs, dry=True) if book else new_template.needed
    if book:
        records = [record for form in forms for record in form.records()]
        refuse_beside_renamed(workbook, snapshot, records, tabs, f"{workbook.name} is not completed")
    further = [*lacking(forms, snapshot)] if book else []
    if not tabs:
        return Report(_data(session, ()), [f"Nothing to do: {workbook.name} has every tab.", *further])
    names = [snapshot.key(tab).name for tab in tabs]
    beside = [
        f"The tab {quoted(snapshot.foreign[tab])} is not the program's: it stays as it is and is not read; the"
        f" program's is {quoted(snapshot.key(tab).name)}."
        for tab in tabs
        if tab in snapshot.foreign and tab not in snapshot.sheets
    ]
    if dry:
        done = "would be completed" if book else "would be made"
        line = f"{workbook.name} {done}: {', '.join(names)}. Nothing is written (dry run)."
        return Report(_data(session, names), [*asides, *beside, line, *further])
    if beside and not choices.rename and not _confirms(beside, "Make the program's tabs beside yours?"):
        ways_out = "Add --rename to agree. Or rename your own; or, if a tab is meant, give it the program's headers."
        raise click.UsageError(f"{' '.join(beside)} {ways_out}")
    # Kept before anything is written, since a digest without its secret is useless.
    file = season_secret.keep(session.folder, secret) if known_secret is None else None
    try:
        if book:
            workbook.complete(new_template, missing_tabs)
        else:
            forget_former(session)
            workbook.create(new_template)
    except WorkbookError as error:
        if file and workbook.is_new():
            season_secret.drop(session.folder, secret)
        elif file:
            drop_unused_secret(session, secret, error)
        raise
    if not (receipts and receipts.by_seq):
        if book and opened(session, begins=True).receipts.season != secret.digest:
            if file:
                season_secret.drop(session.folder, secret)
            raise RefusedChange(
                f"{workbook.name}: somebody else began the season at the same time, with a secret of their own. Ask for"
                " theirs: no other is of use."
            )
        note_place(session, Receipts({begun.seq: begun}))
        note_head(session, secret.digest, Head(begun.seq, begun.digest))
    lines = [*asides, *beside, f"{workbook.name} is {'completed' if book else 'made'}: {', '.join(names)}.", *further]
    if file:
        lines.append(f"The season secret is in {file}. Keep it with the workbook, and keep it secret.")
    if begins_beacon:
        lines.append(
            f"Each request is promised a round of {beacon_name(session.season_luck.chain)} before it is ruled."
        )
    if game_tabs and not choices.empty and (examples.keys() & set(names)) - set(game_tabs):
        lines.append(f"No examples were added, because the workbook already has a game: {', '.join(game_tabs)}.")
    return Report(_data(session, names, written=True, secret=file), lines)


def with_maps(report: Report, address: WorkbookAddress, maps: Path, *, dry: bool) -> Report:
    """Write the setting `maps` where later commands on the workbook find it; return its report.

    That is the folder of a file, or the current folder for a spreadsheet. An existing setting stays.
    """
    file, line = address.folder / FILE, maps_line(address.folder, maps)
    here = " that are typed in this folder" if address.store.is_online else ""
    known = f"so that later commands{here} know the folder"
    data, code = report.data, report.code
    try:
        former = add_maps(address.folder, maps, dry=dry)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or "the folder's name is not UTF-8"
        says = f"{file} cannot be written ({why}). Add this line to it, {known}: {line}"
        code = WorkbookUnavailable.exit_code
    else:
        if former is None:
            says = f"{file} {'would get' if dry else 'has'} the setting {line}, {known}."
            data = data | {"settings_file": None if dry else str(file)}
        elif former.resolve() == maps.resolve():
            return report
        else:
            says = (
                f"{file} names another folder of maps, {former}, and stays as it is. For this one, write there: {line}"
            )
    return replace(report, data=data, lines=[*report.lines, says], code=code)


def chosen_rulesets(names: Sequence[str]) -> tuple[FormEntry, ...]:
    """Return the forms of the named rulesets in reading order; those of all rulesets for `all` or no name.

    Raises:
        BadParameter: There is no ruleset of a name.
    """
    known = [*ruleset_names(), EVERY]
    for name in names:
        if name not in known:
            use = f"{', '.join(known[:-1])} or {known[-1]}"
            raise click.BadParameter(f'there is no ruleset "{name}". Use {use}.', param_hint="--ruleset")
    return tuple(form for form in form_entries() if not names or EVERY in names or form.ruleset_key in names)


def _agree(proposal: Proposal, takes_columns: bool | None) -> None:
    """Ask on a terminal whether a proposal is right, unless the answer was given before.

    Raises:
        UsageError: The proposal is not confirmed.
    """
    if takes_columns or _confirms(proposal.lines(), "Take these columns, and write them into the tab Columns?"):
        return
    ways_out = "Add --yes to take these columns, which the tab Columns then lists, or --no to leave your tabs alone."
    raise click.UsageError("\n".join((*proposal.lines(), ways_out)))


def _confirms(lines: Iterable[str], question: str) -> bool:
    """Ask on a terminal; return False without one."""
    is_asked = sys.stdin.isatty() and sys.stderr.isatty()
    return is_asked and click.confirm("\n".join((*lines, question)), err=True)


def _is_new(workbook: Workbook) -> bool:
    try:
        return workbook.is_new()
    except BadAddress as error:
        raise click.BadParameter(str(error), param_hint="WORKBOOK") from error


def _opened(session: Session) -> OpenWorkbook:
    """Return the existing workbook.

    Raises:
        WorkbookUnavailable: It cannot be opened; for stores whose workbooks people create, the text says how.
    """
    try:
        return opened(session, begins=True)
    except WorkbookUnavailable as error:
        if how := session.workbook.how_to_create:
            raise WorkbookUnavailable(f"{error} {how}") from error
        raise


def _game_tabs(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the tabs of any ruleset that have rows; examples beside these would be ruled too."""
    sheets = ((tab, snapshot.sheet(tab)) for tab in tabs_to_read(form_entries()))
    return tuple(tab.name for tab, sheet in sheets if sheet and sheet.rows)


def _forms(session: Session, rulesets: Sequence[str], book: OpenWorkbook | None) -> tuple[Form[Any], ...]:
    """Return the forms of the rulesets that were named, else those of the workbook, else those of the main ruleset."""
    names = rulesets or ([form.ruleset_key for form in book.forms] if book else []) or ruleset_names()[:1]
    return open_forms(session.library, chosen_rulesets(names), session.own_maps)


def _data(
    session: Session, tabs: Sequence[str], *, written: bool = False, secret: Path | None = None
) -> dict[str, Any]:
    return {
        "workbook": session.workbook.name,
        "written": written,
        "tabs": [*tabs],
        "secret_file": None if secret is None else str(secret),
        "settings_file": None,
    }
