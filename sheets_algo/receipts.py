"""The Receipts and Log tabs: what is true about every request, append only.

A request is resolved if and only if a receipt names it. A receipt that is longer than a cell stands in several rows
of one Seq, counted by Part; nothing is ever cut.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import ClassVar, TypeVar

import msgspec

from engine.fields import Kind, Place, Tab, loosely, result
from engine.outcome import Plain
from sheets_algo.problems import Cell, quoted
from sheets_algo.tables import Row, Table
from sheets_algo.values import shown
from sheets_algo.workbook.base import WorkbookError

Content = TypeVar("Content")

CELL_MOST = 16_000
"""Characters of a long text in one cell: XLSX holds 32,767 UTF-16 units, and a character may take two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptRow:
    """One row of the Receipts tab."""

    tab: ClassVar[Tab] = Tab(
        "Receipts", about="The rulings, for good. Only the program writes here.", program_only=True
    )

    seq: int = result("Seq", id="RCP-01", kind=Kind.WHOLE, note="Number of the receipt, counted up.")
    part: int = result("Part", id="RCP-02", kind=Kind.WHOLE, note="1; a receipt longer than a cell goes on in part 2.")
    kind: str = result("Kind", id="RCP-03", note="Ruling, Undo or Season (the digest of the season secret).")
    request: str = result("Request", id="RCP-04", note="The request that was ruled.")
    war: str = result("War", id="RCP-05", note="Title of the receipt.")
    ruleset: str = result("Ruleset", id="RCP-06", note="By which rules.")
    winner: str = result("Winner", id="RCP-07", note="Attacker, Defender or blank.")
    receipt: str = result("Receipt", id="RCP-08", note="Wiki markup, ready to post.")
    seed: str = result("Seed", id="RCP-09", note="The seed of every draw of luck.")
    seed_source: str = result("Seed Source", id="RCP-16", note="season: drawn from the season secret; given: typed.")
    inputs_fingerprint: str = result("Inputs Fingerprint", id="RCP-10", note="SHA-256 of the inputs.")
    rules_fingerprint: str = result("Rules Fingerprint", id="RCP-11", note="SHA-256 of the ruleset's tables.")
    changes: str = result("Changes", id="RCP-12", note="Database cells changed: tab, row, field, before, after.")
    inputs: str = result("Inputs", id="RCP-13", note="The inputs as they were, for verify and replay.")
    figures: str = result("Figures", id="RCP-14", note="What the program's columns of the request show.")
    time: str = result("Time", id="RCP-15", place=Place.LAST, note="When, UTC.")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """One row of the Log tab."""

    tab: ClassVar[Tab] = Tab("Log", about="What happened in every ruling, line by line.", program_only=True)

    seq: int = result("Seq", id="RCP-20", kind=Kind.WHOLE, note="The receipt it belongs to.")
    request: str = result("Request", id="RCP-21", note="The request.")
    hour: int = result("Hour", id="RCP-22", kind=Kind.WHOLE, note="Hours since the battle began.")
    side: str = result("Side", id="RCP-23", note="Attacker or Defender.")
    flank: str = result("Flank", id="RCP-24", note="The flank it happened to.")
    event: str = result("Event", id="RCP-25", note="What kind of event.")
    amount: float = result("Amount", id="RCP-26", kind=Kind.NUMBER, note="Men, ships or points.")
    rule: str = result("Rule", id="RCP-27", note="The rule behind it.")
    text: str = result("Text", id="RCP-28", note="What happened, in words.")


@dataclass(frozen=True, slots=True)
class Change:
    """One database cell that a ruling changed.

    Args:
        tab: Tab name.
        row: The row's name.
        field: Column header.
        before: What the cell showed, None for a blank one.
        after: What the ruling wrote.
    """

    tab: str
    row: str
    field: str
    before: Plain
    after: Plain


@dataclass(frozen=True, slots=True)
class PartResult:
    """What the program's columns of one of the request's other rows show.

    Args:
        tab: Tab name.
        digest: Of the row's own cells, which finds it again wherever it moves.
        values: Header to value.
    """

    tab: str
    digest: str
    values: Mapping[str, Plain]


@dataclass(frozen=True, slots=True)
class Figures:
    """What the projection needs.

    Args:
        message: The request's Message.
        values: Its result columns, header to value.
        parts: Its other rows.
        row: Digest of what people typed into its row, without its id (REQ-08); blank on receipts of earlier versions.
    """

    message: str
    values: Mapping[str, Plain]
    parts: tuple[PartResult, ...] = ()
    row: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """One receipt as stored. `inputs` is the form's frozen text; `undoes` the Seq that an undo reverses."""

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
    changes: tuple[Change, ...] = ()
    inputs: str = ""
    figures: Figures = field(default_factory=lambda: Figures("", {}))
    time: str = ""

    def rows(self) -> Iterator[Mapping[str, Plain]]:
        """Attribute to cell of every row it takes."""
        long = {
            "war": self.war,
            "receipt": self.wiki,
            "inputs": self.inputs,
            "changes": msgspec.json.encode(self.changes).decode() if self.changes else "",
            "figures": msgspec.json.encode(self.figures).decode() if self.figures != Figures("", {}) else "",
        }
        pieces = {name: list(_pieces(words)) for name, words in long.items()}
        for part in range(max(1, *map(len, pieces.values()))):
            cells: dict[str, Plain] = {"seq": self.seq, "part": part + 1, "kind": self.kind, "request": self.request}
            if part == 0:
                same = {it.name for it in fields(self)} & {it.name for it in fields(ReceiptRow)} - set(long) - set(
                    cells
                )
                cells |= {name: getattr(self, name) or None for name in same}
            yield cells | {name: parts[part] for name, parts in pieces.items() if part < len(parts)}


@dataclass(frozen=True, slots=True)
class SeasonInputs:
    """What a season is ruled with, in the Inputs of its receipt; what is left out has its default.

    Args:
        escape_markup: Receipts show markup in names as it was typed (RCP-08).
    """

    escape_markup: bool = False


class ReceiptDamaged(WorkbookError):
    """A receipt can no longer be read."""


@dataclass(frozen=True)
class Receipts:
    """All receipts of a workbook, by Seq."""

    by_seq: Mapping[int, Receipt]

    @classmethod
    def read(cls, table: Table) -> Receipts:
        """From the Receipts tab; rows that say nothing of a receipt are not ours and are passed over.

        Raises:
            ReceiptDamaged: The tab or a receipt was changed by hand so that it is no longer certain what has been
                ruled; the text names the cell.
        """
        _refuse_foreign(table)
        rows: dict[int, list[Row]] = {}
        for row in table:
            if not all(row.is_blank(attribute) for attribute in ESSENTIAL):
                rows.setdefault(_whole(row, "seq"), []).append(row)
        return cls({seq: _receipt(seq, parts) for seq, parts in sorted(rows.items())})

    @property
    def next_seq(self) -> int:
        """Number of the next receipt."""
        return max(self.by_seq, default=0) + 1

    def of_kind(self, kind: str) -> Iterator[Receipt]:
        """In order of Seq."""
        return (receipt for receipt in self.by_seq.values() if receipt.kind == kind)

    def ruling_of(self, request: str) -> Receipt | None:
        """The ruling of a request, undone or not."""
        return self._last.get(("Ruling", loosely(request)))

    def undo_of(self, request: str) -> Receipt | None:
        """The receipt that reversed it."""
        return self._last.get(("Undo", loosely(request)))

    def is_undone(self, ruling: Receipt) -> bool:
        """Whether a ruling has been taken back."""
        undo = self.undo_of(ruling.request)
        return undo is not None and undo.seq > ruling.seq

    @property
    def season(self) -> str:
        """SHA-256 of the season secret as it stands in the workbook; blank before the first receipt."""
        return next((receipt.inputs_fingerprint for receipt in self.of_kind("Season")), "")

    @property
    def escapes_markup(self) -> bool:
        """Whether receipts of this season show markup in names as it was typed (RCP-08)."""
        return any(SEASON.decode(it.inputs or "{}").escape_markup for it in self.of_kind("Season"))

    @functools.cached_property
    def _last(self) -> Mapping[tuple[str, str], Receipt]:
        return {(receipt.kind, loosely(receipt.request)): receipt for receipt in self.by_seq.values()}


CHANGES = msgspec.json.Decoder(tuple[Change, ...])
FIGURES = msgspec.json.Decoder(Figures)
SEASON = msgspec.json.Decoder(SeasonInputs)
"""Made while the module is imported: threads that are the first to decode into a class can end the process."""

ESSENTIAL = ("seq", "kind", "request")
"""Without these columns nobody can tell what has been ruled."""

KINDS = ("Ruling", "Undo", "Season")


def _refuse_foreign(table: Table) -> None:
    """A Receipts tab whose headers were changed would make every war look unruled."""
    if table.sheet is None or not table.sheet.rows:
        return
    missing = [table.header(attribute) for attribute in ESSENTIAL if attribute not in table.places]
    if missing:
        raise ReceiptDamaged(
            f"{Cell(table.name, table.header_row)}: no column {' or '.join(missing)} found, so nobody can tell what has"
            f" been ruled; restore the headers, or rename a tab {table.name} that is not the program's."
        )


def _whole(row: Row, attribute: str) -> int:
    """The number of a receipt or of its part."""
    found = shown(row.value(attribute))
    if not (found.isdecimal() and len(found) <= 15 and int(found)):
        column = row.table.header(attribute)
        raise _damaged(row, attribute, f"{column} {quoted(found)} is not a number from 1")
    return int(found)


def _damaged(row: Row, attribute: str, says: str) -> ReceiptDamaged:
    return ReceiptDamaged(f"{row.cell(attribute)}: {says}; the receipt was changed by hand: restore the cell.")


def _receipt(seq: int, rows: Sequence[Row]) -> Receipt:
    parts = sorted(rows, key=lambda row: _whole(row, "part"))
    for number, row in enumerate(parts, start=1):
        found = _whole(row, "part")
        if found != number:
            raise _damaged(row, "part", f"part {found} of receipt {seq} stands where part {number} is due")
    first = {name: shown(parts[0].value(name)) for name, _ in parts[0].table.columns}
    if first["kind"] not in KINDS:
        raise _damaged(parts[0], "kind", f"Kind {quoted(first['kind'])} is not Ruling, Undo or Season")
    if first["kind"] != "Season" and not first["request"]:
        raise _damaged(parts[0], "request", f"receipt {seq} names no request")
    long = {
        name: "".join(str(row.value(name) or "") for row in parts)
        for name in ("war", "receipt", "inputs", "changes", "figures")
    }
    if first["kind"] == "Season":
        _decoded(parts[0], "inputs", long["inputs"] or "{}", SEASON)
    return Receipt(
        seq=seq,
        kind=first["kind"],
        request=first["request"],
        war=long["war"],
        ruleset=first["ruleset"],
        winner=first["winner"],
        wiki=long["receipt"],
        seed=first["seed"],
        seed_source=first["seed_source"],
        inputs_fingerprint=first["inputs_fingerprint"],
        rules_fingerprint=first["rules_fingerprint"],
        changes=_decoded(parts[0], "changes", long["changes"] or "[]", CHANGES),
        inputs=long["inputs"],
        figures=_decoded(parts[0], "figures", long["figures"] or '{"message": "", "values": {}}', FIGURES),
        time=first["time"],
    )


def _decoded(row: Row, attribute: str, words: str, decoder: msgspec.json.Decoder[Content]) -> Content:
    try:
        return decoder.decode(words)
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        says = f"{row.table.header(attribute)} cannot be read ({error})"
        raise _damaged(row, attribute, says) from error


def fingerprint_of(inputs: str) -> str:
    """SHA-256 of frozen inputs, in hexadecimal."""
    return hashlib.sha256(inputs.encode(errors="surrogatepass")).hexdigest()


def _pieces(words: str) -> Iterator[str]:
    for start in range(0, len(words), CELL_MOST):
        yield words[start : start + CELL_MOST]


def cell_text(lines: Iterable[str], more: str) -> str:
    """Lines for one cell; when they are too many, as many as fit and a last one that says how many are left out.

    Args:
        lines: In order of weight.
        more: The last line, with `{}` for the number of lines left out.
    """
    kept: list[str] = []
    rest = list(lines)
    room = CELL_MOST - len(more) - 20
    while rest and room >= len(rest[0]):
        room -= len(rest[0]) + 1
        kept.append(rest.pop(0))
    return "\n".join([*kept, more.format(len(rest))] if rest else kept)
