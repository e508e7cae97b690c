"""What a score war may be: every mistake names its cell, all of them at once; what may be doubted is warned of."""

from __future__ import annotations

from typing import Any

from scripts.support.workbooks import Rows, column, example, forms, messages, problems, read, run, workbook
from sheets_algo.database.records import Database
from sheets_algo.ruling.plan import Plan
from tests.helpers.tabs import key, keys

ATTACKER, DEFENDER = 0, 1


def one_war(attacker: dict[str, Any] | None = None, defender: dict[str, Any] | None = None, **cells: Any) -> Rows:
    """A sound war of China against Formosa, with some cells changed."""
    rows = example("scorecard")
    rows["Score Requests"] = [{"Request": "S-1", "War": "War", "Action": "Rule", "Ready": True} | cells]
    rows["Score Sides"] = [
        {
            "Request": "S-1",
            "Side": "Attacker",
            "Nation": "China",
            "Location": "Close to it",
            "Belligerents": "China (L)",
            "Motive": "Political",
            "Declared at": "09:05",
        }
        | (attacker or {}),
        {
            "Request": "S-1",
            "Side": "Defender",
            "Nation": "Formosa",
            "Location": 5,
            "Motive": "Life or death",
            "Declared at": "19:59",
        }
        | (defender or {}),
    ]
    return rows


def ruled(rows: Rows) -> Plan:
    return run(workbook(rows))


def found(rows: Rows) -> list[tuple[str, str]]:
    """Errors and warnings as (cell, rule)."""
    return problems(ruled(rows))


def says(rows: Rows) -> str:
    return messages(ruled(rows))[0][2]


def status(rows: Rows) -> str:
    return messages(ruled(rows))[0][1]


def row_of(rows: Rows, tab: str, name: str) -> dict[str, Any]:
    return next(row for row in rows[tab] if name in (row.get("Nation"), row.get("Leader")))


def test_check_reports_sides_without_a_war() -> None:
    rows = one_war()
    rows["Score Sides"][1]["Request"] = "S-2"
    form = next(form for form in forms() if form.key == "scorecard")
    book = Database(read(workbook(rows)), form.records(), form.vocabulary)

    assert [(str(problem.cell), problem.nearest) for problem in form.check(book)] == [("'Score Sides'!A3", "S-1")]


def test_invariant_12_the_order_of_the_sides_changes_nothing() -> None:
    """Neither totals nor seed, and each row gets its own result."""
    rows = one_war(attacker={"General": "Wu Peifu"}, defender={"General": "Tang Jingsong"})
    book, swapped_book = workbook(rows), workbook(rows | {"Score Sides": rows["Score Sides"][::-1]})
    [first], [second] = run(book).rulings, run(swapped_book).rulings

    assert (first.receipt.wiki, first.receipt.seed) == (second.receipt.wiki, second.receipt.seed)
    for header in ("Total", "Fate"):
        assert column(book, "Score Sides", header) == column(swapped_book, "Score Sides", header)[::-1]


def test_invariant_14_only_leaders_cells_change() -> None:
    rows = example("scorecard")
    book = workbook(rows)
    before = book.read(keys(*rows))
    run(book)
    after = book.read(keys(*rows))

    for tab in ("Score Nations", "Score Settings"):
        assert after.sheet(key(tab)) == before.sheet(key(tab))
    for tab in ("Score Requests", "Score Sides"):
        for row in rows[tab]:
            for header, value in row.items():
                assert column(book, tab, header)[rows[tab].index(row)] == value


def test_a_given_seed_is_printed_and_reproducible() -> None:
    wikis = {ruled(one_war(attacker={"General": "Wu Peifu"}, Seed=42)).rulings[0].receipt.wiki for _ in range(2)}

    assert len(wikis) == 1
    assert wikis.pop().endswith("=== Moderator's rulings ===\n* Seed: 42")


def test_wars_of_a_pass_see_results_of_earlier_ones() -> None:
    """A general who dies in the first war cannot command in the second."""
    rows = one_war(attacker={"General": "Wu Peifu", "General roll": 9})
    rows["Score Requests"].append(rows["Score Requests"][0] | {"Request": "S-2"})
    rows["Score Sides"] += [side | {"Request": "S-2"} for side in rows["Score Sides"]]

    (_, first, _), (_, second, message) = messages(ruled(rows))
    assert (first, second) == ("Done", "Invalid")
    assert "Wu Peifu is dead" in message
