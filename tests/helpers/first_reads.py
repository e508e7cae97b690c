"""For a new process: several threads read the same receipts at once, before anything is cached."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.support.workbooks import forms
from sheets_algo.forms.rulesets import load_all
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.snapshot import Snapshot
from tests.helpers.tabs import keys


def main(file: Path, threads: int) -> None:
    """Read the receipts of each workbook of a file, and their inputs, in several threads at once."""
    books = [MemoryWorkbook(cells) for cells in json.loads(file.read_text())]
    snapshots = [book.read(keys("Receipts", "Log")) for book in books]
    forms()
    barrier = threading.Barrier(threads)
    failures: list[BaseException] = []

    def reads() -> None:
        barrier.wait()
        try:
            for snapshot in snapshots:
                read_all(snapshot)
        except BaseException as error:
            failures.append(error)

    running = [threading.Thread(target=reads) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    if failures:
        raise failures[0]


def read_all(snapshot: Snapshot) -> Sequence[Any]:
    """Return the inputs of every ruling."""
    by_key = {form.key: form for form in forms()}
    receipts = read_receipts(snapshot)
    assert {form.key for form in load_all()} >= {receipt.ruleset for receipt in receipts.rulings}
    return [by_key[receipt.ruleset].deserialize(receipt.inputs) for receipt in receipts.rulings]
