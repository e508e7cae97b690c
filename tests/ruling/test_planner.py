"""A pass over a workbook: receipts as the truth, Status as projection, exactly once."""

import pytest

from engine.columns import columns
from scripts.support.workbooks import (
    NOW,
    SECRET,
    Secret,
    changed,
    column,
    example,
    grids,
    messages,
    pass_context,
    problems,
    read,
    ruled_example,
    run,
    season_grid,
    workbook,
)
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import PassContext
from sheets_algo.ruling.receipts.receipt_rows import LogRow
from sheets_algo.ruling.receipts.receipt_tab import LOG_MOST
from sheets_algo.workbook.errors import SeasonMismatch
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import key, keys


def test_the_five_wars_of_1066_are_ruled_in_one_pass():
    book, made = ruled_example("1066")

    assert [answer.cells.status for answer in made.findings.answers] == ["Done"] * 5
    assert column(book, "War Requests", "Status") == ["Done"] * 5
    assert column(book, "Receipts", "Kind") == ["Season"] + ["Ruling"] * 5
    assert column(book, "Receipts", "Seq") == [1, 2, 3, 4, 5, 6]
    assert column(book, "War Requests", "Ruled At") == [NOW] * 5


def test_a_second_pass_writes_nothing():
    book, _ = ruled_example("1066")
    again = plan_pass(read(book), pass_context(), "2027-01-01T00:00:00Z")
    assert not again.writes.changes
    assert not again.rulings


def test_equal_arguments_give_an_equal_plan():
    snapshot = read(workbook(example("1066")))
    assert (
        plan_pass(snapshot, pass_context(), NOW).writes.changes
        == plan_pass(snapshot, pass_context(), NOW).writes.changes
    )


def test_later_requests_read_the_changes_of_earlier_ones():
    _, made = ruled_example("1066")
    stamford, hastings = (ruling.receipt for ruling in made.rulings[:2])
    after_stamford = next(change.after for change in stamford.changes if change.row == "England")
    before_hastings = next(change.before for change in hastings.changes if change.row == "England")
    assert before_hastings == after_stamford


def test_several_changes_of_one_cell_are_one_write():
    book = workbook(example("1066"))
    snapshot = read(book)
    made = plan_pass(snapshot, pass_context(), NOW)
    places = [(cell.tab.name, cell.row, cell.column) for cell in made.writes.changes.cells]
    assert len(places) == len(set(places))
    england = [cell for cell in made.writes.changes.cells if cell.tab.name == "Nations" and cell.row == 2]
    assert [cell.before for cell in england] == [110]


def test_one_pass_or_two_give_the_same_rulings():
    together = workbook(example("1066"))
    run(together)
    apart_rows = example("1066")
    for row in apart_rows["War Requests"][1:]:
        row["Ready"] = False
    apart = workbook(apart_rows)
    for number in range(len(apart_rows["War Requests"])):
        ready = [column(apart, "War Requests", "Request")[number]]
        assert ready
        apart.type_in("War Requests", number + 2, _place(apart, "Ready"), True)
        run(apart)
    assert column(apart, "Receipts", "Receipt") == column(together, "Receipts", "Receipt")


def _place(book, header):
    return list(book.read(keys("War Requests")).sheet(key("War Requests")).rows[1]).index(header) + 1


def test_a_row_without_ready_is_left_alone():
    rows = example("1066")
    for row in rows["War Requests"]:
        row["Ready"] = None
    book = workbook(rows)
    assert not run(book).writes.changes


def test_a_status_beside_the_wrong_row_is_corrected():
    book, _ = ruled_example("1066")
    status = _place(book, "Status")
    book.type_in("War Requests", 3, status, "Invalid")
    book.type_in("War Requests", 4, status, None)
    made = run(book)
    assert {(cell.row, cell.value) for cell in made.writes.changes.cells} == {(3, "Done"), (4, "Done")}
    assert not made.writes.changes.rows


def test_a_ruling_is_found_wherever_its_row_moves():
    rows = example("1066")
    book = workbook(rows)
    run(book)
    moved = workbook(rows)  # the same requests, sorted the other way round, with the receipts of the first book
    sheet = book.read(keys("War Requests")).sheet(key("War Requests"))
    people = [list(cells) for number, cells in sorted(sheet.rows.items())]
    from sheets_algo.workbook.memory import MemoryWorkbook

    other = {
        tab: [list(cells) for _, cells in sorted(book.read(keys(tab)).sheet(key(tab)).rows.items())] for tab in rows
    }
    other["War Requests"] = [people[0], *reversed(people[1:])]
    for tab in ("Receipts", "Log"):
        other[tab] = [list(cells) for _, cells in sorted(book.read(keys(tab)).sheet(key(tab)).rows.items())]
    moved = MemoryWorkbook(other)
    assert not run(moved).writes.changes


def test_the_upper_one_of_two_rows_with_one_id_is_ruled():
    rows = example("1066")
    rows["War Requests"][1]["Request"] = "w-0001 "
    made = run(workbook(rows))
    assert [status for _, status, _ in messages(made)] == ["Done", "", "Done", "Done", "Done"]
    assert messages(made)[1][2].startswith("Copied from w-0001; its own id is W-0006.")


def test_a_ready_row_gets_its_missing_id():
    rows = example("1066")
    rows["War Requests"][2]["Request"] = None
    rows["War Requests"].append({"Request": "W-0041"})  # filled in advance by a template
    book = workbook(rows)
    run(book)
    assert column(book, "War Requests", "Request")[2] == "W-0042"


def test_a_numeric_id_is_the_same_id():
    rows = example("1066")
    rows["War Requests"] = rows["War Requests"][:1]
    rows["War Requests"][0]["Request"] = 7.0
    rows["Flanks"] = [
        {"Request": "7", "Side": "Attacker", "Flank": "all", "X": 150, "Y": 180},
    ]
    book = workbook(rows)
    made = run(book)
    assert messages(made)[0][:2] == ("7", "Done")
    assert column(book, "Flanks", "End Status") != [None]


def test_the_seed_needs_the_secret():
    another = Secret(b"another")
    seeds = []
    for secret in (SECRET, another):
        book = MemoryWorkbook(grids(example("1066")) | {"Receipts": season_grid(secret=secret)})
        plan = plan_pass(read(book), changed(pass_context(), secret=secret), NOW)
        seeds.append([ruling.receipt.seed for ruling in plan.rulings])
    assert all(seeds)
    assert not set(seeds[0]) & set(seeds[1])


def test_the_secret_of_another_season_is_refused():
    book, _ = ruled_example("1066")
    other = PassContext(forms=pass_context().forms, fingerprints=pass_context().fingerprints, secret=Secret(b"another"))
    with pytest.raises(SeasonMismatch, match=SECRET.digest[:12]):
        plan_pass(read(book), other, NOW)


def test_the_secret_is_never_printed():
    assert "tests know" not in repr(SECRET)
    assert "tests know" not in repr(pass_context())


def test_blank_cells_and_typed_defaults_give_the_same_ruling():
    """Invariant 25, through the workbook: even the seed is the same."""
    written = example("1066")
    for row in written["Nations"]:
        for header, default in (("Trade", "Minor"), ("Religion", "Christianity"), ("Ethnicity", "Caucasian")):
            row.setdefault(header, default)
    for row in written["Militaries"]:
        row["Ship Number"] = row.get("Ship Number") or 0
        row.setdefault("Mobile Defenses", "none")
        row.setdefault("Budget", "1,000,000.0")
    blank, full = workbook(example("1066")), workbook(written)
    run(blank)
    run(full)
    assert column(full, "Receipts", "Receipt") == column(blank, "Receipts", "Receipt")
    assert column(full, "Receipts", "Seed") == column(blank, "Receipts", "Seed")


def test_no_commit_stability_changes_no_database_cell():
    """STAB-05."""
    rows = example("1066")
    for row in rows["War Requests"]:
        row["Commit Stability"] = "no"
    book = workbook(rows)
    made = run(book)
    assert len(made.rulings) == 5
    assert {cell.tab.name for cell in made.writes.changes.cells} <= {"War Requests", "Flanks"}


def test_a_given_seed_replays_a_known_battle():
    rows = example("1066")
    rows["War Requests"] = rows["War Requests"][:1]
    first = run(workbook(rows)).rulings[0].receipt
    rows["War Requests"][0]["Seed"] = first.seed
    again = run(workbook(rows)).rulings[0].receipt
    assert again.seed_source == "given"
    assert again.figures.values == first.figures.values
    assert first.seed in again.wiki
    assert first.seed not in first.wiki


def test_problems_block_one_request_and_no_other():
    rows = example("1066")
    rows["War Requests"][0]["Year"] = "soon"
    rows["War Requests"][3]["Attacker"] = "Seljuks"
    made = run(workbook(rows))
    assert [status for _, status, _ in messages(made)] == ["Invalid", "Done", "Done", "Invalid", "Done"]
    assert "'War Requests'!C2 (W-0001, Year): \"soon\" is not a number." in messages(made)[0][2]


def test_correcting_an_invalid_row_is_enough():
    rows = example("1066")
    rows["War Requests"][0]["Year"] = "soon"
    book = workbook(rows)
    run(book)
    book.type_in("War Requests", 2, _place(book, "Year"), 1066)
    made = run(book)
    assert messages(made)[0][:2] == ("W-0001", "Done")


def test_missing_columns_of_the_program_are_added_at_the_right_end():
    rows = example("1066")
    heads = [
        "Ready",
        "Request",
        "War",
        "Year",
        "Notes to self",
        "Attacker",
        "Defender",
        "Location",
        "Attacker Military",
    ]
    heads += ["Defender Military"]
    book = workbook(rows, {"War Requests": heads})
    run(book)
    assert column(book, "War Requests", "Status") == ["Done"] * 5
    assert list(book.read(keys("War Requests")).sheet(key("War Requests")).rows[1])[: len(heads)] == heads
    assert not run(book).writes.changes


def test_an_overlong_log_ends_with_a_note():
    book = workbook(example("1066"))
    short = changed(pass_context(), log_lines_most=10)
    made = plan_pass(read(book), short, NOW)
    log = [row.values for row in made.writes.changes.rows if row.tab.name == "Log" and row.values[0] == 2]
    assert len(log) == 10
    assert "more lines stand in the log file" in str(log[-1][-1])


@pytest.mark.parametrize(("rows", "lines"), [(LOG_MOST, 10), (LOG_MOST + 1, 1)])
def test_rcp_20_a_ruling_adds_one_line_to_a_long_log(rows, lines):
    heads = [column.header for _, column in columns(LogRow)]
    book = MemoryWorkbook(grids(example("1066")) | {"Log": [heads, *[[1, "W-0000"]] * (rows - 1)]})
    made = plan_pass(read(book), changed(pass_context(), log_lines_most=10), NOW)
    log = [row.values for row in made.writes.changes.rows if row.tab.name == "Log" and row.values[0] == 2]
    assert len(log) == lines
    assert ("over 30,000 rows: delete those of its oldest rulings" in str(log[-1][-1])) == (lines == 1)
    assert len(made.rulings) == 5


def test_a_request_tab_without_headers_is_reported():
    book = workbook({"War Requests": []}, {"War Requests": ["some", "notes"]})
    assert problems(run(book)) == [("'War Requests'", "DB-03")]
