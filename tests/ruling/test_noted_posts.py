"""The text of a store that notes posts: what it holds, how long it gets, and which rows are missed (PST-15)."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cache
from typing import Any

from scripts.support.workbooks import forms, read, ruled_example
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.runtime.session.post_notes import MOST, as_text, chosen_since, missing_posts, read_text
from sheets_algo.steps.posts.post_row import PostEntry, PostNote
from sheets_algo.steps.posts.step import PostFilter
from tests.ruling.test_posts import channel

FORMS = forms()


@cache
def receipts() -> Any:
    book, _ = ruled_example("1066")
    return read_receipts(read(book))


def note(seq: int, state: str = "Posted", attempts: int = 1, **more: Any) -> PostNote:
    given: dict[str, Any] = {"request": f"W-{seq}", "odds": "", "channel": "archive", "reference": "x", "time": "t"}
    return PostNote(seq=seq, state=state, attempts=attempts, **(given | more))


def test_notes_are_read_back_without_ids_and_times():
    known = receipts()
    seqs = [receipt.seq for receipt in known.rulings]
    states = [("Posted", 1), ("Posted", 2), ("Unsure", 1), ("Waiting", 0), ("Sending", 3)]
    notes = [note(seq, state, attempts) for seq, (state, attempts) in zip(seqs, states, strict=False)]

    found, since = read_text(as_text(notes, {"archive": ("d1", 2)}), (), known)

    assert since == {"archive": ("d1", 2)}
    assert [(one.seq, one.state, one.attempts) for one in found.values()] == [
        (one.seq, one.state, one.attempts) for one in notes
    ]
    assert {(one.reference, one.time) for one in found.values()} == {("", "")}


def test_an_invalid_text_has_no_notes():
    cases = ["", "x", "[]", "{}", '{"a":1}', '{"a":["d",1,"2-x",{}]}', '{"a":["d",1,"",{"2":""}]}']
    assert {text: read_text(text, (), receipts()) for text in cases} == dict.fromkeys(cases, ({}, {}))


def test_ten_thousand_posts_fit_and_the_rest_counts_as_posted():
    in_order = as_text([note(seq) for seq in range(2, 10_000)], {})
    assert in_order == '{"archive":["",0,"2-9999",{}]}'

    each_second = as_text([note(seq) for seq in range(2, 10_000, 2)], {})
    odds = as_text([note(0, odds=f"{number:016x}") for number in range(2_000)], {})

    assert max(map(len, (each_second, odds))) <= MOST
    assert '"2-9998"' in each_second


def test_the_newest_odds_and_all_standings_are_noted():
    announced = [note(0, odds=f"{number:016x}") for number in range(2_000)]
    text = as_text([note(0, odds="standing 1"), *announced], {})

    found, _ = read_text(text, entries(announced), receipts())

    assert ("standing", "archive") in found
    assert len(found) > 300
    assert announced[-1].key in found
    assert announced[0].key not in found


def test_notes_without_a_row_stay_except_for_receipts():
    """A row may come back with an older version of the workbook."""
    war, standing = note(0, odds="a" * 16), note(0, odds="standing 1", attempts=2)
    before = as_text([war, standing, note(3), note(4, "Unsure")], {})

    text = as_text([note(2)], {"archive": ("d1", 2)}, before)
    found, since = read_text(text, entries([war]), receipts())
    assert {key for key in found if key[0] != "2"} == {war.key, standing.key}
    assert since == {"archive": ("d1", 2)}

    again, _ = read_text(as_text([dataclasses.replace(standing, attempts=3)], {}, text), (), receipts())
    assert again[standing.key].attempts == 3
    assert as_text([note(2)], {}, "x") == as_text([note(2)], {})


def entries(notes: Sequence[PostNote]) -> list[Any]:
    return [PostEntry(**dataclasses.asdict(one), row=None, action="") for one in notes]  # type: ignore[arg-type]


def test_a_chosen_receipt_without_a_row_is_missed_and_earlier_ones_are_not():
    known = receipts()
    seqs = [receipt.seq for receipt in known.rulings]
    settings = (channel(),)
    ((_, (digest, _)),) = chosen_since(settings, {}, known).items()
    rows = [(str(seq), "archive") for seq in seqs if seq != seqs[1]]

    def missed(since: int, *channels: Any) -> list[int]:
        now = chosen_since(channels, {"archive": (digest, since)}, known)
        return [one.seq for one in missing_posts(rows, now, known, PostFilter(channels, FORMS))]

    assert missed(2, *settings) == [seqs[1]]
    assert missed(seqs[1] + 1, *settings) == []
    assert missed(2, dataclasses.replace(settings[0], motives=("Conquest",))) == []  # chosen from now on
    assert missed(2, channel("another")) == []
