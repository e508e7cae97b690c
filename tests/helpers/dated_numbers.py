"""Numbers that count from a date on, in any ruleset (SET-07)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from scripts.support.workbooks import NOW, SECRET, example, read, workbook
from sheets_algo.config.loader import ConfigLoader
from sheets_algo.forms.rulesets import open_forms
from sheets_algo.ruling.passes.planner import PassContext, plan_pass


def own(folder: Path, *changes: tuple[str, dict[str, Any]], ruleset: str = "autoalgo") -> ConfigLoader:
    """Return a loader with dated numbers as (from, numbers)."""
    file = folder / "dated" / f"{ruleset}.json"
    file.parent.mkdir(exist_ok=True)
    content = {"changes": [{"from": since, "numbers": numbers} for since, numbers in changes]}
    file.write_text(json.dumps(content), encoding="utf-8")
    return ConfigLoader(folder)


def a_number_counts_from_a_turn_on(folder: Path, ruleset: str, path: str) -> None:
    """Check that 12 in the place of a number counts in the example of a game from turn 1 on, and not from turn 99."""

    def settings(since: str) -> list[Any]:
        library = own(folder, (since, {path: 12}), ruleset=ruleset)
        forms = open_forms(library)
        prints = {form.ruleset_key: library.fingerprint(form.ruleset_key) for form in forms}
        book = workbook(example(ruleset))
        plan = plan_pass(read(book), PassContext(forms=forms, fingerprints=prints, secret=SECRET), NOW)
        return [json.loads(one.receipt.inputs)["settings"] for one in plan.rulings]

    assert any(settings("turn 1"))
    assert not any(settings("turn 99"))
