"""The tab Posts: rows written with receipts, and the steps of whoever works it off.

Its columns are PST-01, PST-02, PST-03, PST-04, PST-05, PST-06, PST-07, PST-08 and PST-09.
"""

from __future__ import annotations

from typing import Any

from engine.ruleset import no_op
from scripts.support.workbooks import NOW, changed, column, example, forms, pass_context, undo, workbook
from sheets_algo.config.post_settings import ChannelSettings
from sheets_algo.forms.rulesets import form_entries
from sheets_algo.posting.post_step import PostOutcome, PostStep, plan_step
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import read_contents
from sheets_algo.ruling.step import steps_of
from sheets_algo.steps import HEADERS_TO_READ, tabs_to_read
from sheets_algo.steps.posts.post_row import read_posts
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import keys

LATER = "2026-03-01T12:03:00Z"
AGES_LATER = "2026-03-01T13:00:00Z"


def channel(name: str = "archive", **more: Any) -> ChannelSettings:
    return ChannelSettings(name=name, to="command", command=("keep",), **more)


def ruled(*channels: ChannelSettings, story: str = "1066") -> MemoryWorkbook:
    book = workbook(example(story))
    rule(book, *channels)
    return book


def rule(book: MemoryWorkbook, *channels: ChannelSettings) -> None:
    snapshot = book.read(tabs_to_read(form_entries()), HEADERS_TO_READ)
    context = changed(pass_context(), channels=channels)
    book.commit(snapshot, plan_pass(snapshot, context, NOW).writes.changes)


def work(
    book: MemoryWorkbook, *, now: str = LATER, ready: str = "archive", repeats: bool = False, **outcomes: str
) -> PostStep:
    """Make one step; `outcomes` are the state of the row that is being sent, its reference and message."""
    snapshot = book.read(keys("Posts"))
    entries = read_posts(snapshot)
    sending = next((entry for entry in entries if entry.state == "Sending"), None)
    found = {}
    if outcomes and sending:
        found[sending.key] = PostOutcome(claim=sending.reference, **outcomes)
    step = plan_step(
        entries,
        outcomes=found,
        ready=ready.split(),
        repeatable=["archive"] if repeats else [],
        undone={7: 2},
        now=now,
        abandoned=now.replace(":03:", ":00:"),
        word="w",
    )
    book.commit(snapshot, step.changes)
    return step


def act(book: MemoryWorkbook, row: int, action: str) -> None:
    book.type_in("Posts", row, book.rows("Posts")[0].index("Action") + 1, action)


def test_pst_01_to_08_each_ruling_gets_a_row_a_channel_with_its_receipt():
    book = ruled(channel(), channel("war"))

    assert column(book, "Posts", "Seq") == [2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    assert column(book, "Posts", "Channel") == ["archive", "war"] * 5
    assert column(book, "Posts", "Request") == [f"W-000{war}" for war in (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)]
    assert column(book, "Posts", "State") == ["Waiting"] * 10
    assert column(book, "Posts", "Attempts") == [0] * 10
    assert column(book, "Posts", "Time") == [NOW] * 10
    assert [column(book, "Posts", head) for head in ("Reference", "Message")] == [[None] * 10] * 2


def test_without_channels_there_is_no_tab():
    assert "Posts" not in ruled().tabs


def test_pst_11_a_channel_gets_its_chosen_rulesets_and_motives():
    motives = dict(
        zip(column(ruled(), "War Requests", "Request"), column(ruled(), "War Requests", "Motive"), strict=True)
    )
    conquests = [request for request, motive in motives.items() if motive in ("Conquest", None)]
    assert 0 < len(conquests) < len(motives)

    book = ruled(channel(motives=("conquest",)), channel("cards", rulesets=("jousts",)))

    assert column(book, "Posts", "Request") == conquests
    assert set(column(book, "Posts", "Channel")) == {"archive"}


def test_pst_11_receipts_of_games_with_secrets_are_posted_nowhere():
    assert column(ruled(channel(), story="plots"), "Posts", "Request") == ["K-0001"]  # a rating, which is public


def test_pst_11_an_undo_gets_its_row_unless_the_channel_declines_it():
    book = ruled(channel(), channel("quiet", undos=False))
    snapshot = book.read(tabs_to_read(form_entries()), HEADERS_TO_READ)
    context = changed(pass_context(), channels=(channel(), channel("quiet", undos=False)))
    steps = steps_of(read_contents(snapshot, context, NOW, lambda *_: no_op, None))
    receipt, changes = undo(snapshot, forms(), "W-0005", NOW, (), steps)
    book.commit(snapshot, changes)

    rows = zip(column(book, "Posts", "Seq"), column(book, "Posts", "Channel"), strict=True)
    assert [channel for seq, channel in rows if seq == receipt.seq] == ["archive"]


def test_pst_10_a_row_is_claimed_first_and_gets_its_outcome_with_the_next_claim():
    book = ruled(channel())

    step = work(book)
    assert step.claimed is not None
    assert column(book, "Posts", "State") == ["Sending", *["Waiting"] * 4]
    assert column(book, "Posts", "Reference")[0] == "2 archive w"

    work(book, state="Posted", reference="17")
    assert column(book, "Posts", "State")[:3] == ["Posted", "Sending", "Waiting"]
    assert column(book, "Posts", "Reference")[0] == "17"
    assert column(book, "Posts", "Attempts") == [1, 1, 0, 0, 0]


def test_pst_10_a_foreign_claim_is_left_alone_until_it_is_old():
    book = ruled(channel())
    work(book)

    assert not work(book).changes

    step = work(book, now=AGES_LATER)
    assert [entry.seq for entry in step.needs_person] == [2]
    assert column(book, "Posts", "State")[:2] == ["Unsure", "Sending"]
    assert "set Action to Send again or Posted" in column(book, "Posts", "Message")[0]


def test_pst_10_an_old_claim_on_a_repeatable_channel_waits_again():
    book = ruled(channel())
    work(book)

    work(book, now=AGES_LATER, repeats=True, ready="")
    assert column(book, "Posts", "State")[0] == "Waiting"


def test_pst_10_a_claim_moved_to_another_receipt_is_unsure():
    book = ruled(channel())
    head = book.rows("Posts")[0]
    book.type_in("Posts", 4, head.index("State") + 1, "Sending")
    book.type_in("Posts", 4, head.index("Reference") + 1, "2 archive w")
    book.type_in("Posts", 4, head.index("Time") + 1, LATER)

    work(book, ready="")
    assert column(book, "Posts", "State")[2] == "Unsure"


def test_pst_12_posts_are_sent_in_order_and_a_failure_stops_later_ones():
    book = ruled(channel(), channel("war"))
    work(book, ready="archive war")
    work(book, ready="archive war", state="Failed", message="There is no such webhook.")
    assert column(book, "Posts", "State")[:2] == ["Failed", "Sending"]

    work(book, ready="archive war", state="Posted")
    assert column(book, "Posts", "State")[:4] == ["Failed", "Posted", "Waiting", "Sending"]


def test_pst_12_an_undo_waits_while_the_post_of_its_ruling_is_unsure():
    book = ruled(channel())
    head = book.rows("Posts")[0]
    for row, seq in enumerate((2, 7), start=2):
        book.type_in("Posts", row, head.index("Seq") + 1, seq)
    for row in (4, 5, 6):
        book.type_in("Posts", row, head.index("State") + 1, "Posted")
    work(book)
    step = work(book, state="Unsure", message="No answer.")

    assert step.claimed is None
    assert column(book, "Posts", "State")[:2] == ["Unsure", "Waiting"]
    assert column(book, "Posts", "Message")[1] == (
        "It waits until somebody has said whether the post of receipt 2 arrived."
    )


def test_pst_09_a_person_decides_about_an_unsure_post_and_the_action_is_cleared():
    book = ruled(channel())
    for _ in range(3):
        work(book, state="Unsure", message="No answer.")
    assert column(book, "Posts", "State")[:3] == ["Unsure", "Unsure", "Sending"]
    act(book, 2, "send again")
    act(book, 3, "Posted https://chat.example/channels/1/2/993")

    work(book, ready="")
    assert column(book, "Posts", "State")[:3] == ["Waiting", "Posted", "Sending"]
    assert column(book, "Posts", "Reference")[:2] == [None, "2/993"]
    assert column(book, "Posts", "Action")[:2] == [None, None]
    assert column(book, "Posts", "Message")[:2] == [None, None]


def test_pst_09_an_action_without_effect_is_reported():
    book = ruled(channel())
    act(book, 2, "resend")

    work(book, ready="")
    assert column(book, "Posts", "Message")[0].startswith('"resend" does nothing to a post that is Waiting.')
    assert not work(book, ready="").changes


def test_an_outcome_does_not_overwrite_another_claim():
    book = ruled(channel())
    work(book)
    entries = read_posts(book.read(keys("Posts")))
    late = PostOutcome(claim="2 archive another", state="Waiting")
    step = plan_step(
        entries,
        outcomes={entries[0].key: late},
        ready=[],
        repeatable=[],
        undone={},
        now=LATER,
        abandoned=NOW,
        word="w",
    )
    assert not step.changes


def test_a_copied_row_is_not_sent_and_needs_a_person():
    book = ruled(channel())
    book.type_in("Posts", 3, 1, 2)

    step = work(book)
    assert step.claimed is not None
    assert [entry.row.number for entry in step.needs_person] == [2, 3]
    assert column(book, "Posts", "State")[:3] == ["Waiting", "Waiting", "Sending"]
    assert column(book, "Posts", "Message")[:2] == [column(book, "Posts", "Message")[0]] * 2
    assert "delete the one that is a copy" in column(book, "Posts", "Message")[0]
