"""The receipts that the tab Receipts stores, for good.

A request is resolved if and only if a receipt names it. A receipt that is longer than a cell takes several rows with
one Seq, numbered by Part; nothing is ever cut.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import NamedTuple

import msgspec

from engine.casualties import Casualties
from engine.columns import columns, loosely
from engine.receipt import USUAL, SeasonOptions
from engine.ruleset import Plain
from sheets_algo.database.cell_text import as_text
from sheets_algo.database.grouping import grouped
from sheets_algo.database.problems import CELL_MOST
from sheets_algo.database.records import RULE_AGAIN
from sheets_algo.database.tables import Row
from sheets_algo.forms.request_columns import is_ready, request_id
from sheets_algo.ruling.luck.draw import DRAW, LUCK, SECRET_LUCK, Cell, Draw, SeasonLuck
from sheets_algo.ruling.receipts.receipt_rows import (
    COLUMNS,
    LINEAGE,
    LISTING_COLUMNS,
    SEALED,
    SEASON,
    SIDES,
    VERSIONS,
    Lineage,
    ReceiptRow,
    Sealed,
    SeasonVersions,
    WarSides,
)
from sheets_algo.workbook import cell_limits
from sheets_algo.workbook.errors import WorkbookError
from sheets_algo.workbook.head import Head


@dataclass(frozen=True, slots=True)
class Change:
    """A database cell that a ruling changed."""

    tab: str  # The tab's name
    row: str  # The row's name
    field: str  # The column's header
    before: Plain  # The value before the ruling, None for a blank cell
    after: Plain  # The value that the ruling wrote

    @property
    def cell(self) -> Cell:
        """Return its cell, normalised for comparison."""
        return self.tab, loosely(self.row), self.field


@dataclass(frozen=True, slots=True)
class PartResult:
    """Results in one of the request's other rows."""

    tab: str  # The tab's name
    digest: str  # The digest of the people's cells in the row, which identifies it after it is moved
    values: Mapping[str, Plain]  # The values of the program's columns by header
    # The numbers, from 0, of the ruling's results that it joins; blank where rows and results are in one order.
    joins: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LapsedOrder:
    """A lapsed order in the receipt that ended its turn (REQ-18)."""

    why: str  # The reason of its lapse, a clause
    cells: Mapping[str, str]  # The cells of the order, as `Figures.cells`


DECIDED, INHERITED = "\n=== Decided by people ===", "Fought with what these left"
"""Heading of a receipt's section on people's decisions, and prefix of inherited ones."""
_OF_OTHERS = re.compile(rf"({DECIDED})?\n\* {INHERITED}: .*")


@dataclass(frozen=True, slots=True)
class Figures:
    """Results of a ruling for the program's columns of the request."""

    message: str  # The request's Message
    values: Mapping[str, Plain]  # The values of the request's result columns by header
    parts: tuple[PartResult, ...] = ()  # The results in the request's other rows
    row: str = ""  # The digest of the people's cells in the request's row, without the id (REQ-08)
    # The cells that decided the ruling, by header, as they were read (REQ-16).
    cells: Mapping[str, str] = field(default_factory=dict)
    # The orders that lapsed with the turn that the ruling ended, by request.
    lapsed: Mapping[str, LapsedOrder] = field(default_factory=dict)
    part_of: str = ""  # The war of several battles that the row named (REQ-19)
    ends_war: bool = False  # True if the row ended that war (REQ-20)
    casualties: tuple[Casualties, ...] = ()  # Of each army
    people: tuple[str, ...] = ()  # People's decisions in place of luck and rules: decision, seed, roll (RCP-37)
    origins: tuple[int, ...] = ()  # The earlier receipts whose decisions its inputs inherit (RCP-37)
    release: str = ""  # The release whose words receipt, message and log have (RCP-34); blank in older receipts
    log: str = ""  # The digest of its lines in the tab Log, without those that compare it with other battles

    def encode(self) -> str:
        """Return the figures as JSON, without blank optional fields."""
        content = msgspec.to_builtins(self)
        for name in ("lapsed", "part_of", "ends_war", "casualties", "people", "origins", "release", "log"):
            if not content[name]:
                del content[name]
        for part in content["parts"]:
            if not part["joins"]:
                del part["joins"]
        return msgspec.json.encode(content).decode()


class Lapse(NamedTuple):
    """An order that lapsed with its turn (REQ-18)."""

    receipt: StoredReceipt  # The ruling that ended the turn
    order: LapsedOrder


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReceipt:
    """A stored receipt; `inputs` is the text of `Form.serialize`.

    `previous` is the digest of the receipt before; `digest` covers all cells and `previous` (RCP-19). Both are blank
    until the receipt has its place in the chain.
    """

    seq: int
    kind: str
    request: str = ""
    war: str = ""
    ruleset: str = ""
    winner: str = ""
    wiki: str = ""
    seed: str = ""
    seed_source: str = ""
    inputs_fingerprint: str = ""
    rules_fingerprint: str = ""
    rules_version: int = 0
    changes: tuple[Change, ...] = ()
    inputs: str = ""
    figures: Figures = field(default_factory=lambda: Figures("", {}))
    overrides: str = ""
    time: str = ""
    previous: str = ""
    digest: str = field(default="", compare=False)

    def chained(self, previous: str) -> StoredReceipt:
        """Return the receipt with its place in the chain, behind the receipt that has the digest `previous`."""
        texts: dict[str, str] = {}
        for cells in self.rows():
            for name, value in cells.items():
                text = cell_limits.cell_text(value).text if isinstance(value, str) else as_text(value)
                texts[name] = texts.get(name, "") + text if name in LONG else as_text(text)
        return replace(self, previous=previous, digest=receipt_digest(previous, texts))

    @property
    def fingerprint(self) -> str:
        """Return the expected fingerprint of the receipt: of its inputs and of the decisions about it (OVR-13)."""
        return fingerprint_of("\n".join(filter(None, (self.inputs, self.overrides))))

    @property
    def draw(self) -> Draw | None:
        """Return the round that a promise or ruling names (LUCK-02); None if it names none, or cannot be read."""
        try:
            return _decoded_draw(self.seed_source) if self.seed_source.startswith("{") else None
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
            return None

    @property
    def titles(self) -> tuple[str, ...]:
        """Return the title in the row of the request, with and without the receipt's suffix: `, 1066`."""
        war = loosely(self.war)
        return tuple(filter(None, (war, war.rpartition(", ")[0])))

    @property
    def unnumbered(self) -> str:
        """Return the text without numbers of receipts, which count the orders of others where players have secrets.

        Nor does it name decisions about others, whose orders may be secret.
        """
        draw, wiki = self.draw, _OF_OTHERS.sub("", self.wiki)
        return wiki.replace(draw.told(), draw.told(numbered=False)) if draw else wiki

    def rows(self) -> Iterator[Mapping[str, Plain]]:
        """Yield the cells of every row that the receipt takes, by attribute."""
        long = {
            "war": self.war,
            "receipt": self.wiki,
            "inputs": self.inputs,
            "changes": msgspec.json.encode(self.changes).decode() if self.changes else "",
            "figures": self.figures.encode() if self.figures != Figures("", {}) else "",
            "overrides": self.overrides,
        }
        pieces = {name: list(_pieces(text)) for name, text in long.items()}
        for part in range(max(1, *map(len, pieces.values()))):
            cells: dict[str, Plain] = {"seq": self.seq, "part": part + 1, "kind": self.kind, "request": self.request}
            if part == 0:
                cells |= {name: getattr(self, name) or None for name in SAME - long.keys() - cells.keys()}
            yield cells | {name: parts[part] for name, parts in pieces.items() if part < len(parts)}


@functools.lru_cache(maxsize=8192)  # each ruling reads the promises of the whole season
def _decoded_draw(text: str) -> Draw:
    return DRAW.decode(text)


class ReceiptDamaged(WorkbookError):
    """A receipt that can no longer be read."""


@dataclass(frozen=True)
class Receipts:
    """All receipts of a workbook, by Seq."""

    by_seq: Mapping[int, StoredReceipt]
    damages: tuple[str, ...] = ()  # The errors of unreadable receipts, which are left out, in sentences
    renamed: str = ""  # The title of a tab similar to Receipts, which is missing; blank if there is none
    original: str = ""  # What the workbook is a copy of, a phrase; blank if it is none, or accepted as one (RCP-38)

    @property
    def head(self) -> Head:
        """Return the end of the chain (RCP-19)."""
        last = self.by_seq[max(self.by_seq)] if self.by_seq else None
        return Head(last.seq, last.digest) if last else Head()

    @property
    def next_seq(self) -> int:
        """Return the Seq of the next receipt."""
        return max(self.by_seq, default=0) + 1

    @functools.cached_property
    def _by_kind(self) -> Mapping[str, tuple[StoredReceipt, ...]]:
        kinds = grouped((receipt.kind, receipt) for receipt in self.by_seq.values())
        return {kind: tuple(receipts) for kind, receipts in kinds.items()}

    @property
    def rulings(self) -> tuple[StoredReceipt, ...]:
        """Return the rulings, undone or not, in order of Seq, as the other kinds below."""
        return self._by_kind.get("Ruling", ())

    @property
    def promises(self) -> tuple[StoredReceipt, ...]:
        """Return the promises of rounds."""
        return self._by_kind.get("Promise", ())

    @property
    def restores(self) -> tuple[StoredReceipt, ...]:
        """Return the receipts that accepted losses."""
        return self._by_kind.get("Restore", ())

    @functools.cached_property
    def forks(self) -> Sequence[tuple[int, Lineage]]:
        """Return the number and the content of each receipt by which a copy became a game of its own (RCP-38)."""
        return [(receipt.seq, LINEAGE.decode(receipt.inputs or "{}")) for receipt in self._by_kind.get("Fork", ())]

    @property
    def forked(self) -> int:
        """Return the number of the last receipt that another workbook has too; 0 if there is none."""
        return max((seq for seq, _ in self.forks), default=0)

    @property
    def lineage(self) -> str:
        """Return the lineage of the workbook that the receipts are of (RCP-38); blank for one of earlier versions."""
        begun = LINEAGE.decode(self.begun.inputs or "{}").lineage if self.begun else ""
        return self.forks[-1][1].lineage if self.forks else begun

    @property
    def word(self) -> str:
        """Return what a file shares with its copies: its lineage, in an old season the digest of the Season row."""
        return self.lineage or (self.begun.digest if self.begun else "")

    @functools.cached_property
    def record_key(self) -> str:
        """Return the digest by which the record of these receipts is known: of the season, or of the last fork."""
        forks = self._by_kind.get("Fork", ())
        return forks[-1].digest if forks else self.season

    @functools.cached_property
    def sealed(self) -> Sequence[tuple[StoredReceipt, Sealed]]:
        """Return the receipts of players' orders, each with its content (TRN-12)."""
        return [(receipt, SEALED.decode(receipt.inputs or "{}")) for receipt in self._by_kind.get("Orders", ())]

    @functools.cached_property
    def sides(self) -> Mapping[str, Sequence[tuple[StoredReceipt, WarSides]]]:
        """Return the receipts of the sides of each war of several battles, by its name in small letters (WRS-05)."""
        return grouped(
            (loosely(receipt.war), (receipt, SIDES.decode(receipt.inputs or "{}")))
            for receipt in self._by_kind.get("Sides", ())
        )

    @functools.cached_property
    def sent(self) -> Mapping[str, tuple[StoredReceipt, Mapping[str, str]]]:
        """Return the cells of each order that a player sent, by its id, with the receipt that sealed it."""
        sealed = ((receipt, id, order) for receipt, content in self.sealed for id, order in content.orders.items())
        return {loosely(id): (receipt, order.cells) for receipt, id, order in sealed}

    def beginning(self, counters: Iterable[tuple[str, str, str]]) -> StoredReceipt | None:
        """Return the last receipt that began a turn, by a change of one of some cells, which count turns.

        A restored workbook begins a new turn too, since its losses are unknown.

        Args:
            counters: The cells by tab, row and header.
        """
        counting = {(tab, loosely(row), header) for tab, row, header in counters}
        for receipt in reversed(tuple(self.by_seq.values())):
            cells = {change.cell for change in receipt.changes}
            if receipt.kind in ("Restore", "Season") or not counting.isdisjoint(cells):
                return receipt
        return None

    @functools.cached_property
    def begun(self) -> StoredReceipt | None:
        """Return the first receipt of the season, None before there is one."""
        return next((receipt for receipt in self.by_seq.values() if receipt.kind == "Season"), None)

    def ruling_of(self, request: str) -> StoredReceipt | None:
        """Return the last ruling of a request, undone or not."""
        return self._last.get(("Ruling", loosely(request)))

    def ruling_in_force(self, request: str) -> StoredReceipt | None:
        """Return the last ruling of a request; None if it is undone."""
        ruling = self.ruling_of(request)
        return None if ruling is None or self.is_undone(ruling) else ruling

    def undo_of(self, request: str) -> StoredReceipt | None:
        """Return the last receipt that undid a ruling of a request."""
        return self._last.get(("Undo", loosely(request)))

    @functools.cached_property
    def undone_rulings(self) -> Mapping[int, StoredReceipt]:
        """Return the ruling behind each receipt of kind Undo, by the number of that."""
        last: dict[str, StoredReceipt] = {}
        undone: dict[int, StoredReceipt] = {}
        for receipt in self.by_seq.values():
            if receipt.kind == "Ruling":
                last[loosely(receipt.request)] = receipt
            elif receipt.kind == "Undo" and loosely(receipt.request) in last:
                undone[receipt.seq] = last[loosely(receipt.request)]
        return undone

    @functools.cached_property
    def undone(self) -> Mapping[int, int]:
        """Return the number of the receipt that undid each undone ruling, by the ruling's number."""
        return {ruling.seq: undo for undo, ruling in self.undone_rulings.items()}

    def ruling_behind(self, receipt: StoredReceipt) -> StoredReceipt | None:
        """Return the ruling that a receipt of kind Undo takes back; a ruling itself."""
        return self.undone_rulings.get(receipt.seq) if receipt.kind == "Undo" else receipt

    def lapse_of(self, request: str) -> Lapse | None:
        """Return the lapse of an order, by the last such receipt that is not undone."""
        return self._lapses.get(loosely(request))

    def is_settled(self, request: str) -> bool:
        """Return True if a request needs no further ruling: it was ruled, even if undone later, or has lapsed."""
        return self.ruling_of(request) is not None or self.lapse_of(request) is not None

    @functools.cached_property
    def names(self) -> Collection[str]:
        """Return the ids and titles of ruled requests, normalised for comparison."""
        return frozenset(name for ruling in self.rulings for name in (loosely(ruling.request), *ruling.titles))

    def count_unruled(self, rows: Iterable[Row]) -> int:
        """Return the number of ready rows without a receipt, or of `Rule again`: the maximum of rulings in a pass."""
        ready = (row for row in rows if is_ready(row) is True)
        return sum(
            not self.is_settled(request_id(row)) or loosely(as_text(row.value("action"))) == loosely(RULE_AGAIN)
            for row in ready
        )

    @functools.cached_property
    def rules_versions(self) -> Mapping[str, int]:
        """Return the current version of the rules of each ruleset, as far as it is known (RCP-17)."""
        known = (receipt for receipt in self.by_seq.values() if receipt.kind in ("Ruling", "Rules"))
        return self.versions.rules | {receipt.ruleset: receipt.rules_version for receipt in known}

    @functools.cached_property
    def versions(self) -> SeasonVersions:
        """Return the versions at the beginning of the season, from its receipt."""
        return VERSIONS.decode(self.begun.inputs or "{}") if self.begun else SeasonVersions()

    def is_undone(self, ruling: StoredReceipt) -> bool:
        """Return True if a ruling is undone."""
        undo = self.undo_of(ruling.request)
        return undo is not None and undo.seq > ruling.seq

    @property
    def season(self) -> str:
        """Return the SHA-256 of the season secret from the season's receipt, blank before the first receipt."""
        return self.begun.inputs_fingerprint if self.begun else ""

    @functools.cached_property
    def options(self) -> SeasonOptions:
        """Return the options of this season, from the season's receipt (RCP-13)."""
        return SEASON.decode(self.begun.inputs or "{}") if self.begun else USUAL

    @functools.cached_property
    def luck(self) -> SeasonLuck:
        """Return the luck of this season, from the season's receipt (LUCK-01)."""
        return LUCK.decode(self.begun.inputs or "{}") if self.begun else SECRET_LUCK

    @property
    def columns(self) -> Mapping[str, tuple[str, ...]]:
        """Return the optional columns that the season had or accepted last, by tab; empty if it lists none (REQ-11)."""
        lists = [receipt.inputs for receipt in self.by_seq.values() if receipt.kind in LISTING_COLUMNS]
        return COLUMNS.decode(lists[-1] or "{}").columns if lists else {}

    @property
    def had(self) -> tuple[Collection[str], Collection[str]]:
        """Return the tabs of the season or of its last acceptance, and the forms that have ruled since (REQ-11)."""
        listed = max((seq for seq, receipt in self.by_seq.items() if receipt.kind in LISTING_COLUMNS), default=0)
        return self.columns, {ruling.ruleset for ruling in self.rulings if ruling.seq > listed}

    @functools.cached_property
    def _lapses(self) -> Mapping[str, Lapse]:
        ended = (ruling for ruling in self.rulings if ruling.figures.lapsed and not self.is_undone(ruling))
        return {loosely(id): Lapse(ruling, order) for ruling in ended for id, order in ruling.figures.lapsed.items()}

    @functools.cached_property
    def _last(self) -> Mapping[tuple[str, str], StoredReceipt]:
        return {(receipt.kind, loosely(receipt.request)): receipt for receipt in self.by_seq.values()}


SAME = {item.name for item in fields(StoredReceipt)} & {item.name for item in fields(ReceiptRow)}
"""Attributes that a receipt and its row share."""

LONG = ("war", "receipt", "inputs", "changes", "figures", "overrides")
"""Attributes of the columns whose text may continue in the next part."""

SEQ_MOST = 999_999
"""The highest number of a receipt; the ids of Google's guards have room for no more."""

NOT_IN_DIGEST = ("RCP-02", "RCP-19")
"""Ids of the columns that a digest does not cover as cells: the number of the part, and the previous digest."""

DIGEST_DIGITS = 32
"""Number of hexadecimal digits of a receipt's digest, enough to prevent collisions."""


def receipt_digest(previous: str, texts: Mapping[str, str]) -> str:
    """Return the digest of a receipt (RCP-19).

    White space does not count, since programs that save a workbook may change it; nor do blank cells, so that a column
    of a later version changes no digest.

    Args:
        texts: The text of each cell by attribute, parts joined.
    """
    cells = [(column.id, "".join(texts.get(name, "").split())) for name, column in columns(ReceiptRow)]
    named = sorted((id, text) for id, text in cells if text and id not in NOT_IN_DIGEST)
    return fingerprint_of(json.dumps([previous, *named]))[:DIGEST_DIGITS]


def fingerprint_of(inputs: str) -> str:
    """Return the SHA-256 of serialised inputs, in hexadecimal."""
    return hashlib.sha256(inputs.encode(errors="surrogatepass")).hexdigest()


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), CELL_MOST):
        yield text[start : start + CELL_MOST]
