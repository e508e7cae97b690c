"""Templates of new workbooks, each made once a process: everything that `init` can make, and the least of it."""

from __future__ import annotations

from functools import cache

from scripts.support.workbooks import NOW, OPTIONS, SECRET, forms, library
from sheets_algo.ruling.receipts.season_receipts import season_receipt
from sheets_algo.template import examples_of, template
from sheets_algo.workbook.template_spec import Template

SEASON_START = season_receipt(1, SECRET, NOW, OPTIONS)


@cache
def whole() -> Template:
    """Return the template of all rulesets with their examples."""
    return of_rulesets(*(form.key for form in forms()))


def slight() -> Template:
    """Return that of a ruleset with few tabs: as good where only the way of making it matters."""
    return of_rulesets("rounds")


@cache
def of_rulesets(*keys: str) -> Template:
    chosen = [form for form in forms() if form.key in keys]
    return template(chosen, examples_of(chosen, library()), season=SEASON_START)
