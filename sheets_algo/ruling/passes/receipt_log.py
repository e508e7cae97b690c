"""Receipts and Log tabs of a snapshot, with the rows that a pass appends."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import msgspec

from engine.columns import tab_of
from engine.receipt import USUAL, SeasonOptions
from engine.ruleset import Event, Plain
from sheets_algo.database.problems import CellRef, Problem
from sheets_algo.database.tables import Table
from sheets_algo.forms.base import Form
from sheets_algo.ruling.luck.beacon import beacon_name
from sheets_algo.ruling.luck.draw import SECRET_LUCK, SeasonLuck
from sheets_algo.ruling.luck.seeds import Secret
from sheets_algo.ruling.promises.promise_problems import is_drawn_with
from sheets_algo.ruling.receipts.chain import NotedHead, losses
from sheets_algo.ruling.receipts.changes import Changes
from sheets_algo.ruling.receipts.former_columns import OptionalColumns
from sheets_algo.ruling.receipts.posts import NO_POSTS, PostFilter, PostRow, new_post, new_turn_post
from sheets_algo.ruling.receipts.reading import read_receipts
from sheets_algo.ruling.receipts.receipts import (
    DIGEST_DIGITS,
    PROTOCOL,
    PROTOCOL_RELEASE,
    LogRow,
    ReceiptRow,
    Receipts,
    SeasonVersions,
    StoredReceipt,
)
from sheets_algo.ruling.requests.program_cells import DatabaseEdit
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.snapshot import Snapshot

DIFFERS_MOST = 60
"""Most differences from the release that a Season row names for a ruleset, so that it takes one row."""


class ReceiptLog:
    """The Receipts and Log tabs of a snapshot, with the rows to append, also to Posts (PST-11).

    Args:
        snapshot: The snapshot.
        changes: The collector of what is written.
        posts: The channels to which new receipts are to be posted.
        receipts: The receipts of the snapshot, if they are read already.

    Raises:
        ReceiptDamaged: A receipt was changed by hand so that it cannot be read.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        changes: Changes,
        posts: PostFilter = NO_POSTS,
        receipts: Receipts | None = None,
    ) -> None:
        self._changes = changes
        self._filter = posts
        self._posts = Table(PostRow, snapshot.sheet(PostRow.tab.name))
        self._receipts = Table(ReceiptRow, snapshot.sheet(ReceiptRow.tab.name))
        self._log = Table(LogRow, snapshot.sheet(LogRow.tab.name))
        self.receipts = receipts or read_receipts(snapshot)
        self.guard: int | None = None
        self._next = self.receipts.next_seq
        self._new: dict[int, StoredReceipt] = {}
        self.head = self.receipts.head
        """The end of the chain with the receipts that were appended."""

    @property
    def with_new(self) -> Receipts:
        """Return the receipts of the snapshot and those that were appended."""
        return Receipts({**self.receipts.by_seq, **self._new})

    @property
    def new(self) -> Collection[StoredReceipt]:
        """Return the receipts that were appended."""
        return self._new.values()

    def numbered(self) -> int:
        """Return the next Seq; the first one is the guard of the commit."""
        seq = self._next
        self.guard = seq if self.guard is None else self.guard
        self._next += 1
        return seq

    def append(self, receipt: StoredReceipt) -> StoredReceipt:
        """Append a receipt behind the last one, in as many rows as it needs; return it with its place in the chain.

        A receipt of kind Restore has its place already: it begins the chain anew behind all receipts that are there.
        """
        if receipt.kind != "Restore":
            receipt = receipt.chained(self.head.digest or receipt.inputs_fingerprint[:DIGEST_DIGITS])
        for cells in receipt.rows():
            self._changes.append(self._receipts, cells)
        if self._filter.channels:
            ruling = receipt if receipt.kind == "Ruling" else self.receipts.ruling_of(receipt.request)
            for channel in self._filter.channels_of(receipt, ruling):
                self._changes.append(self._posts, new_post(receipt, channel), self._filter.looks)
        self._new[receipt.seq] = receipt
        self.head = Head(receipt.seq, receipt.digest)
        return receipt

    def post_turn(self, form: Form[Any], turn: int, what: str, deadline: str, now: str) -> bool:
        """Append posts about the deadline of a turn (TRN-08); return False if no channel is to have them."""
        if self._posts.header_row and "odds" not in self._posts.places:
            return False  # a tab of people that is called Posts
        channels = list(self._filter.channels_of_turns(form))
        for channel in channels:
            cells = new_turn_post(form.ruleset_key, turn, what, deadline, channel, now)
            self._changes.append(self._posts, cells, self._filter.looks)
        return bool(channels)

    def append_log(self, receipt: StoredReceipt, events: Sequence[Event], last: Sequence[Event], most: int) -> None:
        """Append a ruling's log, with a note in place of events that are cut.

        Args:
            last: The last lines, which follow the events and are kept in any case.
            most: The most lines to append.
        """
        last = last[: most - 1]
        room = most - len(last)
        kept = events if len(events) <= room else events[: room - 1]
        self.append_events(receipt, kept)
        if len(kept) < len(events):
            text = f"{len(events) - len(kept)} more lines stand in the log file of this ruling"
            self._changes.append(self._log, {"seq": receipt.seq, "request": receipt.request, "text": text})
        self.append_events(receipt, last)

    def append_events(self, receipt: StoredReceipt, events: Sequence[Event]) -> None:
        """Append lines to a ruling's log."""
        for event in events:
            self._changes.append(self._log, _log_cells(receipt, event))


def season_receipt(
    seq: int,
    secret: Secret,
    now: str,
    options: SeasonOptions = USUAL,
    columns: OptionalColumns | None = None,
    luck: SeasonLuck = SECRET_LUCK,
    versions: SeasonVersions = SeasonVersions(),  # noqa: B008 - frozen
) -> StoredReceipt:
    """Return the first receipt of a season: the digest of its secret, options, luck, columns and versions (RCP-13)."""
    wiki = f"The SHA-256 of this season's secret is {secret.digest}."
    wiki += f" Each request is decided by a round of {beacon_name(luck.chain)}." if luck.is_beacon else ""
    for ruleset, lines in versions.differs.items():
        wiki += f" The tables of {ruleset} differ from the release: {'; '.join(lines)}."
    chosen = {name: value for name, value in asdict(options).items() if value}
    chosen |= msgspec.to_builtins(luck) | msgspec.to_builtins(versions)
    chosen |= {"columns": columns} if columns else {}
    inputs = msgspec.json.encode(chosen).decode() if chosen else ""
    begun = StoredReceipt(seq=seq, kind="Season", wiki=wiki, inputs_fingerprint=secret.digest, inputs=inputs, time=now)
    return begun.chained(secret.digest[:DIGEST_DIGITS])


def versions_of(forms: Sequence[Form[Any]], differences: Callable[[str], tuple[str, ...]]) -> SeasonVersions:
    """Return the versions of this program, and its numbers that are not the release's, with which a season begins.

    Args:
        differences: Returns what the tables of a ruleset have otherwise than the release.
    """
    rules = {form.key: form.ruleset.version for form in forms}
    keys = dict.fromkeys(form.ruleset_key for form in forms)
    differs = {key: _limited(lines) for key in keys if (lines := differences(key))}
    return SeasonVersions(protocol=PROTOCOL, needs=PROTOCOL_RELEASE, rules=rules, differs=differs)


def _limited(lines: tuple[str, ...]) -> tuple[str, ...]:
    more = len(lines) - DIFFERS_MOST
    return (*lines[:DIFFERS_MOST], f"and {more:,} more") if more > 0 else lines


def rules_receipt(seq: int, form: Form[Any], now: str) -> StoredReceipt:
    """Return the receipt of a season that goes on under this program's version of a ruleset's rules (RCP-17)."""
    version, release = form.ruleset.version, form.ruleset.releases[-1]
    wiki = f"From here on {form.key} is ruled by version {version} of its rules (sheets-algo {release})."
    return StoredReceipt(seq=seq, kind="Rules", ruleset=form.key, wiki=wiki, rules_version=version, time=now)


def columns_receipt(seq: int, columns: OptionalColumns, had: OptionalColumns, now: str) -> StoredReceipt:
    """Return the receipt by which the optional columns that a workbook has, and no others, are accepted (REQ-11)."""
    inputs = msgspec.json.encode({"columns": columns}).decode()
    lost = [f"the tab {tab}" for tab in had if tab not in columns]
    lost += [f"{head} in {tab}" for tab in columns for head in had.get(tab, ()) if head not in columns[tab]]
    wiki = f"From here on the workbook does without {'; '.join(lost)}." if lost else "These columns are the season's."
    return StoredReceipt(seq=seq, kind="Columns", wiki=wiki, inputs=inputs, time=now)


def edits_receipt(seq: int, form: Form[Any], edits: Iterable[DatabaseEdit], now: str) -> StoredReceipt:
    """Return the receipt by which cells that people have changed after rulings are accepted (RCP-30)."""
    changes = tuple(edit.change for edit in edits)
    names = dict.fromkeys(f"{change.field} of {change.row}" for change in changes)
    wiki = f"Changed by hand after a ruling, and accepted: {'; '.join(names)}."
    return StoredReceipt(seq=seq, kind="Edits", ruleset=form.key, wiki=wiki, changes=changes, time=now)


def other_rules(form: Form[Any], receipts: Receipts, *, accepts: bool = False) -> Problem | None:
    """Return the problem of a season that goes on under another version of a ruleset's rules than this program's.

    Args:
        receipts: The receipts of the workbook.
        accepts: True if a newer version is accepted; an older one never is.
    """
    begun, own = receipts.rules_version(form.key), form.ruleset.version
    if begun is None or begun == own or (accepts and begun < own):
        return None
    says = f"the season is ruled by version {begun} of {form.ruleset_key}, and this program has {own}"
    accept = "Install the version that ruled it, or let it go on under the new rules with run --accept-rules"
    allowed = accept if begun < own else "Install the newer program"
    return Problem(cell=CellRef(tab_of(form.request).name), says=says, allowed=allowed, id="RCP-17")


def hold(receipts: Receipts, noted: Iterable[NotedHead] = ()) -> Problem | None:
    """Return the problem of the workbook because of which nothing may be ruled, None if there is none.

    Args:
        noted: The heads of the chain that are noted elsewhere.
    """
    cell, versions = CellRef(ReceiptRow.tab.name), receipts.versions
    if receipts.damages:
        return Problem(cell=cell, says=receipts.damages[0].removesuffix("."), id="RCP-01")
    if trouble := _row_trouble(receipts):
        return Problem(cell=cell, says=trouble.removesuffix("."), id="RCP-03")
    if versions.protocol > PROTOCOL:
        says = f"the season needs sheets-algo {versions.needs} or newer, and this program is older; it rules nothing"
        return Problem(cell=cell, says=says, allowed="Install the newer program", id="RCP-17")
    if found := losses(receipts, noted):
        return found.problem
    if not receipts.season:
        says = "no season has begun in this workbook, so nothing is ruled"
        return Problem(cell=cell, says=says, allowed="Type sheets-algo init WORKBOOK first", id="RCP-13")
    return None


def season_trouble(receipts: Receipts, secret: Secret | None) -> str:
    """Return the reason why a season cannot go on with a secret, blank if it can.

    People can edit the digest in the season's row, so every seed that was derived from the secret is checked too,
    except for receipts whose inputs were edited, which `verify` reports.

    Args:
        receipts: The receipts of the workbook.
        secret: The secret at hand; None checks only that the season's row exists.
    """
    return _row_trouble(receipts) or (secret_trouble(receipts, secret) if secret and receipts.by_seq else "")


def _row_trouble(receipts: Receipts) -> str:
    """Return the reason why the Season row cannot be that of the other receipts, blank if it can."""
    if not receipts.by_seq:
        return ""
    if not receipts.season:
        return (
            f"The row of Kind Season in {ReceiptRow.tab.name}, or the digest of the season secret in it, is gone: bring"
            " it back from an older version; nothing is ruled without it."
        )
    kind = "beacon" if receipts.luck.is_beacon else "secret"
    for ruling in receipts.rulings:
        if (ruling.draw is not None) != receipts.luck.is_beacon:
            return (
                f"The Season row says that the season has {kind} luck, and receipt {ruling.seq} ({ruling.request}) was"
                " ruled otherwise: bring the row that was edited back from an older version."
            )
    return ""


def secret_trouble(receipts: Receipts, secret: Secret) -> str:
    """Return the reason why a secret cannot be that of a season, blank if it can."""
    if receipts.season and receipts.season != secret.digest:
        return (
            f"The season secret at hand (SHA-256 {secret.digest[:12]}...) is not this workbook's"
            f" ({receipts.season[:12]}...): use the secret that the season began with."
        )
    for ruling in receipts.rulings:
        draw = ruling.draw
        is_ours = ruling.seed_source == "season" or draw is not None
        is_comparable = is_ours and ruling.fingerprint == ruling.inputs_fingerprint
        if is_comparable and not is_drawn_with(ruling, receipts, secret):
            return (
                f"Receipt {ruling.seq} ({ruling.request}) was not ruled under the season secret at hand (SHA-256"
                f" {secret.digest[:12]}...): use the secret that the season began with, or restore the receipt if it"
                " was edited."
            )
    return ""


def _log_cells(receipt: StoredReceipt, event: Event) -> Mapping[str, Plain]:
    return {
        "seq": receipt.seq,
        "request": receipt.request,
        "hour": event.hour,
        "side": event.side,
        "flank": event.flank,
        "event": event.kind,
        "amount": event.amount,
        "rule": event.id,
        "text": event.text,
    }
