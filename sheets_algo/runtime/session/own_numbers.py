"""Numbers of a season that differ from the release, wherever they come from (SET-06)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress

from sheets_algo.config.loader import ConfigLoader
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.runtime.session.session import OpenWorkbook


def own_numbers(book: OpenWorkbook, library: ConfigLoader) -> tuple[str, ...]:
    """Return each number with that of the release, once: of the Season row, of the tables here, of each ruling."""
    receipts = book.receipts
    in_force = {form.ruleset_key: library.differences(form.ruleset_key) for form in book.forms}
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
            form = next(form for form in book.forms if form.key == ruling.ruleset)
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
