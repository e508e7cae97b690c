"""Leader Requests: a new leader with one strong trait, from the row of a request to a row of Leaders."""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine.autoalgo.new_leader import NewLeader, NewLeaderInputs
from engine.rng import Rng
from scripts.support.workbooks import (
    NOW,
    OPTIONS,
    SECRET,
    Rows,
    check,
    column,
    example,
    forms,
    messages,
    pass_context,
    read,
    run,
    undo,
    workbook,
)
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.memory import MemoryWorkbook

SKILLS = ("Attack", "Defense", "Siege", "Authority", "Cunning", "Zeal", "Martial")
FORM = next(form for form in forms() if form.key == "autoalgo-leader")
HEREWARD: dict[str, Any] = {
    "Leader": "Hereward", "Nation": "England; Norway", "Year": 1070, "Age": 35, "Strongest Trait": "Cunning"
}  # fmt: skip


def asked(*requests: dict[str, Any]) -> Rows:
    """The season of 1066, in which no war is asked for, with these requests."""
    rows = example("1066")
    rows["War Requests"], rows["Flanks"] = [], []
    rows["Leader Requests"] = [
        {"Request": f"L-{number}", "Ready": True} | request for number, request in enumerate(requests, start=1)
    ]
    return rows


def leader(book: MemoryWorkbook, name: str = "Hereward") -> dict[str, Any]:
    """A row of Leaders."""
    head, *rows = book.rows("Leaders")
    return next(dict(zip(map(str, head), row, strict=False)) for row in rows if row[0] == name)


def test_ldr_12_the_strongest_trait_is_very_high_and_the_others_are_drawn() -> None:
    book = workbook(asked(HEREWARD))
    [ruling] = run(book).rulings

    found = leader(book)
    assert (found["Nation"], found["Birth Year"], found["Cunning"]) == ("England; Norway", 1035, 9)
    assert all(0 <= found[skill] <= 8 for skill in SKILLS if skill != "Cunning")
    text = ruling.outcome.receipt.text()
    assert "Born: 1035, 35 years old in 1070" in text
    assert "Cunning: 9, the strongest trait" in text
    assert f"Siege: {found['Siege']}, drawn from 0 to 8" in text
    assert "Seed" not in text


def test_ldr_12_every_number_is_drawn_equally_often() -> None:
    asks = NewLeaderInputs(leader="X", nations=("Y",), year=0, age=30, trait="Attack", trait_value=9, others_most=8)
    drawn = [NewLeader().resolve(asks, Rng(seed)).rows[0].values for seed in range(900)]

    assert {row["Attack"] for row in drawn} == {9}
    for skill in SKILLS[1:]:
        counts = Counter(row[skill] for row in drawn)
        assert counts.keys() == set(range(9))
        assert min(counts.values()) > 60  # of 100
    assert len({tuple(row.values()) for row in drawn}) > 890  # the six are drawn apart


def test_ldr_28_the_request_shows_the_skills() -> None:
    book = workbook(asked(HEREWARD))
    run(book)
    found = leader(book)

    assert column(book, "Leader Requests", "Skills") == [", ".join(f"{skill} {found[skill]}" for skill in SKILLS)]


def test_ldr_26_ldr_27_a_row_may_name_other_limits() -> None:
    book = workbook(asked(HEREWARD | {"Trait Value": 10, "Others Up To": 0}))
    run(book)

    assert [leader(book)[skill] for skill in SKILLS] == [0, 0, 0, 0, 10, 0, 0]


def test_ldr_12_a_ruling_is_verified_and_undone() -> None:
    book = workbook(asked(HEREWARD | {"Seed": 7}))
    [ruling] = run(book).rulings
    assert "Seed: 7" in ruling.outcome.receipt.text()
    stored = read_receipts(read(book)).ruling_of("L-1")
    assert stored is not None
    assert verify(stored, FORM, pass_context().fingerprints["autoalgo"], SECRET, OPTIONS).is_equal
    before = column(workbook(asked(HEREWARD)), "Leaders", "Name")

    snapshot = read(book)
    _, changes = undo(snapshot, forms(), "L-1", NOW)
    book.commit(snapshot, changes)

    assert [name for name in column(book, "Leaders", "Name") if name] == before


def test_ldr_12_the_new_leader_can_lead() -> None:
    book = workbook(asked(HEREWARD))
    run(book)
    rows = asked()
    rows["Leaders"].append(leader(book))
    rows["War Requests"] = example("1066")["War Requests"][:1]
    english = next(row for row in rows["Militaries"] if row["Nation"] == rows["War Requests"][0]["Defender"])
    english["Leader"] = "Hereward"
    [ruling] = run(workbook(rows)).rulings

    assert "Hereward" in ruling.outcome.receipt.text()


def test_two_rows_of_one_name_add_one_leader() -> None:
    book = workbook(asked(HEREWARD, HEREWARD))

    assert [status for _, status, _ in messages(run(book))] == ["Done", "Invalid"]
    assert column(book, "Leaders", "Name").count("Hereward") == 1


def test_a_forecast_gives_the_range_of_skills() -> None:
    [(_, _, message)] = messages(run(workbook(asked(HEREWARD | {"Action": "Forecast"}))))

    assert "Cunning 9, each other skill 0 to 8" in message


def test_ldr_21_a_missing_leader_s_refused_request_is_named() -> None:
    rows = asked(HEREWARD | {"Age": 900})
    rows["Nations"][0]["Leader"] = "HEREWARD"

    found = [str(problem) for form in forms()[:1] for problem in check(read(workbook(rows)), [form, FORM])]

    assert (
        "Nations!G2 (England, Leader): leader not found: \"HEREWARD\", whom 'Leader Requests'!B2 asks for. Let that"
        " request be ruled first. [NAT-07]"
    ) in found


def test_req_13_a_war_led_by_an_undone_leader_names_the_remedy() -> None:
    """That request is not ruled by itself."""
    rows = asked(HEREWARD)
    rows["Nations"][0]["Leader"] = "Hereward"
    book = workbook(rows)
    run(book)
    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), "L-1", NOW)[1])

    found = [str(problem) for form in forms()[:1] for problem in check(read(book), [form, FORM])]

    assert (
        "Nations!G2 (England, Leader): leader not found: \"Hereward\", whom 'Leader Requests'!B2 asks for; the ruling"
        ' of that request is undone. Choose its Action "Rule again" to have the leader drawn anew.'
        " [NAT-07]"
    ) in found


def test_a_new_leader_can_be_used_in_the_same_pass() -> None:
    rows = asked(HEREWARD)
    rows["Nations"][0]["Leader"] = "Hereward"
    book = workbook(rows)

    assert len(run(book).rulings) == 1
    assert [problem for problem in check(read(book), [*forms()[:1], FORM]) if "not found" in problem.says] == []
