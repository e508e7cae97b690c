"""Units that a row of the workbook replaces, named by `verify` and the site (SET-06)."""

from __future__ import annotations

from pathlib import Path

from engine.autoalgo.records import Unit
from engine.columns import columns
from scripts.support.workbooks import check, example, forms, library, messages, read, run, workbook
from sheets_algo.forms.autoalgo import checks
from sheets_algo.runtime.run.run_pass import run_pass
from sheets_algo.runtime.session.own_numbers import own_numbers
from sheets_algo.runtime.session.session import Session, opened


def told(folder: Path, *units: dict[str, object]) -> tuple[str, ...]:
    """Rule the wars of 1066 with these rows of Units, and return the numbers that are not the release's."""
    rows = example("1066")
    rows["Units"] = [*rows.get("Units", ()), *units]
    session = Session(workbook=workbook(rows), folder=folder, library=library(), draws_pictures=False)
    run_pass(session)
    seen = opened(session)
    assert seen.receipts.rulings
    return own_numbers(seen, library())


def test_set_06_a_replaced_unit_is_reported_with_both_numbers(tmp_path: Path) -> None:
    """A moderator gave the levy the power of artillery, and verify said: equal, begun by these rules."""
    before = told(tmp_path / "before")
    rigged = {"Name": "Huscarl", "Power": "9; 9; 9", "Speed": 5}

    found = [line for line in told(tmp_path / "rigged", rigged) if line not in before]

    assert [line for line in before if "unit " in line] == []
    assert [line for line in found if line.startswith("autoalgo: unit Huscarl, Power: 9; 9; 9, in the tables 0")]
    assert not [line for line in found if "Speed" in line or not line.startswith("autoalgo: unit Huscarl, ")]


def test_set_06_a_replaced_unit_in_another_spelling_is_reported_too(tmp_path: Path) -> None:
    """Its row replaced the unit, and verify named no difference."""
    found = told(tmp_path, {"Name": "HUSCARL", "Power": "9; 9; 9"})
    assert [line for line in found if line.startswith("autoalgo: unit HUSCARL, Power: 9; 9; 9, in the tables 0")]
    assert not [line for line in found if "unit HUSCARL, Name" in line]


def test_set_06_a_unit_with_another_name_is_no_difference(tmp_path: Path) -> None:
    assert told(tmp_path, {"Name": "Housecarl of Wessex", "Power": "9; 9; 9"}) == told(tmp_path / "before")


def test_unit_01_blank_columns_that_drop_built_in_numbers_are_warned_about() -> None:
    """A Speed alone in the row of Huscarl made Hastings 80 %, not 60 %, and nothing said why."""
    rows = example("1066")
    huscarl = forms()[0].vocabulary.builtin["Units"]["Huscarl"]
    rows["Units"] = [
        {"Name": " huscarl", "Speed": 4},
        {"Name": "Pikeman", "Speed": 4},
        {"Name": "Housecarl of Wessex", "Speed": 4},
        {field.header: checks.spelled(getattr(huscarl, attribute)) for attribute, field in columns(Unit)}
        | {"Name": "Levy Spearman"},
    ]
    book = workbook(rows)
    warned = [str(problem) for problem in check(read(book), forms()) if problem.id == "UNIT-01"]

    says = "the row replaces the built-in Huscarl, and its blank columns do not keep Shock 0.3, Long Range 20, "
    assert [said.split(" (")[0] for said in warned] == ["Units!A2", "Units!A3"]
    assert f"{says}Medium Range 3, Short Range 1.5, and 7 more. Enter what shall stay" in warned[0]
    plan = run(book)
    assert says in messages(plan)[0][2]
    assert not any("Pikeman" in text for _, _, text in messages(plan))
