"""Provenance: decisions of people, not of luck, behind the cells that a ruling reads (RCP-37).

A cell has the origins of the receipt that wrote it last: people's decisions in that ruling, and those that its inputs
had inherited. So a decision about one war is named by each later war that reads its results.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from engine.columns import loosely
from engine.receipt import on_one_line, without_markup
from sheets_algo.database.problems import shorten_list, value_text
from sheets_algo.forms.base import Form
from sheets_algo.ruling.luck.draw import Cell
from sheets_algo.ruling.receipts.receipts import DECIDED, INHERITED, Change, Receipts, StoredReceipt
from sheets_algo.ruling.requests.overrides import Decision, decisions_of

PROVENANCE = re.compile(rf"{DECIDED}(?:\n\* .*)+")
"""The section of a receipt on people's decisions behind its inputs."""
NAMED = 5
"""Most cells, and most receipts, that a receipt names; more are counted."""
KINDS = {
    "decision": "a decision about {}",
    "seed": "a typed seed of {}",
    "roll": "typed luck of {}",
    "map": "another map than the release's in {}",
}
"""Words for decisions of people, by the key that a receipt stores."""


class _Written(NamedTuple):
    """The last write of a cell with people's decisions behind it."""

    change: Change
    origins: frozenset[int]  # The receipts of people's decisions
    former: _Written | None  # The previous value, which an undo restores
    seq: int  # The receipt that wrote it


class Provenance(NamedTuple):
    """Decisions of people in a ruling, and those that its inputs inherit."""

    people: tuple[str, ...] = ()  # Their decisions in the ruling itself, as keys of `KINDS`
    origins: tuple[int, ...] = ()  # The earlier receipts whose decisions its inputs inherit
    maps: tuple[str, ...] = ()  # The maps of its own that replace the release's of their names (MAP-04)
    edits: Mapping[Cell, tuple[int, Change]] = {}  # The Edits that it reads directly, with their receipts (RCP-30)

    def text(self, ruling: StoredReceipt, receipts: Receipts) -> str:
        """Return a receipt's lines on people's decisions behind its inputs; blank for none."""
        lines = [f"Fought on a map of the season's own: {each}" for each in self.maps]
        if self.edits:
            cells = (
                f"{each.field} of {each.row}: {value_text(each.before)} → {value_text(each.after)}"
                for _, each in self.edits.values()
            )
            lines.append(f"Changed by people after rulings: {'; '.join(shorten_list([*cells], NAMED))}.")
        read = {number for number, _ in self.edits.values()}
        decided = [number for number in self.origins if number not in read and number in receipts.by_seq]
        if decided:
            named = shorten_list([_decision(receipts.by_seq[each], ruling, receipts) for each in decided], NAMED)
            lines.append(f"{INHERITED}: {'; '.join(named)}.")
        text = "".join(f"\n* {without_markup(on_one_line(line))}" for line in lines)
        return f"{DECIDED}{text}" if lines else ""


def decided_text(rulings: Sequence[StoredReceipt]) -> str:
    """Return a clause that counts the rulings of luck and rules alone and names the others; blank without others."""
    maps = [ruling.request for ruling in rulings if ruling.figures.people == ("map",)]
    own = [ruling.request for ruling in rulings if ruling.figures.people not in ((), ("map",))]
    heirs_ = [ruling.request for ruling in rulings if ruling.figures.origins and not ruling.figures.people]
    named = {"decided by people": own, "on maps of the season's own": maps, "fought with what people left": heirs_}
    parts = [f"{len(rulings) - len([*own, *maps, *heirs_]):,} by luck and rules alone"]
    parts += [f"{len(of):,} {how} ({', '.join(shorten_list(of, NAMED))})" for how, of in named.items() if of]
    return ", ".join(parts) if len(parts) > 1 else ""


def provenance(ruling: StoredReceipt, receipts: Receipts, form: Form[Any], typed: object) -> Provenance:
    """Return people's decisions in a ruling and behind its inputs.

    Args:
        receipts: The receipts of the workbook; later ones than the ruling are ignored.
        typed: The typed values in place of the ruling's luck (LUCK-12); blank for none.
    """
    maps = tuple(form.own_maps(form.deserialize(ruling.inputs))) if form.has_own_maps else ()
    kinds = {"decision": ruling.overrides, "seed": ruling.seed_source == "given", "roll": typed, "map": maps}
    people = tuple(kind for kind, is_so in kinds.items() if is_so)
    written = _written(receipts, ruling.seq)
    read = [written[cell] for cell in _read_cells(form, ruling.inputs, written)] if written else []
    origins = sorted({number for cell in read for number in cell.origins})
    edits = {cell.change.cell: (cell.seq, cell.change) for cell in read if receipts.by_seq[cell.seq].kind == "Edits"}
    return Provenance(people, tuple(origins), maps, edits)


def heirs(receipts: Receipts, forms: Mapping[str, Form[Any]], wrong: Collection[int]) -> Mapping[int, tuple[int, ...]]:
    """Return the rulings that read what wrong ones have left, directly or by others, each with those it reads.

    Args:
        forms: The forms by key; rulings of others are left out.
        wrong: The numbers of rulings that did not come out again.
    """
    heirs_: dict[int, tuple[int, ...]] = {}
    for ruling in receipts.rulings if wrong else ():
        form, left = forms.get(ruling.ruleset), {*wrong, *heirs_}
        if form is None or ruling.seq in wrong:
            continue
        with suppress(ValueError):  # a map that is not here
            written = _written(receipts, ruling.seq, left)
            read = {number for cell in _read_cells(form, ruling.inputs, written) for number in written[cell].origins}
            heirs_ |= {ruling.seq: tuple(sorted(read & left))} if read & left else {}
    return heirs_


def _decision(decided: StoredReceipt, ruling: StoredReceipt, receipts: Receipts) -> str:
    """Return people's decision in an earlier ruling: `a decision about W-0002`."""
    words = [KINDS[kind].format(decided.request) for kind in decided.figures.people if kind in KINDS]
    words = words or ["values that people typed over"]
    promise = receipts.by_seq.get(ruling.draw.promise) if ruling.draw else None
    late = " (made after this war was promised)" if promise and _is_later(decided, promise, receipts) else ""
    return f"{' and '.join(words)}{late}"


def _is_later(decided: StoredReceipt, promise: StoredReceipt, receipts: Receipts) -> bool:
    """Return True if a decision in a ruling came after the promises before another one (LUCK-14)."""
    own = receipts.by_seq.get(decided.draw.promise) if decided.draw else None
    is_held = own is not None and own.seq < promise.seq and not late_decisions(decided, own)
    return decided.seq > promise.seq and not is_held


def late_decisions(ruling: StoredReceipt, promise: StoredReceipt) -> tuple[Decision, ...]:
    """Return the decisions about a ruling that its promise lacks (LUCK-14)."""
    held = decisions_of(promise).rows
    return tuple(decision for decision in decisions_of(ruling).rows if decision not in held)


def _written(receipts: Receipts, before: int, wrong: Collection[int] = ()) -> Mapping[Cell, _Written]:
    """Return the cells with origins after the receipts before a number; 0 for all receipts.

    Args:
        wrong: The numbers of further receipts that are origins.
    """
    written: dict[Cell, _Written] = {}
    last: dict[str, int] = {}
    for receipt in receipts.by_seq.values():
        if before and receipt.seq >= before:
            break
        is_edit = receipt.kind == "Edits" and _is_as_written(receipt, receipts)
        is_decided = receipt.figures.people or is_edit or receipt.seq in wrong
        origins = frozenset((*receipt.figures.origins, *((receipt.seq,) if is_decided else ())))
        if receipt.kind == "Ruling":
            last[loosely(receipt.request)] = receipt.seq
        for change in receipt.changes if origins or written else ():
            former = written.pop(change.cell, None)
            if receipt.kind != "Undo" or former is None:
                if origins or former:
                    written[change.cell] = _Written(change, origins, former, receipt.seq)
            elif former.seq != last.get(loosely(receipt.request)):  # a later receipt has written it too
                written[change.cell] = _Written(change, former.origins, former, receipt.seq)
            elif former.former:
                written[change.cell] = former.former
    return {cell: last for cell, last in written.items() if last.origins}


def _read_cells(form: Form[Any], inputs: str, written: Mapping[Cell, _Written]) -> Iterator[Cell]:
    """Yield the cells in the inputs: those whose change would change the inputs."""
    read = form.deserialize(inputs)

    def reads(*cells: Cell) -> bool:
        with suppress(ValueError):  # a value that the column refuses
            return bool(form.after(read, {cell: written[cell].change.before for cell in cells}) != read)
        return len(cells) > 1

    if reads(*written):
        yield from (cell for cell in written if reads(cell))


def _is_as_written(receipt: StoredReceipt, receipts: Receipts) -> bool:
    """Return True unless the next receipt contradicts it; a Restore begins a new chain."""
    following = receipts.by_seq.get(receipt.seq + 1)
    return following is None or following.kind == "Restore" or following.previous == receipt.digest
