"""Another secret than the one that a season's receipts were ruled under is refused, whatever its first row says."""

from __future__ import annotations

import dataclasses

import pytest

from scripts.support.workbooks import NOW, SECRET, example, pass_context, read, rechained, ruled_example, run, workbook
from sheets_algo.database.tables import Table
from sheets_algo.ruling.luck.draw import Secret
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.plan import Plan
from sheets_algo.ruling.receipts.receipt_rows import ReceiptRow
from sheets_algo.workbook.errors import SeasonMismatch
from sheets_algo.workbook.memory import MemoryWorkbook

OTHER = Secret(b"the secret of another season")


@pytest.fixture
def ruled() -> MemoryWorkbook:
    """The season's row stands in row 2, Stamford Bridge in row 3."""
    book, _ = ruled_example("1066")
    return book


def planned(book: MemoryWorkbook, secret: Secret) -> Plan:
    return plan_pass(read(book), dataclasses.replace(pass_context(), secret=secret), NOW)


def edit(book: MemoryWorkbook, row: int, **cells: str | None) -> None:
    """Type into cells of Receipts, by attribute."""
    table = Table.of(read(book), ReceiptRow)
    for attribute, value in cells.items():
        book.type_in("Receipts", row, table.places[attribute], value)


def held(book: MemoryWorkbook, secret: Secret) -> str:
    """Why nothing is ruled."""
    plan = planned(book, secret)
    assert not plan.rulings
    return str(plan.findings.held)


def without_season(book: MemoryWorkbook) -> None:
    edit(book, 2, **{attribute: None for attribute, _ in Table.of(read(book), ReceiptRow).columns})


@pytest.mark.parametrize("secret", [SECRET, OTHER])
def test_nothing_is_ruled_without_the_season_row(ruled: MemoryWorkbook, secret: Secret) -> None:
    without_season(ruled)
    assert "row of Kind Season in Receipts, or the digest of the season secret in it, is gone: bring it" in held(
        ruled, secret
    )


def test_a_blank_digest_counts_as_a_lost_season(ruled: MemoryWorkbook) -> None:
    edit(ruled, 2, inputs_fingerprint=None)
    assert "is gone" in held(ruled, OTHER)


def test_a_secret_with_a_replaced_digest_is_refused(ruled: MemoryWorkbook) -> None:
    edit(ruled, 2, inputs_fingerprint=OTHER.digest)
    assert "receipt 1 is not as it was written" in held(ruled, OTHER)
    rechained(ruled)
    says = rf"Receipt 2 \(W-0001\) was not ruled under the season secret at hand \(SHA-256 {OTHER.digest[:12]}\.\.\.\)"
    with pytest.raises(SeasonMismatch, match=says):
        planned(ruled, OTHER)


def test_a_receipt_under_another_secret_is_detected_behind_typed_seeds() -> None:
    rows = example("1066")
    for war in rows["War Requests"][:4]:
        war["Seed"] = 1066
    book = workbook(rows)
    run(book)
    edit(book, 2, inputs_fingerprint=OTHER.digest)
    rechained(book)
    with pytest.raises(SeasonMismatch, match=r"Receipt 6 \(W-0005\)"):
        planned(book, OTHER)


def test_an_edited_seed_is_refused(ruled: MemoryWorkbook) -> None:
    edit(ruled, 4, seed="12345")
    assert "receipt 3 is not as it was written" in held(ruled, SECRET)
    rechained(ruled)
    with pytest.raises(SeasonMismatch, match=r"Receipt 3 \(W-0002\) .* or restore the receipt if it was edited"):
        planned(ruled, SECRET)


def test_a_receipt_with_edited_inputs_proves_nothing_about_the_secret(ruled: MemoryWorkbook) -> None:
    """`verify` names it, and in a season with a chain of receipts nothing is ruled."""
    edit(ruled, 4, inputs="{}")
    assert "receipt 3 is not as it was written" in held(ruled, SECRET)
    assert planned(rechained(ruled), SECRET).findings.held is None
