"""Threads that are the first to read receipts: watchers of several spreadsheets, just after the start."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts.support.warm_start import CONTEXT
from scripts.support.workbooks import example, read, run, workbook
from tests.helpers import first_reads
from tests.helpers.example_budget import BUDGET
from tests.helpers.games import EXAMPLES
from tests.helpers.tabs import key

STARTS = max(4, round(4 * BUDGET))
THREADS = 8


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The receipts of an example of each ruleset."""
    books = []
    for name in EXAMPLES:
        book = workbook(example(name))
        assert run(book).rulings
        rows = read(book).sheets[key("receipts")].rows
        books.append({"Receipts": [list(rows[number]) for number in sorted(rows)]})
    file = tmp_path_factory.mktemp("threads") / "receipts.json"
    file.write_text(json.dumps(books))
    return file


def test_several_threads_may_read_the_first_receipts_at_once(ruled: Path):
    """Seven of ten such processes died by a segmentation fault: msgspec's first look at a class is no thread's."""
    ended = []
    for _ in range(STARTS):
        process = CONTEXT.Process(target=first_reads.main, args=(ruled, THREADS))
        process.start()
        process.join(300)
        ended.append(process.exitcode)
    assert ended == [0] * STARTS
