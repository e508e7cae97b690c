"""The Action `Refit` writes counts of flanks that fit the armies, once, and rules nothing (REQ-23)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.receipt import SeasonOptions
from engine.share import Share
from scripts.support.smallest_war import war_form, war_rows
from scripts.support.workbooks import NOW, Rows, changed, check, messages, pass_context, problems, read, run, workbook
from sheets_algo.database.problems import Rejected
from sheets_algo.database.records import Database
from sheets_algo.database.tables import Edit, Row
from sheets_algo.forms.autoalgo.columns import REFIT, FlankRow
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.repair.intents import Intent
from sheets_algo.ruling.repair.reconcile import reconcile
from sheets_algo.workbook.errors import StaleWorkbook
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.values import Value
from tests.forms.test_board_links import link
from tests.ruling.test_switch_sides import TYPES, _cell, _write, cells, type_in

COUNTS = ("Infantry", "Cavalry", "Artillery", "Ships")
SAYS = "Counts fit: Attacker Good (6000/6000), Defender Good (9000/9000). Tick Ready to have it ruled"
BOARD = [
    {"Side": "Attacker", "Flank": label, "X": 190 + 10 * place, "Y": 182, "Infantry": 3_000, "Cavalry": 0}
    for place, label in enumerate(("left", "centre", "right"))
]
"""Rows as boards saved them: 9,000 men in three flanks."""


def wars(*flanks: dict[str, Any], size: int = 6_000, **more: Any) -> Rows:
    """A war whose attacker has this size, 9,000 before."""
    rows = war_rows(*flanks, **more)
    rows["Militaries"][0]["Size"] = size
    return rows


def asked(*flanks: dict[str, Any], size: int = 6_000, **more: Any) -> MemoryWorkbook:
    return workbook(wars(*flanks, size=size, Action=REFIT, **more))


def counts(book: MemoryWorkbook, header: str = "Infantry") -> list[object]:
    return [row[header] for row in cells(book, "Flanks")]


def request(book: MemoryWorkbook) -> dict[str, object]:
    return cells(book, "War Requests")[0]


def test_counts_above_the_army_give_one_problem_with_fitting_numbers() -> None:
    rows = wars(*BOARD)
    rows["Militaries"][0] |= {
        "Infantry Type": "Soldier",
        "Infantry Proportion": 0.6,
        "Cavalry Type": "Huscarl",
        "Cavalry Proportion": 0.3,
        "Artillery Type": "Longbowman",
        "Artillery Proportion": 0.1,
    }
    for flank in rows["Flanks"]:
        flank |= {"Infantry": 1_800, "Cavalry": 900, "Artillery": 300}

    made = run(workbook(rows))

    assert [problem for problem in problems(made) if problem[1] != "MIL-16"] == [("Flanks!F2", "STRAT-07")]
    assert messages(made)[0][2].splitlines()[0] == (
        "Flanks!F2 (W-1, Attacker, left, Infantry): Attacker: Invalid Inf (5400/3600), too many; Invalid Cav"
        " (2700/1800), too many; Invalid Art (900/600), too many: all flanks together have 5,400 infantry, 2,700"
        " cavalry and 900 artillery, and Host of Left has 3,600, 1,800 and 600 of Size 6,000. Choose Action"
        ' "Refit", which writes Infantry 1200, 1200, 1200; Cavalry 600, 600, 600; Artillery 200, 200, 200; or leave all'
        " counts blank for an even split. [STRAT-07]"
    )


def test_the_counts_are_written_and_the_rest_of_the_rows_stays_unchanged() -> None:
    book = asked(*BOARD)
    flanks = cells(book, "Flanks")

    plan = run(book)

    assert not plan.rulings
    assert cells(book, "Flanks") == [flank | {"Infantry": 2_000} for flank in flanks]
    war = request(book)
    assert (war["Action"], war["Ready"], war["Status"], war["Message"]) == ("Rule", False, None, SAYS)


def test_a_refit_is_done_once_and_reported_until_another_action() -> None:
    book = asked(*BOARD)
    run(book)
    assert not run(book).writes.changes

    type_in(book, "Militaries", "Size", 5_000)
    run(book)
    assert request(book)["Message"] is None, "the counts do not fit any more"
    type_in(book, "Militaries", "Size", 6_000)
    type_in(book, "War Requests", "Ready", True)
    assert run(book).rulings
    assert counts(book) == [2_000] * 3


@pytest.mark.parametrize("person", ["nothing", "types a count"])
def test_a_repeated_or_late_commit_writes_nothing(person: str) -> None:
    book = asked(*BOARD)
    snapshot = read(book)
    plan = plan_pass(snapshot, pass_context(), NOW)
    run(book)
    if person == "types a count":
        type_in(book, "Flanks", "Infantry", 1_000)
    before = counts(book)

    with pytest.raises(StaleWorkbook):
        book.commit(dataclasses.replace(snapshot, revision=read(book).revision), plan.writes.changes)

    assert counts(book) == before


def test_rows_moved_under_the_write_are_repaired() -> None:
    """Google Sheets writes by coordinates: what lands beside another row comes back (RCP-33)."""
    rows = wars(*BOARD, Action=REFIT)
    rows["Flanks"].insert(1, {"Request": "W-2", "Side": "Attacker", "Flank": "of another war", "Infantry": 77})
    rows["War Requests"].append(rows["War Requests"][0] | {"Request": "W-2", "Ready": False})
    snapshot = dataclasses.replace(read(workbook(rows)), revision="")
    changes = plan_pass(snapshot, pass_context(), NOW).writes.changes
    refitted = workbook(rows)
    _write(refitted, changes.cells)

    book = workbook({name: content[::-1] if name == "Flanks" else content for name, content in rows.items()})
    covered = {(cell.tab, cell.row, cell.column): _cell(book, cell) for cell in changes.cells}
    _write(book, changes.cells)
    intent = Intent.of(snapshot, changes, NOW, TYPES)
    assert intent is not None
    _write(book, reconcile(intent.before, intent.changes, read(book), TYPES, covered).changes.cells)

    assert cells(book, "Flanks") == cells(refitted, "Flanks")[::-1]


def test_check_reads_the_future_counts() -> None:
    played = [war_form()]

    refused = check(read(workbook(wars(*BOARD))), played)
    asked_for = check(read(asked(*BOARD)), played)
    other = check(read(asked(*BOARD, {"Side": "Attacker", "X": 999})), played)

    assert [problem.id for problem in refused if problem.is_error] == ["STRAT-07"]
    assert [problem for problem in asked_for if problem.is_error] == []
    assert [problem.id for problem in other if problem.is_error] == ["FLR-04"]


def test_a_watched_row_waits_while_a_person_is_typing() -> None:
    book = asked(*BOARD)
    first = plan_pass(read(book), changed(pass_context(), known={}), NOW)
    book.commit(read(book), first.writes.changes)
    assert counts(book) == [3_000] * 3
    assert request(book)["Message"] == "Seen; Refit is done at the next look, unless somebody changes it until then"

    second = plan_pass(read(book), changed(pass_context(), known=first.findings.known), NOW)
    book.commit(read(book), second.writes.changes)
    assert counts(book) == [2_000] * 3


def test_counts_that_fit_stay_as_they_are() -> None:
    for typed in (("40 %", "60 %"), (None, None), (2_000, 4_000)):
        book = asked(*({"Side": "Attacker", "Infantry": cell} for cell in typed))
        run(book)

        assert counts(book) == list(typed)
        assert request(book)["Message"] == SAYS


def test_a_ruled_war_keeps_its_counts() -> None:
    book = workbook(wars(*BOARD, size=9_000))
    assert run(book).rulings
    type_in(book, "Militaries", "Size", 6_000)
    type_in(book, "War Requests", "Action", REFIT)
    run(book)

    assert counts(book) == [3_000] * 3
    assert request(book)["Status"] == "Done"


@pytest.mark.parametrize(
    ("cells_", "fits"),
    [
        ((1_000, 2_000, 6_000), [667, 1_333, 4_000]),
        ((1_000, None, 1_000), [3_000, None, 3_000]),
        ((0, 0, 0), [2_000, 2_000, 2_000]),
        (("60 %", "50 %", None), ["54.55 %", "45.45 %", None]),
        (("50 %", 6_000, None), ["2000", 4_000, None]),
        (("40 %", "40 %", "20 %"), ["40 %", "40 %", "20 %"]),
    ],
)
def test_numbers_keep_their_proportions_and_shares_stay_shares(cells_: tuple[Value, ...], fits: list[Value]) -> None:
    book = asked(*({"Side": "Attacker", "Infantry": cell} for cell in cells_))
    run(book)

    assert counts(book) == fits
    type_in(book, "War Requests", "Ready", True)
    assert run(book).rulings


def test_a_row_for_many_flanks_keeps_its_part() -> None:
    book = asked({"Side": "Attacker", "Flanks": 7, "Infantry": 6_000}, {"Side": "Attacker", "Infantry": 3_000})
    run(book)

    assert counts(book) == [4_000, 2_000]


def test_counts_of_links_and_of_another_war_s_rows_are_not_written() -> None:
    by_link = asked(Attacker_Strategy=link())
    again = wars(*(flank | {"Strategy": "three"} for flank in BOARD), size=9_000)
    other = {"Request": "W-2", "Attacker": "Right", "Defender": "Left", "Attacker Strategy": "three", "Action": REFIT}
    again["War Requests"] = [again["War Requests"][0] | {"Ready": False}, again["War Requests"][0] | other]
    again["Militaries"][1]["Size"] = 6_000

    made = run(by_link)
    assert problems(made) == [("'War Requests'!N2", "STRAT-07")]
    assert "Ask for a new link. [STRAT-07]" in messages(made)[0][2]
    by_name = workbook(again)
    made = run(by_name)
    assert problems(made)[-1] == ("Flanks!F2", "STRAT-07")
    assert "Type shares such as 40 % there, which fit every army, or leave all counts blank" in messages(made)[-1][2]
    assert counts(by_name) == [3_000] * 3


def test_unreadable_cells_and_decisions_block_the_refit() -> None:
    book = asked(*BOARD, {"Side": "Attacker", "Infantry": "many"})
    assert '"many" is not a number' in messages(run(book))[0][2]
    assert counts(book) == [3_000, 3_000, 3_000, "many"]

    rows = wars(*BOARD, Action=REFIT)
    decision = {"Request": "W-1", "Kind": "Input", "What": "Militaries!Host of Left!Size", "Value": 9_000}
    rows["Overrides"] = [decision | {"Reason": "so", "By": "me"}]
    [(_, status, message)] = messages(run(workbook(rows)))
    assert status == "Invalid"
    assert "moderators' decisions name the counts of W-1 as they are. Remove them before Refit. [REQ-23]" in message


CELLS = st.one_of(
    st.none(), st.integers(0, 20_000), st.integers(0, 100).map(lambda share: f"{share} %"), st.just("33.3 %")
)
ROWS = st.fixed_dictionaries(
    {"Side": st.just("Attacker"), "Flanks": st.one_of(st.none(), st.integers(1, 12))} | dict.fromkeys(COUNTS, CELLS)
)
FLEET = {"Infantry Type": "Soldier", "Infantry Proportion": 1.0, "Transport": "Barge", "Ship Number": 30}
"""Cells of an army of infantry on 30 ships."""


def ordered(**columns: Sequence[Value]) -> list[dict[str, Any]]:
    """Return rows of the attacker from columns of counts."""
    rows = zip(*columns.values(), strict=True)
    return [{"Side": "Attacker", "Maneuver": "Normal"} | dict(zip(columns, cells_, strict=True)) for cells_ in rows]


def refitted_rows(
    flanks: list[dict[str, Any]], size: int, military: dict[str, Any], rules: str = "history"
) -> tuple[Database, list[Edit], Callable[[Iterable[Edit]], str]]:
    """Return the database, what Refit writes, and a function that writes edits and reports whether all counts fit."""
    rows = wars(*flanks, size=size, Action=REFIT)
    rows["Militaries"][0] |= military
    form = war_form().in_season(SeasonOptions(rules_name=rules))
    snapshot = read(workbook(rows))
    action = form.cell_actions[REFIT]

    def opened() -> tuple[Database, Row]:
        database = Database(snapshot, form.records(), form.vocabulary)
        return database, next(iter(database.table(form.request)))

    def result(edits: Iterable[Edit]) -> str:
        book, row = opened()
        of_row = {flank.number: flank for flank in book.table(FlankRow)}
        for edit in edits:
            book.write(of_row[edit.row.number], edit.attribute, edit.value)
        return action.result(form, row, book)

    database, row = opened()
    return database, list(action.edits(form, row, database)), result


@pytest.mark.parametrize(
    ("size", "columns", "fits"),
    [
        (4_500, {"Infantry": (4_000, 450, 450), "Ships": (10, None, None)}, {"infantry": [3_674, 413, 413]}),
        (4_500, {"Infantry": (3_000, 500, 500), "Ships": (10, None, None)}, {"infantry": [3_375, 563, 562]}),
        (4_500, {"Infantry": (None, None), "Ships": (10, None)}, {"infantry": [2_250, 2_250]}),
        (4_500, {"Infantry": (4_500, 0), "Ships": (10, None)}, {"ships": [30]}),
        (4_500, {"Infantry": (4_000, 500), "Ships": (40, None)}, {"ships": [30]}),
        (4_500, {"Infantry": ("0 %", "0 %"), "Ships": (None, None)}, {"infantry": ["50 %", "50 %"]}),
        (4_500, {"Infantry": (4_000, 450), "Ships": ("40 %", "60 %")}, {"infantry": [4_045, 455]}),
    ],
)
def test_r_58_ships_that_follow_the_men_are_not_written(
    size: int, columns: dict[str, Sequence[Value]], fits: dict[str, list[Value]]
) -> None:
    _, edits, result = refitted_rows(ordered(**columns), size, FLEET)

    written: dict[str, list[Value]] = {}
    for edit in edits:
        written.setdefault(edit.attribute, []).append(edit.value)
    assert written == fits
    assert result(edits).startswith(f"Counts fit: Attacker Good ({size}/{size})")


def test_r_58_the_source_has_blank_ships_beside_numbers_written() -> None:
    flanks = ordered(Infantry=(4_000, 450, 450), Ships=(10, None, None))
    edits = refitted_rows(flanks, 4_500, FLEET, rules="source")[1]

    assert [(edit.attribute, edit.value) for edit in edits][-1] == ("ships", 30)


@pytest.mark.parametrize(
    ("ships", "says"),
    [
        ((10, 10, None), "Add 10, or leave Ships blank in one row that has men. [STRAT-07]"),
        ((20, 20, None), "which writes Ships 15, 15, 0; or leave Ships blank in all rows. [STRAT-07]"),
    ],
)
def test_r_58_a_message_about_ships_names_blank_ships_as_a_way_out(ships: tuple[Value, ...], says: str) -> None:
    rows = wars(*ordered(Infantry=(4_000, 500, 0), Ships=ships), size=4_500)
    rows["Militaries"][0] |= FLEET

    assert says in messages(run(workbook(rows)))[0][2]


def test_strat_07_ships_that_fit_with_the_men_are_not_lacking() -> None:
    rows = wars(*ordered(Infantry=(None, None), Ships=(10, None)), size=4_500)
    rows["Militaries"][0] |= FLEET

    assert "Add 4,500, or leave all counts blank for an even split. [STRAT-07]" in messages(run(workbook(rows)))[0][2]


@settings(max_examples=60)
@example(
    flanks=[{"Side": "Attacker", "Flanks": None} | dict.fromkeys(COUNTS) | {"Ships": "0 %"}], size=300, rules="source"
)
@given(
    flanks=st.lists(ROWS, min_size=1, max_size=6),
    size=st.integers(300, 500_000),
    rules=st.sampled_from(["history", "source"]),
)
def test_counts_fit_the_army_after_any_input_and_each_written_column_is_needed(
    flanks: list[dict[str, Any]], size: int, rules: str
) -> None:
    proportions = {"Infantry Proportion": 0.6, "Artillery Type": "Longbowman", "Artillery Proportion": 0.4}
    database, edits, result = refitted_rows(flanks, size, FLEET | proportions, rules)

    assert result(edits).startswith("Counts fit: Attacker Good (")
    for name in {edit.attribute for edit in edits} - {
        "cavalry"
    }:  # any of it is refused, the army has no type (STRAT-03)
        assert not fits_without(name, edits, result), f"{name} was accepted as it was typed"
    for edit in edits:
        database.write(edit.row, edit.attribute, edit.value)
    typed = [database.read(flank, FlankRow).values.get("infantry") for flank in database.table(FlankRow)]
    shared = [
        flank["Infantry"] for flank in flanks if isinstance(flank["Infantry"], str) and flank["Infantry"] != "0 %"
    ]
    is_of_shares = shared and all(isinstance(flank["Infantry"], str | None) for flank in flanks)
    assert all(isinstance(count, Share | None) for count in typed) or not is_of_shares


def fits_without(name: str, edits: Iterable[Edit], result: Callable[[Iterable[Edit]], str]) -> bool:
    """Return True if all counts fit although what Refit writes into one column is not written."""
    try:
        return bool(result([edit for edit in edits if edit.attribute != name]))
    except Rejected:
        return False
