"""Steps: what a pass does besides the plain ruling, a folder each. None imports another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.columns import tab_of
from sheets_algo.forms.base import Form
from sheets_algo.forms.rulesets import FormEntry
from sheets_algo.ruling.forecast.forecast_rows import ForecastRow
from sheets_algo.ruling.receipts.receipt_rows import LogRow, ReceiptRow
from sheets_algo.ruling.repair.intents import PendingRow
from sheets_algo.ruling.requests.overrides import OverrideRow
from sheets_algo.ruling.requests.turns_tab import TurnRow
from sheets_algo.ruling.step import Step
from sheets_algo.steps.posts.step import PostsStep
from sheets_algo.steps.promises.step import PromisesStep

STEPS: tuple[type[Step], ...] = (PromisesStep, PostsStep)
"""The steps, in the order in which a pass asks them; the only place that names them."""

HEADERS_TO_READ = (LogRow.tab.name, *(tab_of(record).name for step in STEPS for record in step.headed))
"""Names of the tabs of which a pass needs only the header row."""


def tabs_to_read(forms: Iterable[FormEntry | Form[Any] | type[Form[Any]]]) -> tuple[str, ...]:
    """Return the names of the tabs that a pass needs whole."""
    shared = (tab_of(record).name for record in (OverrideRow, TurnRow, ReceiptRow, ForecastRow, PendingRow))
    return tuple(dict.fromkeys((*(name for form in forms for name in form.tabs), *shared)))
