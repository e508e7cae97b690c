"""What a pass does for a watcher: it waits until nobody types, writes no more than fits, and notices edited nations."""

import json

from scripts.support.workbooks import NOW, changed, column, example, pass_context, read, ruled_example, run, workbook
from sheets_algo.database.cell_text import as_text
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Plan
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import key, keys


def watch(book: MemoryWorkbook, before: Plan | None, most: int | None = None) -> Plan:
    """One pass of a watcher, committed."""
    snapshot = read(book)
    known = before.findings.known if before else {}
    made = plan_pass(snapshot, changed(pass_context(), known=known, most=most), NOW)
    if made.writes.changes:
        book.commit(snapshot, made.writes.changes)
    return made


def type_in(book: MemoryWorkbook, tab: str, row: int, header: str, value: object) -> None:
    sheet = book.read(keys(tab)).sheet(key(tab))
    assert sheet is not None
    book.type_in(tab, row, list(sheet.rows[1]).index(header) + 1, value)  # type: ignore[arg-type]


def test_a_ready_row_waits_for_one_poll_and_is_ruled_at_the_next():
    book = workbook(example("1066"))

    first = watch(book, None)
    assert column(book, "War Requests", "Status") == ["Waiting"] * 5
    assert not first.rulings

    second = watch(book, first)
    assert column(book, "War Requests", "Status") == ["Done"] * 5
    assert [receipt.receipt.seq for receipt in second.rulings] == [2, 3, 4, 5, 6]


def test_a_row_that_is_being_typed_waits_alone():
    book = workbook(example("1066"))
    first = watch(book, None)
    type_in(book, "War Requests", 3, "Year", 1067)

    second = watch(book, first)
    assert column(book, "War Requests", "Status") == ["Done", "Waiting", "Done", "Done", "Done"]

    watch(book, second)
    assert column(book, "War Requests", "Status") == ["Done"] * 5


def test_edits_of_the_strategy_count_as_typing():
    book = workbook(example("1066"))
    first = watch(book, None)
    flanks = column(book, "Flanks", "Request")
    type_in(book, "Flanks", 2, "X", 123)

    watch(book, first)
    ids, statuses = (column(book, "War Requests", header) for header in ("Request", "Status"))
    waiting = [id for id, status in zip(ids, statuses, strict=True) if status == "Waiting"]
    assert waiting == [flanks[0]]


def test_a_changing_nation_delays_no_request():
    """Else two hundred wars of one nation, each of which changes it, would be ruled one a poll."""
    book = workbook(example("1066"))
    first = watch(book, None)
    type_in(book, "Nations", 2, "Stability", 77)

    watch(book, first)
    assert column(book, "War Requests", "Status") == ["Done"] * 5


def test_a_row_without_an_id_gets_it_at_the_first_poll_and_is_ruled_at_the_second():
    rows = example("1066")
    del rows["War Requests"][0]["Request"]
    rows["Flanks"] = []
    book = workbook(rows)

    first = watch(book, None)
    assert column(book, "War Requests", "Request")[0] == "W-0006"
    watch(book, first)
    assert column(book, "War Requests", "Status") == ["Done"] * 5


def test_bounded_passes_leave_whole_requests_to_the_next_and_reach_the_same_end():
    at_once, bounded = workbook(example("1066")), workbook(example("1066"))
    run(at_once)

    made = watch(bounded, None)
    for war in range(5):
        made = watch(bounded, made, most=1)
        assert len(made.rulings) == 1
        assert made.owes.left == 4 - war
        assert made.owes.is_partial or war == 4
    assert not watch(bounded, made, most=1).writes.changes
    for tab in ("Receipts", "War Requests", "Flanks", "Nations", "Leaders", "Log"):
        assert read(bounded).sheet(key(tab)) == read(at_once).sheet(key(tab)), tab


def test_a_bound_that_is_never_reached_changes_nothing():
    book = workbook(example("1066"))
    snapshot = read(book)
    free = plan_pass(snapshot, pass_context(), NOW)

    assert plan_pass(snapshot, changed(pass_context(), most=10**9), NOW).writes.changes == free.writes.changes
    assert not free.owes.is_partial


def test_a_nation_edited_after_a_ruling_is_reported_and_left_alone():
    """RCP-30."""
    book, _ = ruled_example("1066")
    ruled = column(book, "Nations", "Stability")[0]
    type_in(book, "Nations", 2, "Stability", 77)

    made = run(book)
    said = [str(problem) for problem in made.findings.of_tabs]
    assert len(said) == 1
    assert said[0].startswith("Nations!")
    assert f'(England, Stability): warning: shows "77", but the last receipt left it at "{as_text(ruled)}"' in said[0]
    assert said[0].endswith("Put that back if it is a mistake; the next ruling accepts it. [RCP-30]")
    assert column(book, "Nations", "Stability")[0] == 77

    type_in(book, "Nations", 2, "Stability", ruled)
    assert run(book).findings.of_tabs == ()


def test_a_moderator_s_edit_is_reported_once_and_accepted_by_the_next_ruling():
    """RCP-30: gold taken for every player is one line, and one receipt, not a line for each player for ever."""
    rows = example("rounds")
    end = {"Order": "End round", "Ready": True}
    rows["Round Requests"] = [end | {"Request": "R-1"}, end | {"Request": "R-2", "Ready": False}]
    book = workbook(rows)
    run(book)
    ruled = column(book, "Round Players", "Gold ¤")
    for row in range(2, len(ruled) + 2):
        type_in(book, "Round Players", row, "Gold ¤", None)

    (said,) = run(book).findings.of_tabs
    assert (str(said.cell), said.id) == ("'Round Players'!B2", "RCP-30")
    assert 'left it at "1320", and 4 other rows of this column were changed too (Bola "250" → nothing; ' in said.says
    type_in(book, "Round Requests", 3, "Ready", True)
    accepted = run(book)

    assert [problem.id for problem in accepted.findings.of_tabs] == []
    kinds = list(zip(column(book, "Receipts", "Kind"), column(book, "Receipts", "Request"), strict=True))
    assert kinds[1:] == [("Ruling", "R-1"), ("Edits", None), ("Ruling", "R-2")]
    text = column(book, "Receipts", "Receipt")[2]
    assert text.startswith("Changed by hand after a ruling, and accepted: Gold ¤ of Anna; Gold ¤ of Bola; ")
    changes = json.loads(column(book, "Receipts", "Changes")[2])
    assert [change["after"] for change in changes] == [None] * len(changes)
    assert changes[0]["before"] == ruled[0]
    assert not run(book).writes.changes


def test_a_deleted_receipt_is_missed():
    """RCP-19: receipt 3 is that of the second war."""
    book, _ = ruled_example("1066")
    assert column(book, "Receipts", "Seq") == [1, 2, 3, 4, 5, 6]
    type_in(book, "Receipts", 4, "Seq", None)
    for header in ("Part", "Kind", "Request"):
        type_in(book, "Receipts", 4, header, None)

    made = run(book)

    assert [str(problem) for problem in made.findings.of_tabs if problem.id == "RCP-19"] == [
        "Receipts: receipt 3 is gone; nothing is ruled until that is settled. Bring it back from an older version, or"
        " accept that with sheets-algo restore WORKBOOK --accept. [RCP-19]"
    ]
    assert not made.rulings


def test_wars_without_their_ids_are_not_ruled_under_others():
    """REQ-01: somebody renames the header of the ids; once it is back, all is as it was."""
    book, _ = ruled_example("1066")
    before = read(book)
    book.type_in("War Requests", 1, 1, "Number")

    made = run(book)
    assert [str(problem) for problem in made.findings.of_tabs if problem.id == "REQ-01"] == [
        '\'War Requests\'!A1: says "Number". Did you mean "Request"? Rename the header, or add a column "Request".'
        " [REQ-01]"
    ]
    assert not made.writes.changes

    book.type_in("War Requests", 1, 1, "Request")
    assert not run(book).writes.changes
    assert read(book).sheets == before.sheets


def test_a_flank_without_a_request_is_reported_since_its_strategy_is_lost():
    """Rows 2 to 4 of Flanks are the defence of Jerusalem; the id is deleted in the last two."""
    book = workbook(example("1066"))
    type_in(book, "Flanks", 3, "Request", None)
    type_in(book, "Flanks", 4, "Request", None)

    said = [str(problem) for problem in run(book).findings.of_tabs]

    assert said == [
        "Flanks!A3 (Defender, citadel, Request): required, but empty. Enter a name from War Requests. [FLR-01]"
    ]
