"""The chain of receipts: what is gone, changed, put in between or copied is told, and nothing harmless is (RCP-19)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.support.workbooks import (
    NOW,
    changed,
    column,
    forms,
    messages,
    pass_context,
    read,
    run,
    undo,
)
from sheets_algo.ruling.corrections import NothingToAccept, restore
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.receipts.chain import NotedHead, find_head, given_up_text, losses, losses_before
from sheets_algo.ruling.receipts.receipt_rows import GIVEN_UP, PROTOCOL, GivenUp
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import Receipts
from sheets_algo.ruling.receipts.season_receipts import versions_of
from sheets_algo.steps import tabs_to_read
from sheets_algo.workbook.errors import WorkbookError, WorkbookUnavailable
from sheets_algo.workbook.head import Head
from sheets_algo.workbook.memory import MemoryWorkbook
from sheets_algo.workbook.values import Value
from tests.helpers.example_budget import BUDGET
from tests.helpers.spoilt_workbooks import example_grids
from tests.helpers.tabs import key

Rows = list[list[Value]]
LAST = 6
"""The number of the last receipt of five wars."""


def ruled() -> MemoryWorkbook:
    return MemoryWorkbook(example_grids("1066", is_ruled=True))


def with_receipts(rows: Sequence[Sequence[Value]]) -> MemoryWorkbook:
    """Return the ruled workbook with other rows in Receipts; the header is the first."""
    return MemoryWorkbook({**example_grids("1066", is_ruled=True), "Receipts": rows})


def rows_of(book: MemoryWorkbook) -> Rows:
    return [[*row] for row in book.rows("Receipts")]


def receipts(book: MemoryWorkbook) -> Receipts:
    return read_receipts(read(book))


def told(book: MemoryWorkbook, *heads: Head) -> str:
    return str(losses(receipts(book), [NotedHead(head, "a player") for head in heads]))


def edited(rows: Rows, row: int, header: str, value: Value) -> Rows:
    place = rows[0].index(header)
    return [[value if (r, c) == (row, place) else cell for c, cell in enumerate(cells)] for r, cells in enumerate(rows)]


def test_written_receipts_form_a_chain_from_the_season_to_the_head() -> None:
    found = receipts(ruled())

    assert not losses(found)
    assert found.by_seq[1].previous == found.season[:32]
    assert [found.by_seq[seq].previous for seq in range(2, LAST + 1)] == [
        found.by_seq[seq].digest for seq in range(1, LAST)
    ]
    assert found.head == Head(LAST, found.by_seq[LAST].digest)
    assert Head.parse(str(found.head)) == found.head


@pytest.mark.parametrize(
    ("kept", "says"),
    [
        ([1, 2, 4, 5, 6], "receipt 3 is gone"),
        ([1, 3, 6], "receipts 2 and 4 to 5 are gone"),
        ([1, 2, 3, 4, 5], ""),  # nothing in the tab tells it
        ([2, 3, 4, 5, 6], "receipt 1 is gone"),
        ([6, 5, 4, 3, 2, 1], ""),  # sorted otherwise
    ],
)
def test_lost_rows_are_reported_in_any_order(kept: list[int], says: str) -> None:
    rows = rows_of(ruled())

    assert told(with_receipts([rows[0], *(rows[seq] for seq in kept)])) == says


def test_a_noted_head_reveals_losses_that_the_tab_hides() -> None:
    rows = rows_of(ruled())
    head = receipts(ruled()).head

    assert told(with_receipts(rows[:-1]), head) == f"receipt 6 is gone; a player says {head}"
    assert told(with_receipts(rows[:1]), head) == f"receipts 1 to 6 are gone; a player says {head}"
    assert told(with_receipts(rows), head) == ""
    assert told(with_receipts(rows), Head(5)) == ""  # older guards know a number alone
    other = Head(LAST, "f" * 32)
    says = "receipt 6, or one before it, is not as it was written"
    assert told(with_receipts(rows), other) == f"{says}; a player says {other}"
    says = "receipt 3 is not as it was written; receipts 5 to 6, or ones before them, are not as they were written"
    edited_too = with_receipts(edited(rows, 3, "Winner", "Nobody"))
    assert told(edited_too, Head(5, "f" * 32), other) == f"{says}; a player says {other}"


def test_accepted_losses_do_not_settle_what_a_noted_head_leaves_open() -> None:
    """Of two rulings that were replaced, players took the first for untouched."""
    book = ruled()
    accept(book, Head(LAST, "f" * 32))
    given_up = receipts(book).by_seq[LAST + 1]

    says = "A moderator has accepted that receipt 6, or one before it, is not as it was written"
    assert given_up.wiki.startswith(says)
    assert given_up_text(given_up).startswith(f"{says}.")


@pytest.mark.parametrize("header", ["Request", "Winner", "Receipt", "Seed", "Inputs", "Changes", "Figures", "Time"])
def test_a_changed_cell_is_reported(header: str) -> None:
    rows = rows_of(ruled())
    value = str(rows[3][rows[0].index(header)])
    # another digit, so that what can be read stays readable
    place = max((at for at, letter in enumerate(value) if letter.isdigit()), default=0)
    other = value[:place] + ("7" if value[place] != "7" else "8") + value[place + 1 :]

    assert told(with_receipts(edited(rows, 3, header, other))) == "receipt 3 is not as it was written"


def test_two_receipts_with_exchanged_numbers_are_reported() -> None:
    rows = rows_of(ruled())
    swapped = edited(edited(rows, 3, "Seq", 4), 4, "Seq", 3)

    assert told(with_receipts(swapped)).endswith("are not as they were written")


def test_a_receipt_without_a_previous_digest_is_reported() -> None:
    rows = rows_of(ruled())

    assert told(with_receipts(edited(rows, 4, "Previous", None))) == "receipt 4 is not as it was written"


def test_harmless_changes_of_other_programs_keep_the_chain() -> None:
    """White space, line ends, numbers as text, a blank column more, and a row twice."""
    rows = rows_of(ruled())
    place = rows[0].index("Receipt")
    for cells in rows[1:]:
        cells[0] = str(cells[0])
        cells[place] = str(cells[place]).replace("\n", "\r\n") + " "
    rows = [[*cells, *([""] * (len(rows[0]) - len(cells))), ""] for cells in rows]

    assert told(with_receipts([*rows, rows[2]]), receipts(ruled()).head) == ""


def test_a_receipt_that_names_no_predecessor_was_edited() -> None:
    assert told(with_receipts(edited(rows_of(ruled()), 3, "Previous", None))) == "receipt 3 is not as it was written"


def accept(book: MemoryWorkbook, *heads: Head) -> None:
    snapshot = book.read([*tabs_to_read(forms()), key("Log")])
    book.commit(
        snapshot,
        restore(snapshot, forms(), read_receipts(snapshot), NOW, [NotedHead(head, "a player") for head in heads])[2],
    )


def test_accepted_losses_are_listed_and_no_longer_missed() -> None:
    rows, head = rows_of(ruled()), receipts(ruled()).head
    book = with_receipts([rows[0], *rows[1:3], *rows[4:6]])
    accept(book, head)

    assert told(book, head) == ""
    given_up = receipts(book).by_seq[LAST + 1]
    shown = "shows a ruling of 2026-03-01T12:00:00Z"
    assert given_up.kind == "Restore"
    assert GIVEN_UP.decode(given_up.inputs) == GivenUp(
        missing=((3, 3), (6, 6)),
        heads=(str(head),),
        wars=(
            "receipt 3 ruled W-0002",
            "receipt 6 ruled W-0005",
            f"W-0002 (Hastings) {shown}",
            f"W-0005 (Siege of Jerusalem) {shown}",
        ),
    )
    later = rows_of(book)
    assert told(with_receipts(edited(later, 2, "Winner", "Nobody"))).endswith("are not as they were written")
    assert "gone" in told(with_receipts([*later[:2], *later[3:]]))
    assert told(with_receipts([*later, rows[3]])) != ""  # what was given up comes back
    with pytest.raises(NothingToAccept, match="Nothing is gone"):
        accept(book)


def test_every_earlier_noted_head_reports_an_accepted_loss() -> None:
    """A moderator deleted a receipt and accepted that; the head of then vouched for what was no longer there."""
    sound = receipts(ruled())
    rows = rows_of(ruled())
    book = with_receipts([*rows[:3], *rows[4:]])
    accept(book)
    found = receipts(book)

    assert [says_of(found, sound.by_seq[seq].digest) for seq in (2, 4, LAST)] == ["", *["receipt 3 is gone"] * 2]
    assert says_of(found, found.by_seq[LAST + 1].digest) == ""


def says_of(found: Receipts, digest: str) -> str:
    noted = find_head(found, digest)
    return str(losses_before(found, noted)) if noted else "no such head"


@pytest.mark.parametrize("inputs", [None, "{}", '{"wars": ["Release notes."]}', '{"changed": [5]}'])
def test_an_edited_restore_hides_no_loss(inputs: str | None) -> None:
    rows = rows_of(ruled())
    book = with_receipts(edited([*rows[:3], *rows[4:]], 3, "Winner", "Nobody"))
    accept(book)
    last = len(rows_of(book)) - 1
    assert given_up_text(receipts(book).by_seq[LAST + 1]).startswith(
        "A moderator has accepted that receipt 3 is gone; receipt 4 is not as it was written. Known of what is gone: "
    )

    spoilt = edited(edited(rows_of(book), last, "Receipt", "Release notes."), last, "Inputs", inputs)

    assert "receipt 3 is gone; receipt" in told(with_receipts(spoilt))
    assert "Release notes" not in given_up_text(
        receipts(with_receipts(edited(rows_of(book), last, "Receipt", "Release notes."))).by_seq[7]
    )


def test_a_war_with_a_lost_receipt_is_not_ruled_while_its_row_shows_it() -> None:
    rows, head = rows_of(ruled()), receipts(ruled()).head
    book = with_receipts(rows[:-1])
    accept(book, head)

    made = run(book)
    assert not made.rulings
    assert {id: status for id, status, _ in messages(made)}["W-0005"] == "Invalid"
    assert column(book, "War Requests", "Ruled At")[4]
    place = [*read(book).sheet(key("War Requests")).rows[1]].index("Ruled At") + 1  # type: ignore[union-attr]
    book.type_in("War Requests", 6, place, None)
    place = [*read(book).sheet(key("Militaries")).rows[1]].index("Size") + 1  # type: ignore[union-attr]
    for row, size in enumerate(column(MemoryWorkbook(example_grids("1066")), "Militaries", "Size"), start=2):
        book.type_in("Militaries", row, place, size)  # Jerusalem's garrison was taken
    assert [ruling.receipt.request for ruling in run(book).rulings] == ["W-0005"]
    assert not losses(receipts(book), [NotedHead(head, "a player")])


def test_lost_receipts_block_rulings_undos_and_new_ids() -> None:
    rows = rows_of(ruled())
    book = with_receipts([*rows[:3], *rows[4:]])
    header = list(read(book).sheet(key("War Requests")).rows[1])  # type: ignore[union-attr]
    for name, value in (("Request", None), ("War", "Hastings again"), ("Ruled At", None)):
        book.type_in("War Requests", 3, header.index(name) + 1, value)
    before = rows_of(book)

    made = run(book)

    assert not made.rulings
    assert rows_of(book) == before
    assert column(book, "War Requests", "Request")[1] is None
    with pytest.raises(WorkbookUnavailable, match=r"Nothing is undone now\. Receipts: receipt 3 is gone"):
        undo(read(book), forms(), "W-0001", NOW)


def test_a_copied_row_is_a_separate_war() -> None:
    """People copy a ruled row with its results, and change the war in it."""
    book = ruled()
    header = list(read(book).sheet(key("War Requests")).rows[1])  # type: ignore[union-attr]
    for place, cell in enumerate(read(book).sheet(key("War Requests")).rows[2], start=1):  # type: ignore[union-attr]
        book.type_in("War Requests", 9, place, cell)
    book.type_in("War Requests", 9, header.index("Request") + 1, "W-0099")
    book.type_in("War Requests", 9, header.index("War") + 1, "Another war")
    book.type_in("War Requests", 9, header.index("Year") + 1, 1070)

    assert [ruling.receipt.request for ruling in run(book).rulings] == ["W-0099"]


def test_a_season_of_a_later_protocol_is_not_ruled_by_this_program() -> None:
    """RCP-17: an older program beside a newer one says so in the rows."""
    rows = rows_of(ruled())[:2]
    place = rows[0].index("Inputs")
    rows[1] = [*rows[1], *[None] * (len(rows[0]) - len(rows[1]))]
    rows[1][place] = f'{{"protocol":{PROTOCOL + 1},"needs":"9.9"}}'
    grids = example_grids("1066", is_ruled=False)
    book = MemoryWorkbook({**grids, "Receipts": rows})

    made = run(book)

    assert not made.rulings
    assert "the season needs sheets-algo 9.9 or newer, and this program is older" in messages(made)[0][2]
    assert not run(book).writes.changes  # it is said once


def test_a_season_under_newer_rules_is_not_ruled_by_an_older_version() -> None:
    """RCP-17: the Season row tells it before anything is ruled, and an older program cannot accept it."""
    rows = rows_of(ruled())[:2]
    place = rows[0].index("Inputs")
    rows[1] = [*rows[1], *[None] * (len(rows[0]) - len(rows[1]))]
    rules = {key: version + 1 for key, version in versions_of(forms(), lambda _: ()).rules.items()}
    rows[1][place] = '{"rules":' + str(rules).replace("'", '"') + "}"
    book = MemoryWorkbook({**example_grids("1066", is_ruled=False), "Receipts": rows})

    for accepts in (False, True):
        context = changed(pass_context(), accepts_rules=accepts)
        made = plan_pass(read(book), context, NOW)
        assert not made.rulings
        assert "Install the newer program. [RCP-17]" in messages(made)[0][2]


def test_a_head_is_matched_by_number_and_digest_or_by_eight_digits() -> None:
    found = receipts(ruled())
    head = found.by_seq[4].digest

    assert [find_head(found, typed) for typed in (f"4-{head}", head, head[:8], f"4-{head[:8]}".upper())] == [
        found.by_seq[4]
    ] * 4
    assert [find_head(found, typed) for typed in (f"5-{head}", head[:7], "", "-", "4-", "f" * 32)] == [None] * 6


HOSTILE = ["999999999999999", "10" * 40, "-1", "0", "1e9", "nan", "x", 10**15, -(10**15), 0.5, 1e300, True]


@pytest.mark.parametrize("value", HOSTILE, ids=str)
def test_absurd_numbers_in_a_row_are_reported_at_no_cost(value: Value) -> None:
    made = plan_pass(read(with_receipts(edited(rows_of(ruled()), LAST, "Seq", value))), pass_context(), NOW)

    assert "is not a number from 1 to 999,999" in str(made.findings.held)
    assert not made.rulings


@pytest.mark.parametrize("number", [900_000, 999_998, 999_999])
def test_absurd_numbers_are_not_accepted_since_no_higher_one_would_be_left(number: int) -> None:
    """A receipt behind the last possible number could not be read, and nothing would be ruled for good."""
    typed = with_receipts(edited(rows_of(ruled()), LAST, "Seq", number))
    for book, heads in ((typed, []), (ruled(), [Head(number)])):
        before = rows_of(book)
        assert "gone" in told(book, *heads)
        with pytest.raises(WorkbookUnavailable, match=r"No season has so many receipts"):
            accept(book, *heads)
        assert rows_of(book) == before


@settings(max_examples=max(1, round(60 * BUDGET)), deadline=None)
@given(data=st.data())
def test_any_damage_to_rows_is_reported_or_harmless(data: st.DataObject) -> None:
    """Rows are removed, copied, exchanged and edited; what the receipts say of any war stays, or nothing is ruled."""
    sound, head = receipts(ruled()), receipts(ruled()).head
    rows = rows_of(ruled())
    rows = spoilt(rows, data)
    context = changed(pass_context(), noted=[NotedHead(head, "a guard")])

    plan = plan_pass(read(with_receipts(rows)), context, NOW)

    assert not plan.rulings
    if not plan.findings.held:
        assert {seq: receipt.digest for seq, receipt in receipts(with_receipts(rows)).by_seq.items()} == {
            seq: receipt.digest for seq, receipt in sound.by_seq.items()
        }


def spoilt(rows: Rows, data: st.DataObject) -> Rows:
    """Remove, copy, exchange or edit one to three rows."""
    rows = [[*row] for row in rows]
    for _ in range(data.draw(st.integers(1, 3))):
        place, other = (data.draw(st.integers(1, len(rows) - 1)) for _ in range(2))
        deed = data.draw(st.sampled_from(["remove", "copy", "exchange", "edit"]))
        if deed == "remove" and len(rows) > 2:
            del rows[place]
        elif deed == "copy":
            rows.append([*rows[place]])
        elif deed == "exchange":
            rows[place], rows[other] = rows[other], rows[place]
        elif deed == "edit":
            at = data.draw(st.integers(0, len(rows[0]) - 1))
            rows = edited(rows, place, str(rows[0][at]), data.draw(st.sampled_from([None, "7", 3, "W-0003", "{}"])))
    return rows


@settings(max_examples=max(1, round(60 * BUDGET)), deadline=None)
@given(data=st.data())
def test_a_noted_head_confirms_all_receipts_before_it_or_none(data: st.DataObject) -> None:
    """Rows are spoilt, that is accepted, and they are spoilt again, with the row of the Restore among them."""
    sound = receipts(ruled())
    book = with_receipts(spoilt(rows_of(ruled()), data))
    try:
        accept(book)
        found = receipts(with_receipts(spoilt(rows_of(book), data)))
    except (NothingToAccept, WorkbookError):
        return  # nothing was spoilt, or a cell so much that it is named

    for seq, then in sound.by_seq.items():
        if says_of(found, then.digest) == "":
            kept = {number: receipt.digest for number, receipt in found.by_seq.items() if number <= seq}
            assert kept == {number: receipt.digest for number, receipt in sound.by_seq.items() if number <= seq}
