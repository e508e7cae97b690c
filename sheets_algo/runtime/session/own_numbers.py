"""Numbers of a season that differ from the release, wherever they come from (SET-06)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from sheets_algo.forms.base import Form
from sheets_algo.ruling.receipts.receipts import Receipts, StoredReceipt


def own_numbers(
    receipts: Receipts, in_force: Mapping[str, Sequence[str]], forms: Sequence[Form[Any]]
) -> tuple[str, ...]:
    """Return each number with that of the release, once: of the Season row, of the tables here, of each ruling.

    Args:
        in_force: The differences of the current tables from the release, by ruleset, in sentences.
    """
    lines = [
        f"{ruleset}: {line}"
        for part in (receipts.versions.differs, in_force)
        for ruleset in part
        for line in part[ruleset]
    ]
    for ruling in receipts.rulings:
        # verify reports edited inputs
        with suppress(ValueError, TypeError, KeyError, AttributeError, StopIteration):
            lines += _of_ruling(ruling, receipts.options.rules_name)
            form = next(form for form in forms if form.key == ruling.ruleset)
            lines += (f"{form.ruleset_key}: {line}" for line in form.own_rows(form.deserialize(ruling.inputs)))
    return tuple(dict.fromkeys(lines))


def _of_ruling(ruling: StoredReceipt, rules: str) -> Iterator[str]:
    """Yield the settings frozen with a ruling, except for the name of the season's rule set."""
    if '"settings":' not in ruling.inputs:
        return
    for setting in json.loads(ruling.inputs).get("settings", ()):
        name, value = setting["name"], setting["value"]
        if "released" in setting and setting["released"] is not None:
            yield f"{ruling.ruleset}: {name}: {value}, in the release {setting['released']}"
        elif setting.get("since"):
            yield f"{ruling.ruleset}: {name}: {value} from {setting['since']} on"
        elif value != rules:
            yield f"{ruling.ruleset}: {name}: {value}, by the settings of the workbook"
