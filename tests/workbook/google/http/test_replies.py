"""The shapes of Google's answers, read by a watcher and its poster at the same time."""

from __future__ import annotations

import subprocess
import sys

FIRST_ANSWERS = r"""
import sys
import threading
from sheets_algo.workbook.google.http.replies import RepliesWithTabs, SpreadsheetWithTabs, ValueRanges, decoded

sys.setswitchinterval(1e-6)
together = threading.Barrier(6)

def read():
    together.wait()
    assert decoded(b'{"sheets": [{"properties": {"sheetId": 1, "title": "Wars"}}]}', SpreadsheetWithTabs)
    assert decoded(b'{"valueRanges": [{"values": [[1]]}]}', ValueRanges)
    assert not decoded(b'{"replies": [], "updatedSpreadsheet": {"sheets": []}}', RepliesWithTabs)
    print("read\n", end="")

threads = [threading.Thread(target=read) for _ in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_threads_may_read_their_first_answers_at_once():
    """Before decoders were made on import, one such process in three ended by a segmentation fault."""
    for _ in range(4):
        ended = subprocess.run([sys.executable, "-c", FIRST_ANSWERS], capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stdout.split()) == (0, ["read"] * 6), ended.stderr
