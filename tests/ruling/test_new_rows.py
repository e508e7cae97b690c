"""Rows that rulings add to database tabs (RCP-32); `tests/helpers/village_ruleset.py` has two request tabs."""

import pytest

from scripts.support.workbooks import NOW, OPTIONS, SECRET, check, messages, problems, undo
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.corrections import CannotUndo
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Change
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import key
from tests.helpers.village_ruleset import barns, building, forms, grids, harvest, pass_context, read, run, workbook

OLD = ["Old Barn", 35]


def receipts(book):
    return read_receipts(read(book))


def take_back(book, request):
    snapshot = read(book)
    receipt, changes = undo(snapshot, forms(), request, NOW)
    book.commit(snapshot, changes)
    return receipt


def test_a_ruling_adds_rows_below_the_last():
    book = workbook([OLD, ["Mill", 1]], (), [building("B-1", "Old Barn", "Long Barn", "Tithe Barn")])

    made = run(book)

    assert [answer.cells.status for answer in made.findings.answers] == ["Done"]
    assert barns(book) == {"Old Barn": [15], "Mill": [1], "Long Barn": [5], "Tithe Barn": [5]}
    assert made.rulings[0].receipt.changes == (
        Change("Barns", "Long Barn", "Barn", None, "Long Barn"),
        Change("Barns", "Long Barn", "Grain", None, 5),
        Change("Barns", "Tithe Barn", "Barn", None, "Tithe Barn"),
        Change("Barns", "Tithe Barn", "Grain", None, 5),
        Change("Barns", "Old Barn", "Grain", 35, 15),
    )
    assert not run(book).writes.changes


def test_later_requests_of_the_pass_see_the_row_and_change_it():
    """H-2 finds no Long Barn before B-1 has built it, and waits for the next look; with its sheaves B-2 can be paid."""
    book = workbook(
        [OLD],
        [harvest("H-1", "Old Barn", 100), harvest("H-2", "Long Barn", 20)],
        [
            building("B-1", "Old Barn", "Long Barn"),
            building("B-2", "Long Barn", "Hut"),
            building("B-3", "Old Barn", "long  barn"),
        ],
    )

    first = run(book)
    made = run(book)

    assert first.owes.is_partial
    waiting = {id: status for id, status, _ in messages(first)}
    assert (waiting["H-2"], waiting["B-2"]) == ("Waiting", "Invalid")
    said = {id: (status, message) for id, status, message in messages(made)}
    assert said["H-2"][0] == "Done"
    assert said["B-2"][0] == "Done"
    assert said["B-3"][1].startswith("'Building Requests'!C4 (B-3, First Barn): there is a barn long barn already")
    grain = {name: row[0] for name, row in barns(book).items()}
    assert grain["Long Barn"] == said_grain(said["H-2"][1]) - 10
    assert grain["Hut"] == 5
    assert len(grain) == 3
    assert all(
        verify(receipt, form_of(receipt), pass_context().fingerprints["hamlet"], SECRET, OPTIONS).is_equal
        for receipt in rulings(book)
    )
    assert not run(book).writes.changes


def said_grain(message):
    return float(message.rpartition(" ")[2])


def rulings(book):
    return list(receipts(book).rulings)


def form_of(receipt):
    return next(form for form in forms() if form.key == receipt.ruleset)


def test_forms_of_one_ruleset_share_tables_and_each_other_s_changes():
    book = workbook([["Old Barn", 5]], [harvest("H-1", "Old Barn", 20)], [building("B-1", "Old Barn", "Long Barn")])

    run(book)

    harvested, built = rulings(book)
    assert (harvested.ruleset, built.ruleset) == ("hamlet", "hamlet-building")
    assert harvested.rules_fingerprint == built.rules_fingerprint
    assert built.changes[-1].before == harvested.changes[-1].after
    assert barns(book)["Old Barn"][0] == harvested.changes[-1].after - 10


def test_a_single_request_tab_is_enough():
    cells = grids([OLD], (), [building("B-1", "Old Barn", "Long Barn")])
    del cells["Harvest Requests"]
    book = MemoryWorkbook(cells)

    assert [answer.cells.status for answer in run(book).findings.answers] == ["Done"]


def test_undo_empties_the_rows_and_restores_the_fields():
    book = workbook([OLD], (), [building("B-1", "Old Barn", "Long Barn", "Tithe Barn")])
    run(book)

    receipt = take_back(book, "B-1")

    assert barns(book) == {"Old Barn": [35]}
    assert receipt.changes[0] == Change("Barns", "Long Barn", "Barn", "Long Barn", None)
    assert not run(book).writes.changes
    assert not check(read(book), forms())


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        (2, 7, ["Barns!B3 (Long Barn, Grain): the ruling wrote 5, but the cell now shows 7"]),
        (4, "mine", ["Barns!D3 (Long Barn, Notes): shows mine, in a row that the ruling added without it"]),
        (1, "My Barn", ["Barns: the row Long Barn, which the ruling added, is gone"]),
        (1, None, ["Barns: the row Long Barn, which the ruling added, is gone"]),
    ],
)
def test_undo_leaves_rows_alone_that_people_have_changed(column, value, said):
    book = workbook([OLD], (), [building("B-1", "Old Barn", "Long Barn")])
    run(book)
    book.type_in("Barns", 3, column, value)
    before = barns(book)

    with pytest.raises(CannotUndo) as refusal:
        take_back(book, "B-1")

    lines = str(refusal.value).splitlines()
    assert [line.startswith(words) for line, words in zip(lines, said, strict=True)] == [True]
    assert barns(book) == before


def test_undo_of_an_earlier_ruling_waits_for_the_later_one():
    book = workbook([["Old Barn", 10]], [], [building("B-1", "Old Barn", "Long Barn")])
    run(book)
    for column, value in enumerate(harvest("H-1", "Long Barn", 7), start=1):
        book.type_in("Harvest Requests", 2, column, value)
    run(book)

    with pytest.raises(CannotUndo, match=r"B3 \(Long Barn, Grain\): the ruling wrote 5"):
        take_back(book, "B-1")
    take_back(book, "H-1")
    take_back(book, "B-1")

    assert barns(book) == {"Old Barn": [10]}


def test_an_edited_row_is_reported_but_a_removed_one_is_not():
    book = workbook([OLD], (), [building("B-1", "Old Barn", "Long Barn", "Hut")])
    run(book)
    book.type_in("Barns", 3, 2, 6)
    for column in (1, 2):
        book.type_in("Barns", 4, column, None)

    assert problems(run(book)) == [("Barns!B3", "RCP-30")]


def test_an_undone_row_may_be_built_again():
    book = workbook([OLD], (), [building("B-1", "Old Barn", "Long Barn")])
    run(book)
    take_back(book, "B-1")
    book.type_in("Building Requests", 2, 1, "B-7")

    run(book)

    assert barns(book) == {"Old Barn": [25], "Long Barn": [5]}
    assert not problems(run(book))
    take_back(book, "B-7")
    assert barns(book) == {"Old Barn": [35]}


def test_verify_reports_a_row_with_another_result():
    book = workbook([OLD], (), [building("B-1", "Old Barn", "Long Barn")])
    run(book)
    [ruled] = rulings(book)
    spoilt = type(ruled)(
        **{name: getattr(ruled, name) for name in ruled.__dataclass_fields__}
        | {"changes": (Change("Barns", "Long Barn", "Grain", None, 500), *ruled.changes[2:])}
    )

    found = verify(spoilt, form_of(spoilt), pass_context().fingerprints["hamlet"], SECRET, OPTIONS).differences

    assert sorted(found) == [
        "Barns, Long Barn, Barn: the receipt wrote None, it comes to 'Long Barn'",
        "Barns, Long Barn, Grain: the receipt wrote 500, it comes to 5.0",
    ]


def test_a_duplicate_name_fails_one_request_completely():
    """Two barns of one name are a bug of the rules."""
    book = workbook([OLD], [harvest("H-1", "Old Barn", 1)], [building("B-1", "Old Barn", "Hut", "hut")])

    made = run(book)

    assert {id: status for id, status, _ in messages(made)} == {"H-1": "Done", "B-1": "Failed"}
    assert list(barns(book)) == ["Old Barn"]
    assert len(made.findings.failures) == 1
    assert "two rows are to be added under one name" in made.findings.failures[0]


def test_a_request_waits_while_the_tab_of_its_new_row_is_missing():
    book = workbook([OLD], (), [building("B-1", "Old Barn", "Ruin")])

    assert messages(run(book)) == [
        ("B-1", "Invalid", "Ruins: the ruling adds a row here, but there are no headers. Run init to add the tab with"
         " its headers. [DB-03]"),
    ]  # fmt: skip
    assert barns(book) == {"Old Barn": [35]}


@pytest.mark.parametrize(
    ("blocked", "status"),
    [(("Barns", 3, 2), "Invalid"), (("Barns", 0, 0), "Invalid"), (("Barns", 3, 4), "Done"), (("Mills", 3, 2), "Done")],
)
def test_a_request_waits_while_the_place_of_its_new_row_is_blocked(blocked, status):
    """RCP-31: a cell in the row that comes next, or every row below the last; Notes are not written here."""
    book = workbook([OLD], [harvest("H-1", "Old Barn", 1)], [building("B-1", "Old Barn", "Hut")])

    made = run(book, blocked={(key(blocked[0]), *blocked[1:]): "it is protected: lift that"})

    said = {id: (status, message) for id, status, message in messages(made)}
    assert (said["H-1"][0], said["B-1"][0]) == ("Done", status)
    where = "Barns!B3" if blocked[1] else "Barns"
    assert status == "Done" or said["B-1"][1] == f"{where}: {NO_PLACE}"


NO_PLACE = "the program cannot write here: it is protected: lift that. [RCP-31]"


def test_an_internal_error_of_one_request_leaves_the_others_alone():
    book = workbook([OLD], [], [building("B-1", "Old Barn", "Bug"), building("B-2", "Old Barn", "Hut")])

    assert [status for _, status, _ in messages(run(book))] == ["Failed", "Done"]
    assert list(barns(book)) == ["Old Barn", "Hut"]


def test_hundreds_of_new_rows_keep_the_order_of_their_requests():
    asked = [building(f"B-{number}", "Old Barn", f"Barn {number}", f"Hut {number}") for number in range(300)]
    book = workbook([["Old Barn", 6_000]], (), asked)

    made = run(book)

    assert len(made.rulings) == 300
    assert list(barns(book))[:5] == ["Old Barn", "Barn 0", "Hut 0", "Barn 1", "Hut 1"]
    assert len(barns(book)) == 601
    assert barns(book)["Old Barn"] == [0]
