"""Units that a row of the workbook replaces, named by `verify` and the site (SET-06)."""

from __future__ import annotations

from pathlib import Path

from scripts.support.workbooks import example, library, workbook
from sheets_algo.runtime.run.run_pass import run_pass
from sheets_algo.runtime.session.session import Session, opened


def told(folder: Path, *units: dict[str, object]) -> tuple[str, ...]:
    """Rule the wars of 1066 with these rows of Units, and return the numbers that are not the release's."""
    rows = example("1066")
    rows["Units"] = [*rows.get("Units", ()), *units]
    session = Session(workbook=workbook(rows), folder=folder, library=library(), draws_pictures=False)
    run_pass(session)
    seen = opened(session)
    assert seen.receipts.rulings
    return seen.own_numbers(library())


def test_set_06_a_row_that_replaces_a_unit_of_the_tables_is_named_with_both_numbers(tmp_path: Path) -> None:
    """A moderator gave the levy the power of artillery, and verify said: equal, begun by these rules."""
    before = told(tmp_path / "before")
    rigged = {"Name": "Huscarl", "Power": "9; 9; 9", "Speed": 5}

    found = [line for line in told(tmp_path / "rigged", rigged) if line not in before]

    assert [line for line in before if "unit " in line] == []
    assert [line for line in found if line.startswith("autoalgo: unit Huscarl, Power: 9; 9; 9, in the tables 0")]
    assert not [line for line in found if "Speed" in line or not line.startswith("autoalgo: unit Huscarl, ")]


def test_set_06_a_unit_of_another_name_is_no_difference(tmp_path: Path) -> None:
    assert told(tmp_path, {"Name": "Housecarl of Wessex", "Power": "9; 9; 9"}) == told(tmp_path / "before")
