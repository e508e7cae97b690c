"""What commands say: a report for people and for programs, and the pieces it is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sheets_algo.again import Verdict
from sheets_algo.plans import Answer
from sheets_algo.problems import Problem
from sheets_algo.values import shown
from sheets_algo.workbook.base import Plain

STOPPED = 130
"""Exit code of a program that Ctrl+C ended."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a command says.

    Args:
        data: For `--json`.
        lines: For people, on stdout.
        code: Exit code.
        asides: For people, on stderr.
    """

    data: dict[str, Any]
    lines: Sequence[str]
    code: int = 0
    asides: Sequence[str] = ()


def as_data(problem: Problem) -> dict[str, Any]:
    """A problem for `--json`: every part, and the sentence."""
    return {
        "cell": str(problem.cell),
        "tab": problem.cell.tab,
        "row": problem.row,
        "column": problem.column,
        "found": problem.found,
        "allowed": problem.allowed,
        "nearest": problem.nearest,
        "rule": problem.id,
        "severity": problem.severity.value,
        "text": str(problem),
    }


def answer_data(answer: Answer) -> dict[str, Any]:
    """What became of a request, for `--json`."""
    data: dict[str, Any] = {
        "request": answer.shown.request,
        "status": answer.shown.status,
        "message": answer.shown.message,
        "problems": [as_data(problem) for problem in answer.problems],
    }
    if answer.ruling:
        receipt = answer.ruling.receipt
        data |= {"seq": receipt.seq, "winner": receipt.winner, "receipt": receipt.wiki, "seed": receipt.seed}
    return data


def answer_lines(answer: Answer) -> Iterator[str]:
    """The same for people: id, status, message."""
    first, *rest = answer.shown.message.splitlines() or [""]
    yield f"{answer.shown.request:<8} {answer.shown.status:<8} {first}"
    yield from (f"{'':17} {line}" for line in rest)


def verdict_lines(verdict: Verdict) -> Iterator[str]:
    """A recomputed receipt for people: equal, or where not."""
    said = "equal" if verdict.is_equal else "DIFFERENT"
    remarks = f" ({'; '.join(verdict.remarks)})" if verdict.remarks else ""
    yield f"{verdict.receipt.seq:>4} {verdict.receipt.request:<8} {said}{remarks}"
    yield from (f"     {difference}" for difference in verdict.differences)


def count(number: int, what: str) -> str:
    """`1 request`, `1,000 requests`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def told(value: Plain) -> str:
    """A cell's value in a sentence."""
    return shown(value) or "blank"
