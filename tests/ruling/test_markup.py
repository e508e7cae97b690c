"""Wiki markup in names, on the receipts of every ruleset: shown as it was typed (RCP-08)."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from engine.columns import column, tab_of
from scripts.support.workbooks import NOW, SECRET, example, forms, pass_context, read, run, undo, workbook
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from tests.helpers.games import EXAMPLES, facts

MARK = " '''[[File:x.png]]{{t}}<b>"
NAMED = {"Nations", "Militaries", "Leaders", "Locations", "Knights", "Round Players", "Houses"}.union(*facts("NAMED"))
TITLES = {"War", "Joust", "Game"}.union(*facts("TITLES"))


def marked(rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """The rows with each name of these tabs marked, wherever a cell holds it, and the title of each request."""
    records = {tab_of(record).name: record for form in forms() for record in form.records()}
    heads = {tab: column(records[tab], tab_of(records[tab]).key).header for tab in NAMED & rows.keys()}
    names = {row[head] for tab, head in heads.items() for row in rows[tab]}

    def cell(head: str, value: Any) -> Any:
        return f"{value}{MARK}" if isinstance(value, str) and (value in names or head in TITLES) else value

    return {
        tab: [{head: cell(head, value) for head, value in row.items()} for row in table] for tab, table in rows.items()
    }


SIGNS = "*#:;= |{!-"
"""Signs that are markup at the beginning of a line."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_markup_in_names_does_not_change_a_receipt(name: str) -> None:
    book = workbook(marked(example(name)))
    made = run(book)
    receipts = read_receipts(read(book))
    by_key = {form.key: form for form in forms()}

    assert made.rulings
    assert any(MARK in html.unescape(ruling.receipt.wiki) for ruling in made.rulings)
    for ruling in made.rulings:
        wiki = ruling.receipt.wiki
        assert not any(sign in wiki for sign in ("[[", "{{", "<b>")), wiki
        assert all(line.startswith(("== ", "=== ", "* ", "'''")) or line[0] not in SIGNS for line in wiki.splitlines())
        assert all(line.count("'''") in (0, 2) for line in wiki.splitlines())
        kept, form = receipts.by_seq[ruling.receipt.seq], by_key[ruling.receipt.ruleset]
        fingerprint = pass_context().fingerprints[form.ruleset_key]
        assert verify(kept, form, fingerprint, SECRET, receipts.options).is_equal


def test_an_undo_escapes_the_name_of_the_war_in_the_same_way() -> None:
    book = workbook(marked(example("1066")))
    ruling = run(book).rulings[-1]
    receipt, _ = undo(read(book), forms(), ruling.receipt.request, NOW)

    assert MARK not in receipt.wiki
    assert f"({ruling.receipt.war}) is undone." in html.unescape(receipt.wiki)
    assert MARK in receipt.war


def test_an_unreadable_season_row_is_refused() -> None:
    """Whichever way the receipts would be written, it might be another one than before."""
    made = run(workbook(example("1066"), inputs="{losses"))

    assert re.match(r"Receipts: Receipts!.*Inputs cannot be read", str(made.findings.held))
    assert not made.rulings
