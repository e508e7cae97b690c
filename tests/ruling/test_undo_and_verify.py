"""Rulings recomputed and taken back."""

import dataclasses

import pytest

from scripts.support.workbooks import (
    NOW,
    OPTIONS,
    SECRET,
    Secret,
    column,
    example,
    forms,
    messages,
    pass_context,
    read,
    ruled_example,
    run,
    undo,
    workbook,
)
from sheets_algo.replays.replay import CANNOT, CannotReplay, replay, verify
from sheets_algo.ruling.corrections import CannotUndo
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.receipts.lookup import NotFound
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.ruling.receipts.receipts import fingerprint_of


@pytest.fixture
def ruled():
    book, _ = ruled_example("1066")
    return book


def receipts(book):
    return read_receipts(read(book))


def checked(receipt, secret=SECRET):
    form = next(form for form in forms() if form.key == receipt.ruleset)
    return verify(receipt, form, pass_context().fingerprints[form.ruleset_key], secret, OPTIONS)


def take_back(book, request):
    snapshot = read(book)
    receipt, changes = undo(snapshot, forms(), request, "2026-03-02T00:00:00Z")
    book.commit(snapshot, changes)
    return receipt


def test_every_ruling_verifies_from_the_workbook_alone(ruled):
    verdicts = [checked(receipt) for receipt in receipts(ruled).rulings]
    assert len(verdicts) == 5
    assert [verdict.differences for verdict in verdicts] == [()] * 5
    assert [verdict.remarks for verdict in verdicts] == [()] * 5


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("wiki", "== Hastings, 1066 ==\nEngland won, honestly", "the receipt says: England won, honestly"),
        ("winner", "Nobody", "winner: the receipt says Nobody, it comes to "),
        ("seed", "12345", "the seed is not the one that the season secret gives"),
        ("changes", (), "Nations, Normandy, Stability: the receipt wrote None"),
        ("inputs", "{}", "its inputs are not those whose fingerprint it has"),
    ],
)
def test_an_edited_receipt_is_reported_with_the_place(ruled, field, value, says):
    hastings = receipts(ruled).ruling_of("W-0002")
    verdict = checked(dataclasses.replace(hastings, **{field: value}))
    assert not verdict.is_equal
    assert says in "\n".join(verdict.differences)


def test_without_the_secret_the_seed_is_trusted(ruled):
    assert checked(receipts(ruled).ruling_of("W-0002"), None).is_equal
    assert not checked(receipts(ruled).ruling_of("W-0002"), Secret(b"another season")).is_equal


def test_changed_rules_are_remarked_on(ruled):
    old = dataclasses.replace(receipts(ruled).ruling_of("W-0002"), rules_fingerprint="older")
    assert checked(old).remarks == ("the rules have other numbers now than when it was ruled",)
    assert checked(dataclasses.replace(old, winner="Nobody")).result == CANNOT


def test_a_changed_map_prevents_a_replay(ruled):
    hastings = receipts(ruled).ruling_of("W-0002")
    inputs = hastings.inputs.replace('"digest":"', '"digest":"0')
    changed = dataclasses.replace(hastings, inputs=inputs, inputs_fingerprint=fingerprint_of(inputs))
    with pytest.raises(CannotReplay, match='the terrain map "Hill" here is another picture'):
        replay(changed, forms()[0])


def test_replay_prints_the_log_again(ruled):
    first, second = [], []
    for heard in (first, second):
        replay(receipts(ruled).ruling_of("W-0002"), forms()[0], heard.extend)
    assert len(first) > 30
    assert first == second


def test_undo_restores_the_changes_of_the_ruling(ruled):
    fresh = workbook(example("1066"))
    for request in ("W-0005", "W-0004", "W-0003", "W-0002", "W-0001"):
        take_back(ruled, request)
    for tab, header in (("Nations", "Stability"), ("Leaders", "Status")):
        assert column(ruled, tab, header) == column(fresh, tab, header)
    assert column(ruled, "War Requests", "Status") == ["Undone"] * 5
    assert column(ruled, "War Requests", "Winner") == [None] * 5
    assert column(ruled, "Receipts", "Kind")[-5:] == ["Undo"] * 5


def test_undo_is_refused_before_the_undo_of_a_dependent_later_ruling(ruled):
    before = column(ruled, "Nations", "Stability")
    """It names the ruling that must be undone first."""
    with pytest.raises(CannotUndo, match=r"Nations!B2 \(England, Stability\): the ruling wrote .*; undo W-0003 first"):
        take_back(ruled, "W-0001")
    assert column(ruled, "Nations", "Stability") == before
    assert len(column(ruled, "Receipts", "Kind")) == 6


def test_undo_names_the_last_dependent_ruling(ruled):
    """A later one that is undone gave back what it had changed."""
    take_back(ruled, "W-0003")
    with pytest.raises(CannotUndo, match=r"England, Stability\): the ruling wrote .*; undo W-0002 first \(receipt 3\)"):
        take_back(ruled, "W-0001")


def test_undo_is_refused_after_an_edit_of_the_cell(ruled):
    ruled.type_in("Nations", 6, 2, 200)
    with pytest.raises(CannotUndo, match=r"Nations!B6 \(Seljuk Sultanate, Stability\).*but the cell now shows 200"):
        take_back(ruled, "W-0005")


def test_undo_names_a_missing_tab_once_instead_of_each_row(ruled):
    ruled.delete_tab("Militaries")

    with pytest.raises(CannotUndo) as refusal:
        take_back(ruled, "W-0005")

    assert str(refusal.value) == "Militaries: the tab is missing: bring it back, under this name."


def test_undo_without_a_ruling_is_refused(ruled):
    with pytest.raises(NotFound, match=r'No ruling of "W-005" found\. Did you mean "W-0005"\?'):
        take_back(ruled, "W-005")
    take_back(ruled, "W-0005")
    with pytest.raises(CannotUndo, match="W-0005 is undone already, by receipt 7"):
        take_back(ruled, "W-0005")


def test_an_undone_request_stays_undone_until_it_has_a_new_id(ruled):
    take_back(ruled, "W-0005")
    assert not run(ruled).writes.changes
    ruled.type_in("War Requests", 6, 1, "W-0105")
    for row in (2, 3, 4):
        ruled.type_in("Flanks", row, 1, "W-0105")
    made = plan_pass(read(ruled), pass_context(), NOW)
    assert [(request, status) for request, status, _ in messages(made)][-1] == ("W-0105", "Done")
    assert len(made.rulings) == 1
