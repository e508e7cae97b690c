"""Searches look at the same examples in every run, whatever other tests have imported by then."""

import importlib
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def searched() -> list[int]:
    """Return the whole numbers that a search looks at."""
    numbers = []

    @settings(max_examples=1_000, derandomize=True, database=None)
    @given(st.integers(0, 10**12))
    def look(number: int) -> None:
        numbers.append(number)

    look()
    return numbers


def test_a_module_imported_meanwhile_changes_no_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = searched()
    numbers = ", ".join(map(str, range(100_003, 200_003, 397)))
    (tmp_path / "imported_meanwhile.py").write_text(f"NUMBERS = {numbers}\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("imported_meanwhile")
    after = searched()
    del sys.modules["imported_meanwhile"]
    assert after == before
