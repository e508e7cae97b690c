"""Base class of all errors that are not bugs of the program."""

from __future__ import annotations

from typing import ClassVar


class ExpectedError(Exception):
    """An error that a command reports in a sentence before it exits.

    `exit_code` is 1 for problems in rows, 2 for wrong usage or configuration, 3 for a workbook or cluster that is
    unavailable, 4 for a workbook that another program has open.
    """

    exit_code: ClassVar[int] = 3
