"""The command `verify`, on a computer and in a browser: rulings recomputed and compared with their receipts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from engine.ruleset import no_op
from sheets_algo.commands.report import Report, problem_data, verdict_lines
from sheets_algo.database.problems import Problem, told
from sheets_algo.database.wording import count
from sheets_algo.ruling.check import unsettled
from sheets_algo.ruling.lookup import ruling_of
from sheets_algo.ruling.program_cells import missing_receipts
from sheets_algo.ruling.promises import Promises
from sheets_algo.ruling.receipt_log import season_trouble
from sheets_algo.ruling.replay import CANNOT, DIFFERENT, EQUAL, Verdict, verify
from sheets_algo.runtime import season_secret
from sheets_algo.runtime.session import Session, opened

SECRET_PROVES = (
    "The season has secret luck: equal receipts prove that no ruling was changed afterwards. They do not prove that the"
    " holder of the secret did not try ids or inputs beforehand; docs/fair-play.md tells more."
)
EXIT_CODES = {EQUAL: 0, DIFFERENT: 1, CANNOT: 2}
"""Exit code by result: what cannot be computed needs other options, or another release, as wrong options do."""
NO_SECRET = "The season secret is missing: seeds are used as the receipts show them, without a check."


@dataclass(frozen=True, slots=True)
class Verification:
    """Result of recomputing rulings.

    Args:
        verdicts: A verdict on each.
        problems: Displaced cells, and requests and promises that are gone.
        trouble: Why the secret is not the season's, a sentence; blank if it is, or is not at hand.
        promises: The promises of the season, counted; blank in a season without.
        aside: What the verdicts do not prove; blank without verdicts.
    """

    verdicts: tuple[Verdict, ...]
    problems: tuple[Problem, ...]
    trouble: str
    promises: str
    aside: str

    @property
    def result(self) -> str:
        """Return the result of all receipts: different if one is, or the secret is another one."""
        if self.trouble or any(verdict.is_different for verdict in self.verdicts):
            return DIFFERENT
        return EQUAL if all(verdict.is_equal for verdict in self.verdicts) else CANNOT

    @property
    def total(self) -> str:
        """Return how many receipts are equal, different and cannot be computed, in a sentence."""
        if not self.verdicts:
            return "Nothing has been ruled yet."
        counts = Counter(verdict.result for verdict in self.verdicts)
        others = (f", {counts[result]} {result}" for result in (DIFFERENT, CANNOT) if counts[result])
        return f"{counts[EQUAL]} of {count(len(self.verdicts), 'receipt')} equal{''.join(others)}."

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what is to be said of all receipts together, in sentences, the total first."""
        return tuple(filter(None, (self.total, self.trouble, *told(self.problems), self.promises, self.aside)))

    def report(self) -> Report:
        """Return the report of the command."""
        lines = [*told(self.problems), *(line for verdict in self.verdicts for line in verdict_lines(verdict))]
        lines += filter(None, (self.trouble, self.total, self.promises))
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
            "season": self.trouble,
            "result": self.result,
        }
        return Report(data, lines, EXIT_CODES[self.result], [self.aside] if self.aside else [])


def verification(
    session: Session, requests: Sequence[str] = (), on_verdict: Callable[[Verdict, int], None] = no_op
) -> Verification:
    """Recompute rulings and compare them with their receipts.

    Args:
        session: The workbook and its surroundings.
        requests: The requests whose rulings are recomputed; none for all.
        on_verdict: Called with each verdict as it comes, and with the number of receipts.

    Raises:
        WorkbookUnavailable: The workbook cannot be read, or the secret is too short.
        NotFound: A request is not ruled.
    """
    seen = opened(session)
    known = seen.receipts.receipts
    receipts = [ruling_of(known, request) for request in requests] or list(known.of_kind("Ruling"))
    secret = season_secret.available(session.folder, known.season)
    promises = Promises(known)
    verdicts = []
    for receipt in receipts:
        form = seen.form(receipt.ruleset)
        fingerprint = session.library.fingerprint(form.ruleset_key) if form else ""
        verdicts.append(verify(receipt, form, fingerprint, secret, known.options, promises))
        on_verdict(verdicts[-1], len(receipts))
    problems = unsettled(seen.snapshot, seen.forms)
    if known.luck.is_beacon:  # a promise that was deleted counts as never made
        problems += tuple(missing_receipts(known))
    proves = "" if known.luck.is_beacon else SECRET_PROVES
    return Verification(
        tuple(verdicts),
        problems,
        season_trouble(known, secret),
        promises.summary() if known.luck.is_beacon else "",
        (proves if secret else NO_SECRET) if verdicts else "",
    )
