"""Rulings replayed from the frozen inputs of their receipts: `replay` shows them, `verify` compares them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.columns import Field, column
from engine.config_value import TableError
from engine.decisions import WrongDecision
from engine.errors import ExpectedError
from engine.receipt import USUAL, SeasonOptions
from engine.rng import Rng
from engine.ruleset import LogSink, Outcome, Plain, no_op
from sheets_algo import __version__
from sheets_algo.database.cell_text import ReadError
from sheets_algo.database.cells import read_value
from sheets_algo.database.fields import fields_of
from sheets_algo.database.problems import ended, quoted
from sheets_algo.database.tables import Row
from sheets_algo.forms.base import Form, NotAtHand
from sheets_algo.replays.log_lines import log_differences
from sheets_algo.replays.promise_problems import beacon_problems, derived_inputs, lost_promise
from sheets_algo.ruling.luck.beacon import QUICKNET, can_check_signatures
from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.ruling.passes.writer import season_lines
from sheets_algo.ruling.promises.promises import Promises
from sheets_algo.ruling.receipts.chain import FIND_TABLES, OWN_TABLES, is_drawn_with
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.requests.decisions import resolve
from sheets_algo.ruling.requests.program_cells import values_left
from sheets_algo.ruling.requests.provenance import PROVENANCE, Provenance, provenance

EQUAL, DIFFERENT, CANNOT = "equal", "different", "cannot be computed"
"""The results of `verify` (RCP-11)."""


@dataclass(frozen=True, slots=True)
class MissingInput:
    """A missing file or release without which a ruling cannot be computed; its receipt may be right."""

    text: str  # The missing thing and the remedy, a clause
    needs: str  # The required option or release: `--maps DIR`, `--config DIR`, `sheets-algo 0.1`


class CannotReplay(ExpectedError):
    """A ruling that cannot be replayed; the text gives the reason."""

    exit_code = 1


class ReplayNeeds(CannotReplay):
    """A ruling that cannot be replayed without a missing file or release; its receipt may be right.

    Args:
        cannot: The impossible action, a clause.
    """

    exit_code = 2

    def __init__(self, cannot: str, missing: MissingInput) -> None:
        super().__init__(f"{cannot}: {ended(missing.text)}")
        self.missing = missing


@dataclass(frozen=True, slots=True)
class ReceiptDifference:
    """A difference between a receipt and the recomputed ruling, or another reason why they are not equal."""

    sentences: tuple[str, ...]  # The difference in words
    place: str = ""  # Its place in the receipt or in the database; blank for another reason
    written: str = ""  # The value in the receipt
    actual: str = ""  # The value in the recomputed ruling


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of recomputing one receipt."""

    receipt: StoredReceipt  # The receipt in the workbook
    compared: tuple[ReceiptDifference, ...]  # The differences: from the recomputed ruling, and within the receipt
    missing: tuple[MissingInput, ...] = ()  # The missing inputs of the computation (RCP-11, RCP-17)
    remarks: tuple[str, ...] = ()  # Remarks for the reader: on changed rules, or a seed from a moderator
    heir_of: tuple[int, ...] = ()  # The different receipts, and heirs of such, whose cells it reads (RCP-37)

    @property
    def is_equal(self) -> bool:
        """Return True if the receipt equals the result of its inputs, seed and rules."""
        return not self.compared and not self.missing

    @property
    def is_different(self) -> bool:
        """Return True if the receipt is wrong, even if inputs are missing."""
        return bool(self.compared)

    @property
    def result(self) -> str:
        """Return the result: `EQUAL`, `DIFFERENT` or `CANNOT`."""
        return EQUAL if self.is_equal else DIFFERENT if self.is_different else CANNOT

    @property
    def differences(self) -> tuple[str, ...]:
        """Return the differences in sentences."""
        return tuple(sentence for difference in self.compared for sentence in difference.sentences)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return the reasons why the receipt is not equal, in sentences: differences, and missing inputs."""
        return (*self.differences, *(missing.text for missing in self.missing))


def replay(receipt: StoredReceipt, form: Form[Any], log: LogSink = no_op) -> Outcome:
    """Replay a ruling.

    Raises:
        CannotReplay: It was ruled by another version of the rules; its inputs are unreadable or were edited; or they
            name something that is missing here.
    """
    cannot = f"Receipt {receipt.seq} ({receipt.request}) cannot be played again"
    for damage in _damage(receipt):
        raise CannotReplay(f"{cannot}: {damage}.")
    if (other := _other_rules(receipt, form)) is not None:
        raise ReplayNeeds(cannot, other)
    try:
        form.deserialize(receipt.inputs)
    except NotAtHand as error:
        raise ReplayNeeds(cannot, MissingInput(str(error), error.needs)) from error
    except ValueError as error:
        raise CannotReplay(f"{cannot}: {ended(str(error))}") from error
    try:
        return resolve(form, receipt.inputs, Rng(int(receipt.seed)), receipt.overrides, log)
    except (WrongDecision, TableError) as error:  # such as a decision about a number that the tables had then
        raise CannotReplay(f"{cannot}: {ended(str(error))}") from error


def replay_as_ruled(
    receipt: StoredReceipt, form: Form[Any], fingerprint: str, options: SeasonOptions, log: LogSink = no_op
) -> Outcome:
    """Replay a ruling whose result is still that of its receipt, and under other tables its text too.

    Args:
        fingerprint: SHA-256 of the ruleset's current tables.

    Raises:
        CannotReplay: As for `replay`, or it has another result by the rules and numbers here.
    """
    cannot = f"Receipt {receipt.seq} ({receipt.request}) cannot be played again"
    has_other_tables = receipt.rules_fingerprint != fingerprint
    try:
        outcome = replay(receipt, form, log).in_season(options)
    except LookupError as error:  # a word of the inputs that other tables lack
        if not has_other_tables:
            raise
        raise ReplayNeeds(cannot, other_tables(receipt, fingerprint)) from error
    is_equal = (outcome.winner, outcome.figures) == (receipt.winner, receipt.figures.values)
    has_words = bool(_other_words(receipt)) or receipt.wiki.startswith(outcome.receipt.wiki())
    if is_equal and (has_words or not has_other_tables):
        return outcome
    if has_other_tables:
        raise ReplayNeeds(cannot, other_tables(receipt, fingerprint))
    raise CannotReplay(f"{cannot}: it has another result now than when it was ruled.")


def _damage(receipt: StoredReceipt) -> Iterator[str]:
    """Yield the contradictions within a receipt, in clauses."""
    if receipt.fingerprint != receipt.inputs_fingerprint:
        what = "inputs, or the decisions about it," if receipt.overrides else "inputs"
        yield f"its {what} are not those whose fingerprint it has"
    if not receipt.seed.isdecimal():
        yield f"its seed {quoted(receipt.seed)} is not a number"


def _other_rules(receipt: StoredReceipt, form: Form[Any]) -> MissingInput | None:
    """Return the release that is missing for a ruling by another version of the rules (RCP-17)."""
    releases, version = form.ruleset.releases, receipt.rules_version
    if version == form.ruleset.version:
        return None
    needs = f"sheets-algo {releases[version - 1] if version <= len(releases) else 'of a later version'}"
    says = f"it was ruled by rules version {version}, and this program has {len(releases)}: install {needs}"
    return MissingInput(says, needs)


def other_tables(receipt: StoredReceipt, fingerprint: str) -> MissingInput:
    """Return the tables that are missing for a ruling by others than those here (RCP-11)."""
    digests = f"Rules Fingerprint {receipt.rules_fingerprint[:12]}..., here {fingerprint[:12]}..."
    says = f"the tables here are not those that it was ruled with ({digests})"
    return MissingInput(f"{says}: {FIND_TABLES}", OWN_TABLES)


NO_SEASON_ROW = MissingInput(
    f"the row of Kind Season in {ReceiptRow.tab.name} is missing: bring it back from an older version of the workbook",
    "the row of Kind Season",
)


def verify(
    receipt: StoredReceipt,
    form: Form[Any] | None,
    fingerprint: str,
    secret: Secret | None,
    options: SeasonOptions = USUAL,
    promises: Promises | None = None,
    log: Sequence[Row] | None = None,
) -> Verdict:
    """Recompute one ruling and compare it with its receipt (RCP-11).

    A receipt that contradicts itself, its promise or the season secret is different, even if inputs are missing.

    Args:
        form: Of its ruleset; None if the workbook lacks the request tab.
        fingerprint: SHA-256 of the ruleset's current tables.
        secret: The season's, to check the seed; None if it is not available.
        promises: The promises of the season, to check the round of a beacon; None for a season without them.
        log: The rows of the tab Log that name the receipt; None if the tab was cleared, or is not read.
    """
    known = promises.receipts if promises else Receipts({})
    luck = known.luck
    remarks = []
    reasons = [*_damage(receipt)]
    if promises and not promises.receipts.season:
        return Verdict(receipt, tuple(ReceiptDifference((reason,)) for reason in reasons), (NO_SEASON_ROW,))
    draw = receipt.draw
    if promises:
        reasons += beacon_problems(receipt, promises, luck, form)
    if draw is None and receipt.seed_source not in ("season", "given"):
        reasons.append(f"the seed source {quoted(receipt.seed_source)} is neither season nor given")
    if release := _other_words(receipt):
        remarks.append(f"its words are those of sheets-algo {release}, and only what they say of is compared")
    if receipt.seed_source == "given":
        remarks.append("a moderator gave the seed")
    elif secret is not None and not is_drawn_with(receipt, known, secret):
        reasons.append("the seed is not the one that the season secret gives for these inputs")
    compared, missing = _recompute(receipt, form, fingerprint, options, known, log)
    if promises and (promise := lost_promise(receipt, promises)) is not None:
        missing = (
            *missing,
            MissingInput(f"its promise, receipt {promise}, is gone or was changed", f"receipt {promise}"),
        )
    if receipt.rules_fingerprint != fingerprint and not (reasons or compared or missing):
        remarks.append("the rules have other numbers now than when it was ruled")
    if draw and not can_check_signatures():
        remarks.append("the beacon's signature is not checked here, because the package py-ecc is missing or broken")
    if draw and promises and (places := derived_inputs(receipt, promises, form)):
        remarks.append(f"earlier rulings changed what it reads, and receipts alone do not show how: {places}")
    if luck.is_beacon and luck.chain != QUICKNET:
        remarks.append("the beacon is not drand quicknet: whoever runs it may know its rounds beforehand")
    reasons_told = (ReceiptDifference((reason,)) for reason in reasons)
    return Verdict(receipt, (*reasons_told, *compared), tuple(missing), tuple(remarks))


def _recompute(
    receipt: StoredReceipt,
    form: Form[Any] | None,
    fingerprint: str,
    options: SeasonOptions,
    receipts: Receipts,
    log: Sequence[Row] | None,
) -> tuple[Sequence[ReceiptDifference], Sequence[MissingInput]]:
    """Return the differences of a replayed ruling, and the missing inputs."""
    if any(_damage(receipt)):
        return (), ()
    if form is None:
        tab = f"the request tab of {receipt.ruleset}"
        return (), [MissingInput(f"{tab} is missing: bring it back from an older version of the workbook", tab)]
    tables = [other_tables(receipt, fingerprint)] if receipt.rules_fingerprint != fingerprint else []
    try:
        outcome = replay(receipt, form).in_season(options)
    except ReplayNeeds as error:
        return (), [error.missing, *tables]
    except CannotReplay as error:
        return ((), tables) if tables else ([ReceiptDifference((str(error),))], ())
    except LookupError:  # a word of the inputs that other tables lack
        if not tables:
            raise
        return (), tables
    if not receipts.by_seq:  # a receipt alone does not tell the origin of its inputs
        figures = replace(receipt.figures, people=(), origins=())
        receipt = replace(receipt, wiki=PROVENANCE.sub("", receipt.wiki), figures=figures)
    origin = provenance(receipt, receipts, form, outcome.typed) if receipts.by_seq else Provenance()
    wiki = outcome.receipt.wiki() + season_lines(outcome, receipt, receipts, form, origin)
    compared = [*_compare(receipt, outcome, wiki, form), *_of_provenance(receipt, origin)]
    compared += _of_log(log, receipt, outcome)
    return ((), tables) if tables and compared else (compared, ())


def _value(place: str, says: str, written: str, actual: str) -> ReceiptDifference:
    return ReceiptDifference((f"{place}: the receipt {says} {written}, it comes to {actual}",), place, written, actual)


def _compare(receipt: StoredReceipt, outcome: Outcome, wiki: str, form: Form[Any]) -> Iterator[ReceiptDifference]:
    if receipt.winner != outcome.winner:
        yield _value("winner", "says", receipt.winner or "nobody", outcome.winner or "nobody")
    if receipt.war != outcome.receipt.title:
        yield _value("war", "says", receipt.war, outcome.receipt.title)
    if not _other_words(receipt):
        yield from _of_words(receipt, outcome, wiki)
    yield from _of_figures(receipt.figures.values, outcome.figures)
    written_men, men = (
        "; ".join(army.text() for army in of) for of in (receipt.figures.casualties, outcome.casualties)
    )
    if written_men != men:
        yield _value("casualties", "says", written_men or "none", men or "none")
    yield from _of_parts(receipt, outcome, form)
    if not receipt.overrides:  # a ruling starts from what was decided, and its change from what the cell had
        yield from _of_starts(receipt, outcome, form)
    changed = {(change.tab, change.row, change.field): change.after for change in receipt.changes}
    updated = values_left(form.database, outcome)
    for place in dict.fromkeys((*changed, *updated)):
        if changed.get(place) != updated.get(place):
            yield _value(", ".join(place), "wrote", repr(changed.get(place)), repr(updated.get(place)))


def _of_words(receipt: StoredReceipt, outcome: Outcome, wiki: str) -> Iterator[ReceiptDifference]:
    """Yield where the receipt or the message has other words than this release gives."""
    if not receipt.figures.message.startswith(outcome.summary):
        yield _value("message", "says", receipt.figures.message.partition("\n")[0], outcome.summary)
    written, actual = receipt.wiki.splitlines(), wiki.splitlines()
    for kind, first, last, first_actual, last_actual in difflib.SequenceMatcher(None, written, actual).get_opcodes():
        if kind != "equal":
            ours, theirs = written[first:last], actual[first_actual:last_actual]
            sentences = (*(f"the receipt says: {line}" for line in ours), *(f"it comes to: {line}" for line in theirs))
            yield ReceiptDifference(sentences, f"receipt, line {first + 1}", "\n".join(ours), "\n".join(theirs))


def _other_words(receipt: StoredReceipt) -> str:
    """Return the other release whose words a receipt has; blank if they are compared (RCP-34)."""
    return "" if receipt.figures.release == __version__ else receipt.figures.release


def _of_figures(written: Mapping[str, Any], actual: Mapping[str, Any]) -> Iterator[ReceiptDifference]:
    for header in dict.fromkeys((*written, *actual)):
        if written.get(header) != actual.get(header):
            yield _value(header, "shows", repr(written.get(header)), repr(actual.get(header)))


def _of_log(log: Sequence[Row] | None, receipt: StoredReceipt, outcome: Outcome) -> Iterator[ReceiptDifference]:
    is_worded = not _other_words(receipt)
    for cell, written, actual in log_differences(log, outcome, receipt.figures, is_worded=is_worded):
        yield ReceiptDifference(
            (f"{cell}: the log says {quoted(written)}, the ruling has {actual}",), cell, written, actual
        )


def _of_provenance(receipt: StoredReceipt, origin: Provenance) -> Iterator[ReceiptDifference]:
    """Yield an error if a ruling lacks people's decisions, which later receipts inherit (RCP-37)."""
    written, actual = (receipt.figures.people, receipt.figures.origins), (origin.people, origin.origins)
    for what, one, other in zip(("decided by people", "inherited decisions"), written, actual, strict=True):
        if one != other:
            yield _value(what, "says", ", ".join(map(str, one)) or "none", ", ".join(map(str, other)) or "none")


def _of_parts(receipt: StoredReceipt, outcome: Outcome, form: Form[Any]) -> Iterator[ReceiptDifference]:
    """Yield the differences of results in the request's other rows.

    A row with several parts has a result for each (STRAT-13), and one that several armies share has those of each army.
    """
    left = {place: result.values for place, result in enumerate(outcome.results)}
    for number, part in enumerate(receipt.figures.parts, start=1):
        first = [*left]
        possible = [part.joins] if part.joins else (first[:many] for many in range(1, len(first) + 1))
        places = next((places for places in possible if _joined(form, left, places) == part.values), ())
        if not places:
            actual = repr(dict(left[first[0]])) if left else "nothing"
            yield _value(f"{part.tab}, row {number} of the request", "shows", repr(dict(part.values)), actual)
            return
        for place in places:
            del left[place]
    if left:
        yield ReceiptDifference((f"the receipt shows no results for {len(left)} of the request's other rows",))


def _joined(form: Form[Any], left: Mapping[int, Mapping[str, Plain]], places: Sequence[int]) -> Mapping[str, Plain]:
    """Return what a row shows of some results, nothing if one of them is unknown or in another row."""
    known = set(places) & left.keys()
    return form.row_result([left[place] for place in places]) if len(known) == len(places) else {}


def _of_starts(receipt: StoredReceipt, outcome: Outcome, form: Form[Any]) -> Iterator[ReceiptDifference]:
    """Yield the changes that start from another value than the ruling read; a blank cell counts as its default."""
    started = {(update.tab, update.row, update.field): update.before for update in reversed(outcome.updates)}
    for change in receipt.changes:
        place = (change.tab, change.row, change.field)
        if place not in started or change.before in (None, ""):
            continue
        record, attribute = fields_of(tuple(form.database))[change.tab, change.field]
        before, actual = (_read(form, column(record, attribute), value) for value in (change.before, started[place]))
        if before != actual:
            yield _value(", ".join(place), "starts from", repr(change.before), repr(started[place]))


def _read(form: Form[Any], column: Field, value: Plain) -> Any:
    """Return a value of a receipt or of a ruling as the rules read it from a cell; unchanged if they cannot."""
    try:
        return value if value in (None, "") else read_value(column, value, form.vocabulary.lists)
    except ReadError:
        return value
