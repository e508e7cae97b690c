"""How wars by score get a column Umpire, which their Message names; `tests/test_new_column.py` adds it."""

from __future__ import annotations

from collections.abc import Iterator

RULESET = "scorecard"
FOLDER = f"sheets_algo/forms/{RULESET}"
TEST_FILE = f"tests/games/{RULESET}/forms/test_umpires.py"
TEST = '''"""Umpires of wars by score."""

from scripts.support.workbooks import column, example, run, workbook


def test_sc_99_the_message_of_a_score_war_names_its_umpire() -> None:
    rows = example("scorecard")
    rows["Score Requests"][0]["Umpire"] = "Judith"
    book = workbook(rows)
    run(book)

    assert "Umpire: Judith." in str(column(book, "Score Requests", "Message")[0])
'''


def inserts(column: str, said: str) -> Iterator[tuple[str, str, str]]:
    """Yield each file that changes, the text before which something is inserted, and that."""
    yield f"{FOLDER}/columns.py", '    winner: str = result("Winner", "SC-24"', column.format("SC-99")
    begun = "remarks: tuple[str, ...] = ()\n        "
    yield f"{FOLDER}/form.py", "        return FormResult(war, (), ", said.format(begun)
    yield f"{FOLDER}/form.py", "(), reading.finish(), {ScoreSide", "remarks or "
    imported = "from sheets_algo.database.cell_text import as_text\n"
    yield f"{FOLDER}/form.py", "from sheets_algo.database.problems import", imported
