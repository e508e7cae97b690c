"""Rulings played again from what their receipts froze: `replay` shows them, `verify` compares them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.decisions import WrongDecision
from engine.errors import ExpectedError
from engine.receipt import PLAIN, SeasonOptions
from engine.ruleset import LogSink, Outcome, no_op
from sheets_algo.database.problems import ended, quoted
from sheets_algo.forms.base import Form
from sheets_algo.ruling.beacon import QUICKNET, can_check_signatures
from sheets_algo.ruling.decisions import rule
from sheets_algo.ruling.draw import SECRET_LUCK
from sheets_algo.ruling.luck_report import LuckOf, no_luck_lines
from sheets_algo.ruling.program_cells import values_left
from sheets_algo.ruling.promises import Promises, beacon_problems, draw_of, luck_lines
from sheets_algo.ruling.receipts import StoredReceipt
from sheets_algo.ruling.seeds import Secret


class CannotReplay(ExpectedError):
    """A ruling whose frozen inputs can no longer be read; the text says why."""

    exit_code = 1


@dataclass(frozen=True, slots=True)
class ReceiptDifference:
    """A difference between a receipt and the recomputed ruling, or another reason why they are not equal.

    Args:
        sentences: The difference in words.
        place: Where it is, in the receipt or in the database; blank for another reason.
        written: What the receipt has there.
        found: What it comes to.
    """

    sentences: tuple[str, ...]
    place: str = ""
    written: str = ""
    found: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of recomputing one receipt.

    Args:
        receipt: As it stands in the workbook.
        compared: The differences of the recomputed ruling; empty when it is equal.
        remarks: Remarks for the reader: the rules have changed since, a moderator gave the seed.
        is_other_rules: True if it was ruled by another version of the rules, so that it was not compared (RCP-17).
    """

    receipt: StoredReceipt
    compared: tuple[ReceiptDifference, ...]
    remarks: tuple[str, ...] = ()
    is_other_rules: bool = False

    @property
    def is_equal(self) -> bool:
        """Return True if the receipt is the one that its inputs, seed and rules give."""
        return not self.compared

    @property
    def result(self) -> str:
        """Return the result in a word or two."""
        return "equal" if self.is_equal else "not compared" if self.is_other_rules else "DIFFERENT"

    @property
    def differences(self) -> tuple[str, ...]:
        """Return the differences in sentences."""
        return tuple(sentence for difference in self.compared for sentence in difference.sentences)


def replay(receipt: StoredReceipt, form: Form[Any], log: LogSink = no_op, luck_of: LuckOf = no_luck_lines) -> Outcome:
    """Play a ruling again.

    Args:
        receipt: A ruling.
        form: Of its ruleset.
        log: Hears its log.
        luck_of: Says at the end of it how lucky the ruling was (FC-06).

    Raises:
        CannotReplay: It was ruled by another version of the rules; its inputs cannot be read or are not those it was
            ruled with, or what they name no longer exists.
    """
    if receipt.rules_version != form.ruleset.version:
        raise CannotReplay(f"It was {_other_rules(receipt, form)}.")
    cannot = f"Receipt {receipt.seq} ({receipt.request}) cannot be played again"
    try:
        inputs = form.deserialize(receipt.inputs)
    except ValueError as error:
        raise CannotReplay(f"{cannot}: {ended(str(error))}") from error
    if receipt.fingerprint != receipt.inputs_fingerprint:
        what = "inputs, or the decisions about it," if receipt.overrides else "inputs"
        raise CannotReplay(f"{cannot}: its {what} are not those whose fingerprint it has.")
    if not receipt.seed.isdecimal():
        raise CannotReplay(f"{cannot}: its seed {quoted(receipt.seed)} is not a number.")
    seed = int(receipt.seed)
    try:
        outcome = rule(form, receipt.inputs, seed, receipt.overrides, log)
    except WrongDecision as error:
        raise CannotReplay(f"{cannot}: {ended(str(error))}") from error
    if not receipt.overrides:
        luck_of(form, inputs, seed, log)
    return outcome


def _other_rules(receipt: StoredReceipt, form: Form[Any]) -> str:
    releases, version = form.ruleset.releases, receipt.rules_version
    release = releases[version - 1] if version <= len(releases) else "of a later version"
    return f"ruled by rules version {version}, and this program has {len(releases)}: install sheets-algo {release}"


def verify(
    receipt: StoredReceipt,
    form: Form[Any],
    fingerprint: str,
    secret: Secret | None,
    options: SeasonOptions = PLAIN,
    promises: Promises | None = None,
) -> Verdict:
    """Recompute one ruling and compare it with its receipt.

    Args:
        receipt: A ruling.
        form: Of its ruleset.
        fingerprint: SHA-256 of the ruleset's tables as they are now.
        secret: The season's, to check the seed; None where it is not at hand.
        options: The options of the season.
        promises: The promises of the season, to check the round of a beacon; None for a season without them.
    """
    luck = promises.receipts.luck if promises else SECRET_LUCK
    remarks = []
    if receipt.rules_version != form.ruleset.version:
        return Verdict(receipt, _reasons(_other_rules(receipt, form)), is_other_rules=True)
    if receipt.rules_fingerprint != fingerprint:
        remarks.append("the rules have other numbers now than when it was ruled")
    try:
        outcome = replay(receipt, form).in_season(options)
    except CannotReplay as error:
        return Verdict(receipt, _reasons(str(error)), tuple(remarks))
    wiki = outcome.receipt.wiki(options) + luck_lines(receipt, luck)
    reasons: list[str] = []
    draw = draw_of(receipt)
    randomness = draw.randomness if draw else ""
    if promises:
        reasons += beacon_problems(receipt, promises, luck)
    if draw and not can_check_signatures():
        remarks.append("the beacon's signature is not checked: install sheets-algo[beacon]")
    if luck.is_beacon and luck.chain != QUICKNET:
        remarks.append("the beacon is not drand quicknet: whoever runs it may know its rounds beforehand")
    if draw is None and receipt.seed_source not in ("season", "given"):
        reasons.append(f"the seed source {quoted(receipt.seed_source)} is neither season nor given")
    if receipt.seed_source == "given":
        remarks.append("a moderator gave the seed")
    elif secret is not None and secret.seed(receipt.request, receipt.inputs, randomness) != int(receipt.seed):
        reasons.append("the seed is not the one that the season secret gives for these inputs")
    return Verdict(receipt, (*_compared(receipt, outcome, wiki, form), *_reasons(*reasons)), tuple(remarks))


def _reasons(*sentences: str) -> tuple[ReceiptDifference, ...]:
    return tuple(ReceiptDifference((sentence,)) for sentence in sentences)


def _value(place: str, says: str, written: str, found: str) -> ReceiptDifference:
    return ReceiptDifference((f"{place}: the receipt {says} {written}, it comes to {found}",), place, written, found)


def _compared(receipt: StoredReceipt, outcome: Outcome, wiki: str, form: Form[Any]) -> Iterator[ReceiptDifference]:
    if receipt.winner != outcome.winner:
        yield _value("winner", "says", receipt.winner or "nobody", outcome.winner or "nobody")
    written, found = receipt.wiki.splitlines(), wiki.splitlines()
    for kind, first, last, first_found, last_found in difflib.SequenceMatcher(None, written, found).get_opcodes():
        if kind != "equal":
            ours, theirs = written[first:last], found[first_found:last_found]
            sentences = (*(f"the receipt says: {line}" for line in ours), *(f"it comes to: {line}" for line in theirs))
            yield ReceiptDifference(sentences, f"receipt, line {first + 1}", "\n".join(ours), "\n".join(theirs))
    yield from _of_figures(receipt.figures.values, outcome.figures)
    changed = {(change.tab, change.row, change.field): change.after for change in receipt.changes}
    updated = values_left(form.database, outcome)
    for place in dict.fromkeys((*changed, *updated)):
        if changed.get(place) != updated.get(place):
            yield _value(", ".join(place), "wrote", repr(changed.get(place)), repr(updated.get(place)))


def _of_figures(written: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[ReceiptDifference]:
    for header in dict.fromkeys((*written, *found)):
        if written.get(header) != found.get(header):
            yield _value(header, "shows", repr(written.get(header)), repr(found.get(header)))
