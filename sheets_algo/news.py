"""What is new in a pass, as sentences for a journal: each ruling, each forecast, each mistake once."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sheets_algo.forecasts.tab import Cells, line
from sheets_algo.passes import Passed
from sheets_algo.plans import Answer
from sheets_algo.problems import ended
from sheets_algo.reports import count


@dataclass(frozen=True, slots=True)
class Item:
    """One happening.

    Args:
        event: `ruled`, `forecast`, `refused`, `failed`, `tab`, `picture` or `remark`.
        message: A sentence.
        level: Of logging.
        facts: For programs.
    """

    event: str
    message: str
    level: int = logging.INFO
    facts: dict[str, Any] = field(default_factory=dict)


class News:
    """Remembers what was said of a workbook; what was mended meanwhile may be said again."""

    def __init__(self) -> None:
        self._standing: frozenset[str] = frozenset()

    def of(self, passed: Passed) -> Iterator[Item]:
        """What this pass adds to those before it."""
        yield from (_ruled(answer) for answer in passed.plan.answers if answer.ruling)
        yield from (_foretold(cells) for cells in passed.plan.told if passed.is_written)
        standing = list(_standing(passed))
        yield from (item for item in standing if item.message not in self._standing)
        self._standing = frozenset(item.message for item in standing)
        if passed.unsaved:
            yield Item("picture", passed.unsaved, logging.WARNING)
        yield from (Item("remark", remark, logging.DEBUG) for remark in passed.remarks)


def _ruled(answer: Answer) -> Item:
    assert answer.ruling is not None
    receipt = answer.ruling.receipt
    war = f" ({receipt.war})" if receipt.war else ""
    facts = {"request": receipt.request, "seq": receipt.seq, "war": receipt.war, "winner": receipt.winner}
    return Item("ruled", f"{receipt.request}{war}: {_first(answer)}. Receipt {receipt.seq}.", facts=facts)


def _foretold(cells: Cells) -> Item:
    """A new row of the Forecasts tab."""
    request, war = str(cells["request"]), str(cells["war"] or "")
    facts = {"request": request, "war": war, "battles": cells["runs"], "error": cells["error"]}
    return Item("forecast", f"{request}{f' ({war})' if war else ''}: {ended(line(cells))}", facts=facts)


def _standing(passed: Passed) -> Iterator[Item]:
    """What stays so until somebody mends it."""
    yield from (Item("tab", str(problem), logging.WARNING) for problem in passed.plan.of_tabs)
    for answer in passed.plan.answers:
        shown = answer.shown
        who = shown.request or f"A row without an id ({answer.problems[0].cell})" if answer.problems else shown.request
        facts = {"request": shown.request, "status": shown.status}
        if shown.status == "Invalid":
            more = len(answer.problems) - 1
            rest = f" And {count(more, 'more problem')}." if more > 0 else ""
            yield Item("refused", f"{who} is refused: {_first(answer)}{rest}", logging.WARNING, facts)
        elif shown.status == "Failed":
            facts["traceback"] = next((it for it in passed.plan.failures if it.startswith(f"{shown.request}: ")), "")
            yield Item("failed", f"{who} failed: {_first(answer)}", logging.ERROR, facts)


def _first(answer: Answer) -> str:
    return answer.shown.message.partition("\n")[0]
