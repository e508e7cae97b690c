"""Reports of commands for people and programs, and their parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.explained import Explained
from engine.ruleset import Event
from sheets_algo.database.problems import Problem
from sheets_algo.replays.replay import Verdict
from sheets_algo.ruling.plan import Answer

STOPPED = 130
"""Exit code of a program that Ctrl+C ended."""


@dataclass(frozen=True, slots=True)
class Report:
    """Output of a command."""

    data: dict[str, Any]  # The data for `--json`
    lines: Sequence[str]  # The lines for people, on stdout
    code: int = 0  # The exit code
    asides: Sequence[str] = ()  # Further lines for people, on stderr


def problem_data(problem: Problem) -> dict[str, Any]:
    """Return a problem as data for `--json`: every part, and the sentence."""
    return {
        "cell": str(problem.cell),
        "tab": problem.cell.tab,
        "row": problem.row,
        "column": problem.column,
        "found": problem.value,
        "allowed": problem.allowed,
        "nearest": problem.nearest,
        "rule": problem.id,
        "severity": problem.severity.value,
        "text": str(problem),
    }


def answer_data(answer: Answer) -> dict[str, Any]:
    """Return the outcome of a request as data for `--json`."""
    data: dict[str, Any] = {
        "request": answer.cells.request,
        "status": answer.cells.status,
        "message": answer.cells.message,
        "problems": [problem_data(problem) for problem in answer.problems],
    }
    if answer.ruling:
        receipt = answer.ruling.receipt
        data |= {"seq": receipt.seq, "winner": receipt.winner, "receipt": receipt.wiki, "seed": receipt.seed}
        data |= {"numbers": answer.ruling.outcome.numbers}
    return data


def explained_data(
    request: str, explained: Iterable[Explained], events: Iterable[Event], why: Sequence[str]
) -> dict[str, Any]:
    """Return all numbers of a ruling with their terms, as data for `--json` (VAR-05)."""
    return {
        "request": request,
        "variables": [variable.data() for variable in explained],
        "timeline": [_event_data(event) for event in events],
        "why": list(why),
    }


def _event_data(event: Event) -> dict[str, Any]:
    return {
        "hour": event.hour,
        "side": event.side,
        "flank": event.flank,
        "flanks": list(event.flanks),
        "kind": event.kind,
        "amount": event.amount,
        "rule": event.id,
        "text": event.text,
        "calculations": [calculation.data() for calculation in event.calculations()],
    }


def answer_lines(answer: Answer) -> Iterator[str]:
    """Yield the outcome of a request for people: id, status, message."""
    first, *rest = answer.cells.message.splitlines() or [""]
    yield f"{answer.cells.request:<8} {answer.cells.status:<8} {first}"
    yield from (f"{'':17} {line}" for line in rest)


def verdict_lines(verdict: Verdict) -> Iterator[str]:
    """Yield a recomputed receipt for people: equal, different or cannot be computed, with the reason."""
    remarks = f" ({'; '.join(verdict.remarks)})" if verdict.remarks else ""
    result = verdict.result.upper() if verdict.is_different else verdict.result
    yield f"{verdict.receipt.seq:>4} {verdict.receipt.request:<8} {result}{remarks}"
    yield from (f"     {reason}" for reason in verdict.reasons)
