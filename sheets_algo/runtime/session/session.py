"""Session: a workbook with its tables, folder and settings; and the opened workbook."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from engine.columns import columns, loosely, tab_of
from engine.receipt import USUAL, SeasonOptions
from engine.suggest import nearest
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.database.headers import columns_to_format, key_of
from sheets_algo.database.problems import CellRef, ended, quoted
from sheets_algo.database.tables import Table, blank_areas
from sheets_algo.forms.base import Form
from sheets_algo.forms.databases import missing_request_tabs, request_tables
from sheets_algo.forms.rulesets import form_entries, open_forms
from sheets_algo.replays.replay import CannotReplay
from sheets_algo.ruling.luck.beacon import FetchRounds, no_beacon
from sheets_algo.ruling.luck.draw import SECRET_LUCK, SeasonLuck, Secret
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.requests.overrides import Overrides
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.foreign_tabs import PROGRAMS, SHARED, least_signs, renamed_tab, without_foreign
from sheets_algo.steps import HEADERS_TO_READ, STEPS, tabs_to_read
from sheets_algo.workbook.errors import StaleWorkbook, WorkbookError
from sheets_algo.workbook.own_columns import COLUMNS, OwnColumns
from sheets_algo.workbook.snapshot import Areas, Snapshot
from sheets_algo.workbook.store import Workbook
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.template_spec import PICTURE_TABS

Subscriber = Callable[[Any], Iterable[Path] | None]
"""Function called with the `PassResult` after each commit; it may return the pages that it wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A workbook with everything for its rulings."""

    workbook: Workbook  # The spreadsheet
    folder: Path  # The folder of logs, pictures and the season secret
    library: ConfigLoader  # The tables, the rulebook and the packaged maps
    own_maps: Path | None = None  # A moderator's maps folder
    world_map: str = "1066"  # The name or the path of the map of the game
    log_lines_most: int = 500  # The maximum number of lines of one ruling in the Log tab
    is_luck_told: bool = False  # True if a ruling's log ends with its luck
    draws_pictures: bool = True  # True if each ruling's map becomes a file
    writes_replays: bool = False  # True if each ruling's replay page becomes a file
    keeps_boards: bool = False  # True if the tab Boards is maintained for boards inside a spreadsheet (RCP-50)
    title: str = ""  # The title of the season on its site; blank for the years of its wars
    season_options: SeasonOptions = USUAL  # The options of a season that `init` begins here
    # The characters that one pass writes, roughly, before it leaves the rest to the next; None for no limit.
    most: int | None = None
    # True if a season goes on under this program's version of the rules from now on (RCP-17).
    accepts_rules: bool = False
    accepts_columns: bool = False  # True to accept the loss of optional columns (REQ-11)
    season_luck: SeasonLuck = SECRET_LUCK  # The luck of a season that `init` begins here (LUCK-01)
    fetch_rounds: FetchRounds = no_beacon  # Asks the beacon for rounds
    # Returns what the workbook is a copy of (RCP-38); blank for none.
    find_original: Callable[[Session, Receipts], str] = lambda session, receipts: ""
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)  # Returns the time now, UTC and aware
    # The writers of pages that follow from all receipts; called with None for a commit of an earlier process.
    page_writers: tuple[Subscriber, ...] = ()
    on_committed: tuple[Subscriber, ...] = ()  # The subscribers; a failure is reported and harmless
    channels: tuple[ChannelSettings, ...] = ()  # The channels for receipts

    def now(self, later: timedelta = timedelta(0)) -> str:
        """Return the time now, or later, UTC, in ISO 8601, to the second."""
        return (self.clock() + later).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class OpenWorkbook:
    """A snapshot with the forms of its rulesets."""

    snapshot: Snapshot
    forms: tuple[Form[Any], ...]
    receipts: Receipts

    @property
    def overrides(self) -> Overrides:
        """Return the decisions of moderators."""
        return Overrides(self.snapshot, self.receipts, request_tables(self.snapshot, self.forms).values())

    def form(self, key: str) -> Form[Any] | None:
        """Return the form with this key, if the workbook has its request tab."""
        return next((form for form in self.forms if form.key == key), None)

    def form_of(self, receipt: StoredReceipt) -> Form[Any]:
        """Return the form of a ruling.

        Raises:
            CannotReplay: The workbook lacks its request tab.
        """
        form = self.form(receipt.ruleset)
        if form is None:
            raise CannotReplay(f"{receipt.request} was ruled by {receipt.ruleset}, whose request tab is missing.")
        return form

    @property
    def rules_name(self) -> str:
        """Return the rule set of the season; blank if none of its rulesets has several (R-98)."""
        has_several = any(form.ruleset.rule_sets for form in self.forms)
        return self.receipts.options.rules_name if has_several else ""


READS = 3
"""The maximum number of readings of a workbook that is edited meanwhile."""


class NoRequestTab(WorkbookError):
    """A workbook without request tabs."""

    exit_code = 1


def drop_unused_secret(session: Session, secret: Secret, error: WorkbookError) -> None:
    """Delete a new secret if the disk has refused the write that needs it.

    Only a file is refused so, and it is read once more: a season cannot continue without its secret.
    """
    if not isinstance(error.__cause__, OSError):
        return
    with suppress(WorkbookError):
        if not opened(session, begins=True).receipts.season:
            season_secret.drop(session.folder, secret)


def opened(
    session: Session,
    *,
    begins: bool = False,
    whole: Sequence[type] = (),
    with_details: bool = False,
    is_lenient: bool = False,
) -> OpenWorkbook:
    """Read the workbook and build the data of its rulesets.

    Args:
        begins: True if it may lack request tabs.
        whole: Record classes of tabs to read as a whole although a pass needs only the headers, such as the Log.
        with_details: True to find years that are dates, and blank cells with formulas, even if nothing is ready; a pass
            that writes does so first.
        is_lenient: True to leave out unreadable receipts, with their errors; False to raise the first one.

    Raises:
        WorkbookUnavailable: It cannot be read.
        StaleWorkbook: People edited it during every attempt.
        NoRequestTab: It is not the workbook of a map game.
        ConfigError: A table file is wrong.
        ReceiptDamaged: A receipt was changed by hand.
    """
    for attempts_left in reversed(range(READS)):
        snapshot, forms, renamed = _read(session, [*map(key_of, whole)])
        records = [*SHARED, *(record for form in forms for record in form.records())]
        if forms:
            refuse_bad_columns(snapshot, records)
        receipts = replace(read_receipts(snapshot, is_lenient=is_lenient), renamed=renamed)
        receipts = replace(receipts, original=session.find_original(session, receipts))
        snapshot = without_foreign(snapshot, records, receipts.columns, least_signs(receipts))
        forms = tuple(form for form in forms if snapshot.sheet(form.tabs[0]) or form.tabs[0].name in receipts.columns)
        if not forms and not begins:
            raise _no_request_tab(session, snapshot)
        columns = columns_to_format(snapshot, dict.fromkeys(records), with_years=with_details)
        blanks = partial(_blanks, snapshot, forms, None if with_details else receipts)
        try:
            snapshot = session.workbook.with_details(snapshot, columns, blanks)
            break
        except StaleWorkbook:
            if not attempts_left:
                raise
    return OpenWorkbook(snapshot, tuple(form.in_season(receipts.options) for form in forms), receipts)


def _blanks(snapshot: Snapshot, forms: Sequence[Form[Any]], receipts: Receipts | None) -> Areas:
    """Return the areas whose blank cells affect rulings, unless they hold formulas.

    Args:
        receipts: The receipts, if the areas matter only for ready, unruled requests; else None.
    """
    tables = request_tables(snapshot, forms).values()
    alone = (record for step in STEPS if step.acts_alone for record in step.tabs)
    if receipts and not any(map(snapshot.sheet, map(key_of, alone))) and not any(map(receipts.count_unruled, tables)):
        return ()
    records = dict.fromkeys(record for form in forms for record in form.records())
    return tuple(blank_areas(Table.of(snapshot, record) for record in records))


def _read(session: Session, also: Sequence[TabKey]) -> tuple[Snapshot, tuple[Form[Any], ...], str]:
    """Return the workbook, with some tabs as a whole of which a pass needs only the headers, and its forms.

    The last value is the title of a tab similar to a missing tab Receipts; else blank.
    Numbers may still be unrecognised shares.
    """
    whole = (*tabs_to_read(form_entries()), *also)
    heads = (*(tab for tab in HEADERS_TO_READ if tab not in also), *PICTURE_TABS)
    needs = {form.request_tab: form.needed_tabs for form in form_entries()}
    snapshot = without_foreign(session.workbook.read(whole, heads, needs), PROGRAMS)
    receipts, renamed = key_of(ReceiptRow), ""
    if snapshot.sheet(receipts) is None and snapshot.others:
        renamed, _ = renamed_tab(session.workbook, snapshot, [ReceiptRow], [receipts]) or ("", "")
        again = session.workbook.read(whole, heads, needs)  # a store compares with the last reading
        snapshot = without_foreign(again, PROGRAMS)
    if further := [tab for step in STEPS for tab in step.further_tabs(snapshot)]:
        snapshot = without_foreign(session.workbook.read((*whole, *further), heads, needs), PROGRAMS)
    chosen = [form for form in form_entries() if snapshot.sheet(form.request_tab)]
    return snapshot, open_forms(session.library, chosen, session.own_maps), renamed


def _no_request_tab(session: Session, snapshot: Snapshot) -> NoRequestTab:
    names = " or ".join(form.request_tab.name for form in form_entries())
    lookalike = next((f"{problem} " for problem in missing_request_tabs(snapshot)), "")
    way_out = lookalike or "Add one with init, or name another file."
    return NoRequestTab(f"{session.workbook.name}: it has no tab {names}. {way_out}".rstrip())


class BadColumns(WorkbookError):
    """The tab Columns assigns columns wrongly (exit code 1)."""

    exit_code = 1


def refuse_bad_columns(snapshot: Snapshot, records: Iterable[type]) -> None:
    """Refuse a tab Columns with a row that names no tab or column of the program, or assigns one twice.

    Raises:
        BadColumns: It has such rows; the text has a line for each.
    """
    sheet = snapshot.sheet(COLUMNS)
    own = OwnColumns.of(sheet)
    if sheet and (lines := [*_slips(own, sheet.title, [*records])]):
        raise BadColumns("\n".join(lines))


def _slips(own: OwnColumns, title: str, records: Iterable[type]) -> Iterator[str]:
    by_tab = {loosely(tab_of(record).name): record for record in records}
    titles: dict[str, str] = {}
    rows: dict[tuple[str, str], int] = {}
    for each in own.assignments:

        def slip(says: str, allowed: str, row: int = each.row) -> str:
            return f"{CellRef(title, row)}: {ended(says)} {ended(allowed)} [DB-17]"

        if not (each.tab or each.column):
            continue  # the column stays people's own
        names = [tab_of(record).name for record in by_tab.values()]
        record, tab = by_tab.get(loosely(each.tab)), loosely(each.tab)
        headers = {loosely(column.header): column.header for _, column in columns(record)} if record else {}
        if record is None:
            near = f'Did you mean "{near}"' if (near := nearest(each.tab, names)) else f"Use {', '.join(names)}"
            yield slip(f"{quoted(each.tab)} is no tab of the rules", f"{near}?" if "Did" in near else near)
        elif loosely(each.column) not in headers:
            near = nearest(each.column, headers.values())
            meant = f'Did you mean "{near}"?' if near else "docs/reference/tabs.md has its columns, or leave Tab blank"
            yield slip(f"{quoted(each.column)} is no column of {each.tab}", meant)
        elif not (each.title and each.header):
            yield slip("it does not say which tab and header of your own are meant", "Fill Your Tab and Your Header in")
        elif each.factor is None:
            yield slip("the Factor is no number above 0", "Type 1000 for a column in thousands, or leave it blank")
        elif loosely(each.title) in by_tab.keys() - {tab}:
            yield slip(f"{quoted(each.title)} is the name of another tab of the rules", "Give your tab another title")
        elif titles.setdefault(tab, loosely(each.title)) != loosely(each.title):
            yield slip(
                f"{each.tab} is in another tab already", "One tab of yours can stand for it; leave Tab blank here"
            )
        elif (row := rows.setdefault((tab, loosely(each.column)), each.row)) != each.row:
            yield slip(f"{each.tab}, {each.column} has a column already (row {row})", "Leave Tab blank in one of them")
