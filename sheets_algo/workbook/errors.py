"""Errors of workbooks, each with its exit code."""

from __future__ import annotations

from collections.abc import Mapping

from engine.errors import ExpectedError
from sheets_algo.workbook.addresses import Address


class WorkbookError(ExpectedError):
    """An error outside the rows; its text is one sentence that names the place, the problem and the remedy."""


class BadAddress(WorkbookError):
    """A text that names no workbook; the message identifies it, or says what to type instead."""


class BadSetting(WorkbookError):
    """A setting that cannot be used; the text names the file or variable, the value, and the allowed values."""

    exit_code = 2


class WorkbookUnavailable(WorkbookError):
    """The workbook cannot be read or written: missing, damaged, refused by a check, no access (exit code 3)."""


class WorkbookLocked(WorkbookError):
    """Another program or another run has the workbook open (exit code 4)."""

    exit_code = 4


class Interrupted(WorkbookError):
    """The program was asked to stop while it waited for a service."""

    def __init__(self) -> None:
        super().__init__("Stopped while waiting for an answer.")


class SeasonMismatch(WorkbookError):
    """The season secret is not the one under which the workbook's receipts were ruled."""


class StaleWorkbook(WorkbookError):
    """The workbook changed between read and commit; nothing was written, so it must be read and planned again.

    Args:
        cell: The first cell that changed, as `Nations!B2`; blank if it is not known.
    """

    def __init__(self, text: str, cell: str = "") -> None:
        super().__init__(text)
        self.cell = cell


class UnknownOutcome(StaleWorkbook):
    """A commit was not answered, so it may have been carried out, or may still be.

    The workbook must be read again, and the commit never be repeated unseen. The guard accepts either this commit or
    the next one, not both.
    """


class RefusedChange(WorkbookError):
    """A planned cell may not be written (inside a merged range, a foreign formula, a protected sheet ...).

    Args:
        obstacles: Cells that prevent the change, with the reason for each; empty if single cells are not the cause.
    """

    exit_code = 1

    def __init__(self, text: str, obstacles: Mapping[Address, str] | None = None) -> None:
        super().__init__(text)
        self.obstacles = obstacles or {}
