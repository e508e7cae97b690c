"""The command `verify`, on a computer and in a browser: rulings recomputed and compared with their receipts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from engine.ruleset import no_op
from sheets_algo.commands.report import Report, problem_data, verdict_lines
from sheets_algo.database.problems import Problem, count, ended, problem_lines, shorten_list
from sheets_algo.pages.verdict_page import Findings
from sheets_algo.replays.log_lines import rows_by_receipt
from sheets_algo.replays.promise_problems import promise_problems, rounds_of
from sheets_algo.replays.replay import CANNOT, DIFFERENT, EQUAL, Verdict, verify
from sheets_algo.replays.shown_results import shown_otherwise
from sheets_algo.ruling.luck.beacon import QUICKNET, check_together
from sheets_algo.ruling.passes.evidence import gone_by_rows, unsettled
from sheets_algo.ruling.promises.promises import Promises
from sheets_algo.ruling.receipts.chain import (
    LostReceipts,
    find_head,
    given_up_text,
    losses,
    losses_before,
    season_trouble,
)
from sheets_algo.ruling.receipts.lookup import ruling_of
from sheets_algo.ruling.receipts.receipt_rows import LogRow
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt
from sheets_algo.ruling.receipts.season_receipts import fork_text
from sheets_algo.ruling.requests.provenance import decided_text, heirs
from sheets_algo.runtime.session import season_secret
from sheets_algo.runtime.session.own_numbers import own_numbers
from sheets_algo.runtime.session.record import noted_heads
from sheets_algo.runtime.session.session import Session, opened

SECRET_PROVES = (
    "The season has secret luck: equal receipts prove that no ruling was changed afterwards. They do not prove that the"
    " holder of the secret did not try ids or inputs beforehand; docs/fair-play.md has more."
)
NAMED = 3
"""Maximum number of cells that the sentence for players names."""
EXIT_CODES = {EQUAL: 0, DIFFERENT: 1, CANNOT: 2}
"""Exit code by result: what cannot be computed needs other options, or another release, as wrong options do."""
OTHER_HEAD = "No receipt has the head {}: a receipt that was there when it was noted is gone, or was changed."
BROKEN_BEFORE = "Receipt {} has the head that you noted, but what it vouches for is no longer there: {}."
OWN_NUMBERS = "This season is ruled with other numbers than the release, in {}:"
OTHER_CHAIN = (
    "The beacon of this season is not drand quicknet: whoever runs it may know its rounds beforehand, and then its luck"
    " proves nothing."
)
SHOWN_OTHERWISE = "The sheet shows something else than the receipts, in {}:"
NO_SECRET = "The season secret is missing: seeds are used as the receipts show them, without a check."

NO_KEY = (
    "The season secret is missing: each seed is checked by the key that its ruling reveals and its promise commits to."
    " Whether the keys are the secret's is checked once that is published."
)
NO_ORDER_IN_TIME = (
    "This proves no order in time: that a promise was made before its round is shown only by a head of the receipts"
    " that was posted before it (verify --head), or by the version history of Google Sheets."
)


@dataclass(frozen=True, slots=True)
class Verification:
    """Result of recomputing rulings."""

    verdicts: tuple[Verdict, ...]  # A verdict on each
    problems: tuple[Problem, ...]  # Displaced cells, and requests whose row is gone
    # Why the secret is not the season's, and which receipts are gone or changed; blank if all is well, or the secret is
    # not at hand.
    trouble: str
    promises: str  # The promises of the season, counted; blank in a season without
    aside: str  # What the verdicts do not prove; blank without verdicts
    chain: str  # The head of the receipts, or that it is the one that a player noted; blank without receipts
    differing: tuple[Problem, ...] = ()  # The cells that show something else than the receipts (RCP-34)
    rules: str = ""  # By whose rules the season's wars are fought; blank in a season that does not name them
    numbers: tuple[str, ...] = ()  # Each number that is not the release's (SET-06)
    wrong: tuple[str, ...] = ()  # The trouble without remedies, in sentences
    plain: str = ""  # The trouble for players, in a sentence
    beacon: str = ""  # That the season has another beacon than drand quicknet; blank if it has not
    decided: str = ""  # How many rulings luck and people have decided, a clause; blank if people have decided none
    given_up: str = ""  # The losses of receipts that moderators accepted, in sentences

    @property
    def result(self) -> str:
        """Return the result of all receipts: different if one is, or the secret is another one."""
        if self.trouble or any(verdict.is_different for verdict in self.verdicts):
            return DIFFERENT
        return EQUAL if all(verdict.is_equal for verdict in self.verdicts) else CANNOT

    @property
    def total(self) -> str:
        """Return a sentence that counts equal, different and uncomputable receipts.

        In a damaged season, it adds that each receipt is judged by itself.
        """
        if not self.verdicts:
            return "No ruling is in Receipts." if self.trouble else "Nothing has been ruled yet."
        counts = Counter(verdict.result for verdict in self.verdicts)
        others = (f", {counts[result]} {result}" for result in (DIFFERENT, CANNOT) if counts[result])
        alone = "Each receipt for itself: " if self.trouble else ""
        return f"{alone}{counts[EQUAL]} of {count(len(self.verdicts), 'receipt')} equal{''.join(others)}."

    @property
    def sheet(self) -> str:
        """Return a heading for a sheet that differs from the receipts; blank for none."""
        return SHOWN_OTHERWISE.format(count(len(self.differing), "place")) if self.differing else ""

    @property
    def other_numbers(self) -> tuple[str, ...]:
        """Return a heading and each number that differs from the release; nothing if none does."""
        return (OWN_NUMBERS.format(count(len(self.numbers), "place")), *self.numbers) if self.numbers else ()

    @property
    def sentence(self) -> str:
        """Return the result for players, in plain words."""
        counts, all_ = Counter(verdict.result for verdict in self.verdicts), len(self.verdicts)
        if not self.verdicts:
            said = "" if self.plain else "Nothing has been ruled yet."
        elif counts[EQUAL] == all_:
            said = f"All {all_:,} results come out again." if all_ > 1 else "The one result comes out again."
        elif counts[DIFFERENT]:
            said = f"{counts[DIFFERENT]:,} of {count(all_, 'result')} did not come out again."
        else:
            others = ", the others come out again" if counts[EQUAL] else ""
            said = f"{counts[CANNOT]:,} of {count(all_, 'result')} cannot be computed here{others}."
        decided = f"{self.decided}." if self.decided else ""
        return " ".join(filter(None, (self.plain, self.given_up, said, self._inherited, decided, self._changed)))

    @property
    def _inherited(self) -> str:
        """Return which results come out again, but from what others that do not have left, in a sentence."""
        heirs_ = [verdict.receipt.request for verdict in self.verdicts if verdict.heir_of]
        return f"Fought with what those left: {', '.join(shorten_list(heirs_, NAMED))}." if heirs_ else ""

    @property
    def _changed(self) -> str:
        """Return a sentence for players that names the cells that differ from their receipts."""
        names = [
            " of ".join(filter(None, (problem.column, problem.row))) or str(problem.cell) for problem in self.differing
        ]
        if not names:
            return ""
        more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
        was = "One cell was" if len(names) == 1 else f"{len(names):,} cells were"
        return f"{was} changed afterwards: {', '.join(names[:NAMED])}{more}."

    @property
    def _own_numbers(self) -> str:
        """Return the first numbers that differ from the release, in a sentence; blank for none."""
        return f"{self.other_numbers[0]} {'; '.join(shorten_list(self.numbers, NAMED))}." if self.numbers else ""

    @property
    def page(self) -> Findings:
        """Return the content of a page for players."""
        rest = (
            self.trouble,
            *problem_lines(self.differing),
            *problem_lines(self.problems),
            self.rules,
            *self.other_numbers,
            self.beacon,
            self.promises,
        )
        return Findings(
            sentence=self.sentence,
            wrong=tuple(
                filter(None, (*self.wrong, self.total if self.trouble else "", self.beacon, self._own_numbers))
            ),
            verdicts=self.verdicts,
            differing=tuple(f"{problem.cell} {ended(problem.says)}" for problem in self.differing),
            notes=tuple(filter(None, (*rest, self.chain))),
            aside=self.aside,
        )

    def report(self) -> Report:
        """Return the report of the command."""
        lines = [*problem_lines(self.problems), *(line for verdict in self.verdicts for line in verdict_lines(verdict))]
        lines += filter(None, (self.rules, *self.other_numbers, self.beacon, self.given_up, self.chain))
        lines += filter(None, (self.trouble, f"{self.decided}." if self.decided else "", self.total))
        lines += filter(None, (self.promises, self.sheet))
        lines += problem_lines(self.differing)
        data = {
            "receipts": [
                {
                    "seq": verdict.receipt.seq,
                    "request": verdict.receipt.request,
                    "result": verdict.result,
                    "equal": verdict.is_equal,
                    "differences": verdict.differences,
                    "missing": [asdict(missing) for missing in verdict.missing],
                    "remarks": verdict.remarks,
                }
                for verdict in self.verdicts
            ],
            "problems": [problem_data(problem) for problem in self.problems],
            "sheet": [problem_data(problem) for problem in self.differing],
            "season": self.trouble,
            "decided": self.decided,
            "given_up": self.given_up,
            "chain": self.chain,
            "rules": self.rules,
            "numbers": self.numbers,
            "beacon": self.beacon,
            "result": self.result,
        }
        code = EXIT_CODES[self.result] or int(any(problem.is_error for problem in self.differing))
        return Report(data, lines, code, [self.aside] if self.aside else [])


def verification(
    session: Session,
    requests: Sequence[str] = (),
    on_verdict: Callable[[Verdict, int], None] = no_op,
    head: str = "",
    on_begin: Callable[[int, int], None] = no_op,
) -> Verification:
    """Recompute rulings and compare them with their receipts.

    Args:
        requests: The requests whose rulings are recomputed; none for all.
        head: A head of the receipts, or its digest, that a player noted earlier; blank for none.

    Raises:
        WorkbookUnavailable: The workbook cannot be read, or the secret is too short.
        NotFound: A request is not ruled.
    """
    book = opened(session, whole=(LogRow,))
    known = book.receipts
    receipts = [ruling_of(known, request) for request in requests] or list(known.rulings)
    secret = season_secret.available(session.folder, known.season)
    promises = Promises(known)
    rounds = list(rounds_of(known)) if known.luck.is_beacon else []
    on_begin(len(receipts), len(rounds))
    check_together(known.luck.chain, rounds)
    verdicts, logs = [], rows_by_receipt(book.snapshot)
    first = min((int(seq) for seq in logs if seq.isdecimal()), default=math.inf)  # people may clear what is older
    for receipt in receipts:
        form = book.form(receipt.ruleset)
        fingerprint = session.library.fingerprint(form.ruleset_key) if form else ""
        log = logs.get(str(receipt.seq), () if receipt.seq > first else None)
        verdicts.append(verify(receipt, form, fingerprint, secret, known.options, promises, log))
        on_verdict(verdicts[-1], len(receipts))
    forms = {form.key: form for form in book.forms}
    left = heirs(known, forms, {verdict.receipt.seq for verdict in verdicts if verdict.is_different})
    verdicts = [_with_heritage(verdict, left.get(verdict.receipt.seq, ())) for verdict in verdicts]
    lies = tuple(promise_problems(promises, forms)) if known.luck.is_beacon else ()
    loss = losses(known, noted_heads(session, known.record_key, asks=True))
    noted = find_head(known, head) if head else None
    since = losses_before(known, noted) if noted else LostReceipts()
    begun_otherwise, gone = season_trouble(known, secret), tuple(gone_by_rows(book.snapshot, book.forms, known))
    other_head = OTHER_HEAD.format(head) if head and not noted else ""
    if noted and since:
        other_head = BROKEN_BEFORE.format(noted.seq, since)
    plain = (
        (begun_otherwise, "This is not the season, or not the secret, that it began with."),
        (loss or gone, "Receipts are gone, or were changed after they were written."),
        (other_head, "These are not the receipts whose head you noted."),
        (lies, "A promise is not as it was made."),
    )
    if known.luck.is_beacon:
        asides = ["" if secret else NO_KEY, "" if noted and not since else NO_ORDER_IN_TIME]
    else:
        asides = [SECRET_PROVES] if secret else [NO_SECRET, SECRET_PROVES]
    return Verification(
        tuple(verdicts),
        unsettled(book.snapshot, book.forms, known),
        " ".join(filter(None, (begun_otherwise, str(loss.problem) if loss else "", other_head, *gone, *lies))),
        promises.summary() if known.luck.is_beacon else "",
        " ".join(filter(None, asides)) if verdicts else "",
        _chain_text(known, noted) if known.by_seq and not other_head else "",
        tuple(shown_otherwise(book.snapshot, book.forms, known)),
        f"The season was begun by these rules: {name}." if (name := book.rules_name) else "",
        own_numbers(book, session.library),
        tuple(filter(None, (begun_otherwise, ended(loss.problem.says) if loss else "", other_head, *gone, *lies))),
        next((sentence for trouble, sentence in plain if trouble), ""),
        OTHER_CHAIN if known.luck.is_beacon and known.luck.chain != QUICKNET else "",
        decided_text([ruling for ruling in receipts if not known.is_undone(ruling)]),
        " ".join(f"Receipt {seq}: {text}" for seq, text in sorted(_accepted_texts(known).items())),
    )


def _with_heritage(verdict: Verdict, left: tuple[int, ...]) -> Verdict:
    """Return a verdict that says with what its ruling was fought, if others that are different left it (RCP-37)."""
    names = ", ".join(shorten_list([*map(str, left)], NAMED))
    says = f"fought with what {'receipts' if len(left) > 1 else 'receipt'} {names} left, which did not come out again"
    return replace(verdict, heir_of=left, remarks=(*verdict.remarks, says)) if left else verdict


def _accepted_texts(receipts: Receipts) -> Mapping[int, str]:
    """Return the texts of receipts of kind Restore and Fork, by their numbers."""
    restored = {receipt.seq: given_up_text(receipt) for receipt in receipts.restores}
    return restored | {seq: fork_text(fork) for seq, fork in receipts.forks}


def _chain_text(receipts: Receipts, noted: StoredReceipt | None) -> str:
    """Return a sentence with the head of the receipts, or the verdict on the head that a player noted."""
    if noted:
        return f"Receipt {noted.seq} has the head that you noted: it and all before it are those of then."
    return f"The head of the receipts is {receipts.head}; verify --head compares it with a later state."
