"""The protocol of a store: the addresses of its workbooks, their opening, and the methods of an open one.

A store is a subclass of `Store` and one of `Workbook`, which a package declares as an entry point; docs/new-store.md
builds one.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sheets_algo.workbook.changes import ChangeSet, CommitResult
from sheets_algo.workbook.findings import Finding
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.snapshot import NO_NEEDS, Areas, Columns, Needs, Snapshot
from sheets_algo.workbook.tab_key import TabKey
from sheets_algo.workbook.template_spec import Template

RetryNotice = Callable[[str, str], None]
"""Callback for a repeated request, with the key of the workbook and the reason in a sentence."""


ADDRESS = "://"
"""Part of an address, which no path has."""


@dataclass(frozen=True, slots=True)
class WorkbookAddress:
    """The address of a workbook, as typed."""

    store: Store  # The store that opens it
    key: str  # The unique name in its store: the path of a file, the id of a spreadsheet
    folder: Path  # The folder of its `sheets-algo.toml`


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenOptions:
    """Options for opening workbooks."""

    folder: Path  # The folder for files of workbooks without their own folder
    credentials: Path | tuple[Path, ...] | None  # The key file of an account or of several, if one was chosen
    requests: int  # The maximum of read requests a minute, and of write requests, for all workbooks together
    on_retry: RetryNotice  # Called when a request is sent again
    patience_s: float = 120.0  # The seconds for which a failing request is repeated
    recalc: bool = False  # True to compute formulas without a value
    stop: threading.Event | None = None  # The event that ends every wait
    interval: float = 0.0  # The seconds between two polls of a watcher; 0 for a single use
    # Waits until other machines leave room for a request: name of the account, requests a minute, kind; None without.
    elsewhere: Callable[[str, int, str], object] | None = None


@dataclass(slots=True)
class RequestCounts:
    """The requests sent so far."""

    reads: int = 0  # The number of reads, retries included
    writes: int = 0  # The number of writes, retries included
    retries: int = 0  # The number of requests that were repeated
    waited_s: float = 0.0  # The seconds spent waiting for the budget or before another attempt
    bytes: int = 0  # The size of the bodies of all answers, unpacked
    # The reads by cause, retries included: `round` for polls of the slow round, `typing` for those after an edit,
    # `poll` for those without Drive, `pass` for the cells of a pass, `details`, `titles`, `check` before a write, and
    # `other`.
    causes: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class RemoteLook:
    """The result of another process's poll of a workbook."""

    name: str  # The workbook's name
    requests: RequestCounts | None  # The requests of the process
    reads_left: int | None  # The reads that it could send at once


class Store(ABC):
    """A kind of workbook: the addresses that it recognises, and the opening of its workbooks."""

    ending = ""
    """Ending of its files' or folders' names, in small letters with the full stop; blank if it has none."""
    takes_rest = False
    """True if it comes last, and takes all addresses that no other store recognises."""
    is_online = False
    """True if workbooks are at a service, with the settings for requests and for the folder of their files."""
    no_recalc = "There are no formulas to calculate; leave this option out."
    """Reason why `--recalc` is refused; blank if formulas without a value can be computed."""

    def knows_file(self, typed: str) -> bool:
        """Return True if a text has the ending of this store, and is not an address of the internet."""
        return self.ending != "" and typed.casefold().endswith(self.ending) and "://" not in typed

    def address(self, typed: str) -> WorkbookAddress | None:
        """Return the address of a workbook from a typed text, or None if this store has no such workbook.

        Raises:
            BadAddress: No store has such a workbook.
        """
        path = Path(typed)
        return WorkbookAddress(self, str(path), path.parent) if self.knows_file(typed) else None

    @abstractmethod
    def open(self, keys: Sequence[str], options: OpenOptions) -> Sequence[Workbook]:
        """Return workbooks that may not exist yet, one for each key; they share the limits of `options`.

        Raises:
            WorkbookError: None of them can be opened; waiting would not help.
        """

    def shared(self, options: OpenOptions) -> Sequence[tuple[str, str, bool]]:
        """Return the workbooks that people share with the program: key, time of the last change, and True if writable.

        Raises:
            WorkbookError: The shares are unknown; the text gives the reason.
        """
        return ()


class Workbook(ABC):
    """A workbook that can be created, described, read and changed. A store without files overrides `folder`."""

    folder = Path()
    """Folder of logs, pictures and the season secret."""
    most_at_once: int | None = None
    """Approximate maximum of characters that one commit writes; None for no limit."""
    free_polls = 1
    """Number of polls in an interval of which those that find no change cost nothing."""
    has_scripts = False
    """True if people can add a script to it that shows strategy boards."""
    requests: RequestCounts | None = None
    """The requests sent to a service; None where none are sent."""

    def rooms(self, changes: int) -> Mapping[Path, int]:
        """Return the folders beside the workbook for the files of a commit, each with the required bytes.

        Args:
            changes: The characters of its changes.

        Raises:
            WorkbookError: The workbook cannot be found.
        """
        return {}

    @property
    def url(self) -> str:
        """Return the address of the workbook for other machines; blank for none."""
        return ""

    @property
    def place(self) -> str:
        """Return where it is, which no copy of it shares: the path of a file, else its address; blank for neither.

        A store whose places are paths overrides `at` too.
        """
        return self.url if ADDRESS in self.url else ""

    def at(self, place: str) -> Workbook:
        """Return the workbook at another place of its store, by which a copy is told from a file that was moved."""
        raise NotImplementedError

    @property
    def reads_left(self) -> int | None:
        """Return the number of reads that could be sent at once now; None for a store without requests."""
        return None

    @property
    @abstractmethod
    def name(self) -> str:
        """Return the name for messages: a file name or a spreadsheet's title."""

    # Read and commit, for every pass

    @abstractmethod
    def read(self, tabs: Sequence[TabKey], headers_only: Sequence[TabKey] = (), needs: Needs = NO_NEEDS) -> Snapshot:
        """Read some tabs completely; of those in `headers_only`, the first ten rows are enough.

        Args:
            needs: Tabs that other tabs depend on; before such a tab is reported as missing, it is looked up again.

        Raises:
            WorkbookUnavailable: The workbook cannot be read; the text gives the reason.
        """

    def with_details(self, snapshot: Snapshot, columns: Columns, blanks: Callable[[], Areas] = tuple) -> Snapshot:
        """Return the snapshot of `read` with details of some cells from a second reading.

        By default that is the snapshot, which has them already.

        Args:
            columns: The columns in which numbers formatted as per cent or dates become `PerCent` or dates.
            blanks: Returns the areas in which formulas without a visible value become `BlankFormula`.

        Raises:
            StaleWorkbook: The workbook changed since it was read.
            WorkbookUnavailable: The workbook cannot be read; the text gives the reason.
        """
        return snapshot

    def has_formulas(self, snapshot: Snapshot, columns: Columns) -> bool:
        """Return True if cells of some columns show results of formulas, which a write may change; by default none do.

        Raises:
            WorkbookError: The formulas cannot be read.
        """
        return False

    def heads(self, *, asks: bool) -> Sequence[Head]:
        """Return the heads of the chain of receipts that the store has noted where people cannot edit them.

        By default there are none.

        Args:
            asks: True to look them up now; False for those of the last commit's reading.

        Raises:
            WorkbookUnavailable: They cannot be looked up.
        """
        return ()

    @property
    def heads_place(self) -> str:
        """Return the place of `heads`, for messages."""
        return ""

    def noted_posts(self) -> str | None:
        """Return the protected note of the last commit with `ChangeSet.posts`, blank before the first.

        By default, and for a store without notes, that is None.

        Raises:
            WorkbookUnavailable: The note cannot be read.
        """
        return None

    def forget(self) -> None:  # noqa: B027 - a store that keeps nothing between reads has nothing to forget
        """Look up the tabs again at the next read, since another program may have added some."""

    def is_unchanged(self) -> bool:
        """Return True if everything that the last `read` returned is unchanged; False also if unknown.

        Raises:
            WorkbookUnavailable: The workbook cannot be read; the text gives the reason.
        """
        return False

    def note_remote(self, look: RemoteLook, ago: float) -> None:  # noqa: B027 - few stores are looked at remotely
        """Note another process's poll of some seconds ago as one of this workbook."""

    @abstractmethod
    def commit(self, snapshot: Snapshot, changes: ChangeSet) -> CommitResult:
        """Write all of `changes` or nothing.

        Raises:
            StaleWorkbook: The workbook changed since `snapshot`.
            RefusedChange: A planned cell may not be written.
            WorkbookLocked: Another program has the workbook open.
            WorkbookUnavailable: The workbook cannot be written.
        """

    def rehearse(self, snapshot: Snapshot, changes: ChangeSet) -> None:  # noqa: B027 - without it, `commit` tells
        """Refuse the blocked cells that `commit` would refuse, and write nothing.

        Raises:
            RefusedChange: A planned cell may not be written.
            WorkbookError: The cells cannot be read.
        """

    def settle(self) -> None:
        """Finish the files of a killed commit beside the workbook; by default there are none.

        `read` has succeeded before. Failures are left for later.
        """
        return

    def is_asked_to_begin(self, *, greets: bool = True) -> bool:
        """Return True if the owner of a shared workbook asks for a game in it; greet him once before.

        Args:
            greets: False if a game has begun in it, whose owner needs no greeting.

        Raises:
            WorkbookError: It cannot be read or written.
        """
        return False

    # Make and complete, for `init`

    def is_new(self) -> bool:
        """Return True if the workbook does not exist, so that `create` makes it.

        Raises:
            BadAddress: It does not exist, and cannot be created there.
        """
        return False

    def create(self, template: Template) -> None:
        """Create the workbook, as a whole or not at all.

        Raises:
            WorkbookUnavailable: It exists already, or cannot be written.
        """
        raise NotImplementedError

    @property
    def how_to_create(self) -> str:
        """Return the advice for a missing workbook that only people can create, a sentence; else blank."""
        return ""

    def complete(
        self, template: Template, missing: Callable[[Snapshot], ChangeSet], *, dry: bool = False
    ) -> tuple[TabKey, ...]:
        """Add the missing tabs and cells; existing ones stay.

        Args:
            missing: Function that returns the tabs and cells that a snapshot of `template.needed` lacks.

        Returns:
            The tabs that lack something.

        Raises:
            WorkbookError: As `read` and `commit`.
        """
        snapshot = self.read(template.needed).without(template.foreign)
        changes = missing(snapshot)
        if not dry:
            self.commit(snapshot, changes)
        return changes.tabs_written

    # Describe, for `doctor`

    def examine(self) -> Iterator[Finding]:
        """Yield findings about access to the workbook; after a failed `access` nothing else is tried."""
        yield from ()

    def examine_season(self, season: str) -> Iterator[Finding]:
        """Yield findings about the season from a protected record, if the store keeps one.

        Args:
            season: The digest in the Season row, or blank.
        """
        yield from ()
