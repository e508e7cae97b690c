"""The chain of receipts: lost and changed ones (RCP-19), and the obstacles to rulings that follow.

Each receipt holds the digest of the one before it, so the digest of the last one, the head, covers all of them. A head
noted outside the tab (in Google's guards, a file beside the workbook, a player's notes) tells which receipts must still
exist. A receipt of kind Restore begins a new chain: its previous digest covers every earlier receipt, and it lists the
accepted losses.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from engine.columns import tab_of
from sheets_algo.database.problems import CellRef, Problem, Severity, quoted
from sheets_algo.forms.base import Form
from sheets_algo.ruling.luck.draw import Draw, Secret, commitment, promised_seed
from sheets_algo.ruling.receipts.receipt_rows import GIVEN_UP, PROTOCOL, GivenUp, ReceiptRow, Run
from sheets_algo.ruling.receipts.receipts import DIGEST_DIGITS, Receipts, StoredReceipt, fingerprint_of
from sheets_algo.workbook.head import Head

WAYS_ON = "Bring it back from an older version, or accept that with sheets-algo restore WORKBOOK --accept"
"""The two remedies in a problem."""

WAYS_BACK = WAYS_ON.replace(",", " (if a name was replaced in all tabs, replace it back in Receipts),", 1)
"""The same for receipts that were changed."""

ONLY_WAY = "Bring it back from an older version, or play on in a new spreadsheet, or in a file of another name"
"""The same if the essential row of Kind Season is lost."""

IN_ROWS = "Receipts are gone, or not as they were written; doctor and restore say which. {ways_on}. [RCP-19]"
"""The text in the rows of requests, without a head, so that watchers with different heads write the same."""

UNNUMBERED = "receipts are gone or were changed"
"""The loss as a clause without numbers."""

FORK = "RCP-38"
"""The id of the problem of a workbook that is a copy."""

FORK_WAYS = "Play on there{}, or make this one a game of its own with sheets-algo restore WORKBOOK --fork"
"""Remedies for a copy (RCP-38)."""

RUNS_NAMED = 5
"""Maximum number of runs of numbers that a sentence lists."""


@dataclass(frozen=True, slots=True)
class NotedHead:
    """A head of the chain that was noted outside the tab Receipts."""

    head: Head
    place: str  # The place of the note: `Google's guard`


@dataclass(frozen=True, slots=True)
class LostReceipts:
    """Receipts that are missing in a workbook, or changed."""

    missing: tuple[Run, ...] = ()  # The numbers of lost receipts, in runs
    # The numbers of receipts that contradict a later receipt, or a noted head.
    changed: tuple[int, ...] = ()
    contradicted: tuple[NotedHead, ...] = ()  # The noted heads that the receipts contradict
    ways_on: str = WAYS_ON  # The remedy
    # Those of `changed` that a noted head contradicts, perhaps because of earlier receipts.
    doubted: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        """Return True if any receipt is lost or changed."""
        return bool(self.missing or self.changed)

    def __str__(self) -> str:
        """Return the losses and changes as a clause: `receipts 6 to 8 are gone; receipt 5 was changed`."""
        parts = []
        if self.missing:
            parts.append(f"{_receipt_list(self.missing)} {'is' if _is_one(self.missing) else 'are'} gone")
        certain = [number for number in self.changed if number not in self.doubted]
        for numbers, one, more in ((certain, "", ""), (self.doubted, ", or one before it,", ", or ones before them,")):
            if numbers:
                spans = runs(numbers)
                differ = f"{one} is not as it was" if _is_one(spans) else f"{more} are not as they were"
                parts.append(f"{_receipt_list(spans)}{differ} written")
        if self.contradicted:
            last = max(self.contradicted, key=lambda noted: noted.head.seq)
            parts.append(f"{last.place} says {last.head}")
        return "; ".join(parts)

    @property
    def problem(self) -> Problem:
        """Return the problem of lost or changed receipts (RCP-19)."""
        cell, says = CellRef(ReceiptRow.tab.name), f"{self}; nothing is ruled until that is settled"
        return Problem(cell=cell, says=says, allowed=self.ways_on, id="RCP-19")


def losses(receipts: Receipts, noted: Iterable[NotedHead] = ()) -> LostReceipts:
    """Find lost and changed receipts.

    Args:
        noted: The heads noted elsewhere. Those before the last receipt of kind Restore do not count, since it accepts
            the differences.
    """
    last = receipts.head.seq
    restored = max((receipt.seq for receipt in receipts.restores), default=0)
    known = [head for head in noted if head.head.seq > restored]
    accepted = {receipt.seq: given_up_by(receipt) for receipt in receipts.restores}
    given_up = [run for each in accepted.values() for run in each.missing]
    written = max((last, *(head.head.seq for head in known)))
    missing = tuple(_gaps([*((seq, seq) for seq in receipts.by_seq), *given_up], written))
    changed = {
        number
        for number, by in _broken(receipts)
        if not any(number in each.changed for seq, each in accepted.items() if seq > by)
    }
    contradicted = []
    for head in known:
        there = receipts.by_seq.get(head.head.seq)
        if there is None or (head.head.digest and there.digest != head.head.digest):
            contradicted.append(head)
            changed |= {there.seq} if there else set()
    ways_on = _name_again(receipts) or ((WAYS_BACK if changed else WAYS_ON) if receipts.season else ONLY_WAY)
    doubted = _doubted(changed, (noted.head for noted in contradicted))
    return LostReceipts(missing, tuple(sorted(changed)), tuple(contradicted), ways_on, doubted)


def _doubted(changed: Collection[int], heads: Iterable[Head | None]) -> tuple[int, ...]:
    return tuple(sorted({head.seq for head in heads if head and head.seq in changed}))


def _name_again(receipts: Receipts) -> str:
    """Return the remedy for receipts whose tab was renamed; blank if it was not."""
    name = ReceiptRow.tab.name
    return f"The tab {quoted(receipts.renamed)} looks like it: name it {name} again" if receipts.renamed else ""


def _broken(receipts: Receipts) -> Iterator[tuple[int, int]]:
    """Yield the numbers of receipts that a later receipt contradicts, each with the number of that one.

    A receipt without a previous digest was edited, and so was a Restore without losses: they contradict themselves.
    """
    before: StoredReceipt | None = None
    for seq, receipt in receipts.by_seq.items():
        is_next = before is not None and before.seq == seq - 1
        expected = before.digest if before else receipt.inputs_fingerprint[:DIGEST_DIGITS]
        given_up = given_up_by(receipt) if receipt.kind == "Restore" else None
        if not receipt.previous or (given_up and not (given_up.missing or given_up.changed)):
            yield seq, seq
        elif given_up:
            if receipt.previous != digest_of_all(receipts, seq):
                yield from ((number, seq) for number in receipts.by_seq if number < seq)
        elif receipt.previous != expected and (is_next or seq == 1):
            yield (before.seq if before else seq), seq
        before = receipt


def given_up_by(restore: StoredReceipt) -> GivenUp:
    """Return the accepted losses of a receipt of kind Restore."""
    return GIVEN_UP.decode(restore.inputs or "{}")


def given_up_text(restore: StoredReceipt) -> str:
    """Return a Restore's accepted losses as text, from its inputs, since anyone can edit the text of the last row."""
    given_up = given_up_by(restore)
    doubted = _doubted(given_up.changed, map(Head.parse, given_up.heads))
    lost = LostReceipts(given_up.missing, given_up.changed, doubted=doubted)
    return _accepted(str(lost) or UNNUMBERED, given_up)


def _accepted(lost: str, given_up: GivenUp) -> str:
    known = f" Known of what is gone: {'; '.join(given_up.wars)}." if given_up.wars else ""
    return f"A moderator has accepted that {lost}.{known}"


def digest_of_all(receipts: Receipts, before: int) -> str:
    """Return the digest of all receipts before a number, with which a Restore begins a new chain."""
    kept = [(seq, receipt.digest) for seq, receipt in receipts.by_seq.items() if seq < before]
    return fingerprint_of(json.dumps(kept))[:DIGEST_DIGITS]


def restore_receipt(receipts: Receipts, lost: LostReceipts, wars: Sequence[str], now: str) -> StoredReceipt:
    """Return the receipt that accepts losses, with its place in the chain.

    Its number is unused, so that a lost receipt can never be mistaken for a later one.
    """
    seq = max((receipts.head.seq, *(last for _, last in lost.missing))) + 1
    heads = tuple(str(noted.head) for noted in lost.contradicted)
    given_up = GivenUp(lost.missing, lost.changed, heads, tuple(wars))
    receipt = StoredReceipt(
        seq=seq,
        kind="Restore",
        wiki=_accepted(str(lost), given_up),
        inputs=msgspec.json.encode(given_up).decode(),
        time=now,
    )
    return receipt.chained(digest_of_all(receipts, seq))


def find_head(receipts: Receipts, typed: str) -> StoredReceipt | None:
    """Return the receipt with a digest, or a head, that a player noted; None without one.

    It confirms those before it only if `losses_before` finds no loss.

    Args:
        typed: A head, `8-03f7c2...`, or its digest alone; the first eight digits are enough.
    """
    number, _, digest = typed.strip().lower().rpartition("-")
    numbered = (receipt for receipt in receipts.by_seq.values() if number in ("", str(receipt.seq)))
    return next((each for each in numbered if len(digest) >= 8 and each.digest.startswith(digest)), None)


def losses_before(receipts: Receipts, noted: StoredReceipt) -> LostReceipts:
    """Find lost and changed receipts up to a noted one, including accepted losses."""
    return losses(Receipts({seq: receipt for seq, receipt in receipts.by_seq.items() if seq <= noted.seq}))


def _gaps(held: Iterable[Run], last: int) -> Iterator[Run]:
    """Yield the runs of numbers from 1 to `last` outside the runs in `held`."""
    due = 1
    for first, end in sorted(held):
        if due < min(first, last + 1):
            yield due, min(first, last + 1) - 1
        due = max(due, end + 1)
    if due <= last:
        yield due, last


def runs(numbers: Iterable[int]) -> tuple[Run, ...]:
    """Return ascending numbers as the first and the last of each run."""
    spans: list[Run] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], number)
        else:
            spans.append((number, number))
    return tuple(spans)


def _receipt_list(runs: Sequence[Run]) -> str:
    """Return `receipt 3`, `receipts 3 and 5`, or `receipts 3, 6 to 8 and 1,000 more`."""
    named = [str(first) if first == last else f"{first} to {last}" for first, last in runs[:RUNS_NAMED]]
    rest = sum(last - first + 1 for first, last in runs[RUNS_NAMED:])
    named += [f"{rest:,} more"] if rest else []
    listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    return f"receipt{'' if _is_one(runs) else 's'} {listed}"


def _is_one(runs: Sequence[Run]) -> bool:
    return len(runs) == 1 and runs[0][0] == runs[0][1]


def hold(receipts: Receipts, noted: Iterable[NotedHead] = ()) -> Problem | None:
    """Return the problem of the workbook that blocks all rulings, None if there is none."""
    cell, versions = CellRef(ReceiptRow.tab.name), receipts.versions
    if receipts.damages:
        return Problem(cell=cell, says=receipts.damages[0].removesuffix("."), id="RCP-01")
    if trouble := _row_trouble(receipts):
        return Problem(cell=cell, says=trouble.removesuffix("."), id="RCP-03")
    if versions.protocol > PROTOCOL:
        says = f"the season needs sheets-algo {versions.needs} or newer, and this program is older; it rules nothing"
        return Problem(cell=cell, says=says, allowed="Install the newer program", id="RCP-17")
    if lost := losses(receipts, noted):
        return lost.problem
    if receipts.original:
        return copy_problem(receipts)
    if not receipts.season:
        says = "no season has begun in this workbook, so nothing is ruled"
        allowed = _name_again(receipts) or "Type sheets-algo init WORKBOOK first"
        return Problem(cell=cell, says=says, allowed=allowed, id="RCP-13")
    return None


def copy_problem(receipts: Receipts) -> Problem:
    """Return the problem of a workbook that is a copy of another one (RCP-38)."""
    says = f"this workbook is a copy of {receipts.original}, so nothing is ruled, undone or posted from it"
    is_file = "://" not in receipts.original and receipts.original != "a file"
    ways = FORK_WAYS.format(", or delete that file if this one replaces it" if is_file else "")
    return Problem(cell=CellRef(ReceiptRow.tab.name), says=says, allowed=ways, id=FORK)


def season_trouble(receipts: Receipts, secret: Secret | None) -> str:
    """Return the reason why a season cannot go on with a secret, blank if it can.

    People can edit the digest in the season's row, so every seed that was derived from the secret is checked too,
    except for receipts whose inputs were edited, which `verify` reports.

    Args:
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


def is_drawn_with(ruling: StoredReceipt, receipts: Receipts, secret: Secret) -> bool:
    """Return True if a ruling's seed, or its key, comes from a season secret (LUCK-03, LUCK-11).

    Args:
        ruling: The ruling; its seed was not typed.
    """
    draw = ruling.draw
    if draw:
        return draw.key == secret.key_of(ruling.request) and keyed_seed(draw, receipts) in ("", ruling.seed)
    return ruling.seed == str(secret.seed(ruling.request, ruling.inputs))


def keyed_seed(draw: Draw, receipts: Receipts) -> str:
    """Return the seed from key, promised inputs and round of a ruling; blank if its promise is lost (LUCK-11)."""
    promise = receipts.by_seq.get(draw.promise)
    if promise is None or promise.kind != "Promise" or not commitment(draw.key):
        return ""
    return str(promised_seed(draw.key, promise.inputs, draw.randomness))


def other_rules(form: Form[Any], receipts: Receipts, *, accepts: bool = False) -> Problem | None:
    """Return the problem of a season under another version of a ruleset's rules than this program's.

    Args:
        accepts: True if a newer version is accepted; an older one never is.
    """
    begun, version = receipts.rules_versions.get(form.key), form.ruleset.version
    if begun is None or begun == version or (accepts and begun < version):
        return None
    says = f"the season is ruled by version {begun} of {form.ruleset_key}, and this program has {version}"
    accept = "Install the version that ruled it, or let it go on under the new rules with run --accept-rules"
    allowed = accept if begun < version else "Install the newer program"
    return Problem(cell=CellRef(tab_of(form.request).name), says=says, allowed=allowed, id="RCP-17")


OWN_TABLES = "--config DIR"
"""The option that names a moderator's own tables."""
FIND_TABLES = f"name its tables with {OWN_TABLES}, or if they have another format, use the program that ruled it"
"""The ways to a ruling by other tables, a clause; a program reads only tables of its own format."""


def other_tables(form: Form[Any], receipts: Receipts, fingerprint: str) -> Iterator[Problem]:
    """Warn if the last ruling of a form was computed with other tables than those at hand (RCP-11)."""
    last = next((ruling for ruling in reversed(receipts.rulings) if ruling.ruleset == form.key), None)
    if last is not None and "" != last.rules_fingerprint != fingerprint != "":
        says = f"receipt {last.seq} ({last.request}) was ruled by other tables than those here, which rule the next"
        allowed = f"To verify or replay it, {FIND_TABLES}"
        cell = CellRef(tab_of(form.request).name)
        yield Problem(cell=cell, says=says, allowed=allowed, id="RCP-11", severity=Severity.WARNING)
