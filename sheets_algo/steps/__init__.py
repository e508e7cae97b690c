"""Steps: the work of a pass besides plain rulings, a folder each. None imports another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sheets_algo.database.headers import key_of
from sheets_algo.forms.base import Form
from sheets_algo.forms.rulesets import FormEntry
from sheets_algo.ruling.receipts.receipt_rows import LogRow, ReceiptRow
from sheets_algo.ruling.repair.intents import PendingRow
from sheets_algo.ruling.requests.overrides import OverrideRow
from sheets_algo.ruling.step import Step
from sheets_algo.steps.odds.step import OddsStep
from sheets_algo.steps.posts.step import PostsStep
from sheets_algo.steps.promises.step import PromisesStep
from sheets_algo.steps.strays.step import StraysStep
from sheets_algo.steps.turns.step import TurnsStep
from sheets_algo.steps.wars.step import WarsStep
from sheets_algo.steps.years.step import YearsStep
from sheets_algo.workbook.tab_key import TabKey

STEPS: tuple[type[Step], ...] = (StraysStep, WarsStep, TurnsStep, YearsStep, PromisesStep, OddsStep, PostsStep)
"""The steps, in the order of a pass; the only place that names them."""

HEADERS_TO_READ = (key_of(LogRow), *(key_of(record) for step in STEPS for record in step.headed))
"""The tabs of which a pass reads only the header row."""


def tabs_to_read(forms: Iterable[FormEntry | Form[Any] | type[Form[Any]]]) -> tuple[TabKey, ...]:
    """Return the tabs that a pass reads as a whole."""
    of_steps = (record for step in STEPS for record in step.tabs)
    shared = (key_of(record) for record in (OverrideRow, ReceiptRow, PendingRow, *of_steps))
    return tuple(dict.fromkeys((*(tab for form in forms for tab in form.tabs), *shared)))
