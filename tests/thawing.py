"""A fresh process in which several threads read the same receipts at once, as the first to do so.

Usage: python -m tests.thawing FILE THREADS
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sheets_algo.changes import Changes
from sheets_algo.ledger import ReceiptBook
from sheets_algo.rulesets import RULESETS
from sheets_algo.workbook.base import Snapshot
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.desks import forms


def main(file: Path, threads: int) -> None:
    """Read the receipts of each workbook of a file, and thaw their inputs, in each of so many threads."""
    books = [MemoryWorkbook(cells) for cells in json.loads(file.read_text())]
    snapshots = [book.read(["Receipts", "Log"]) for book in books]
    forms()
    together = threading.Barrier(threads)
    failures: list[BaseException] = []

    def reads() -> None:
        together.wait()
        try:
            for snapshot in snapshots:
                read_all(snapshot)
        except BaseException as error:
            failures.append(error)

    started = [threading.Thread(target=reads) for _ in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    if failures:
        raise failures[0]


def read_all(snapshot: Snapshot) -> Sequence[Any]:
    """The inputs of every ruling."""
    by_key = {form.key: form for form in forms()}
    receipts = ReceiptBook(snapshot, Changes()).receipts
    assert {form.key for form in RULESETS} >= {it.ruleset for it in receipts.of_kind("Ruling")}
    return [by_key[it.ruleset].thaw(it.inputs) for it in receipts.of_kind("Ruling")]


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
