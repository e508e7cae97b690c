"""The command `replay`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.ruleset import Outcome
from sheets_algo.commands.opening import new_session
from sheets_algo.commands.output import write_file
from sheets_algo.commands.report import Report
from sheets_algo.forms.databases import colours_of
from sheets_algo.replays.luck_report import how_lucky
from sheets_algo.replays.replay import replay_as_ruled
from sheets_algo.ruling.passes.ruler import mark_of
from sheets_algo.ruling.plan import Ruling
from sheets_algo.ruling.receipts.lookup import NotFound, ruling_of
from sheets_algo.ruling.receipts.receipts import StoredReceipt
from sheets_algo.runtime.session.session import opened


def replay(*, request: str, png: Path | None, html: Path | None, verbose: bool, **options: Any) -> Report:
    """Fight the battle of a ruling again; report its log, draw its picture, or write its page."""
    session = new_session(**options)
    book = opened(session)
    receipt = ruling_of(book.receipts, request)
    lines: list[str] = []
    form = book.form_of(receipt)
    fingerprint = session.library.fingerprint(form.ruleset_key)
    outcome = replay_as_ruled(receipt, form, fingerprint, book.receipts.options, lines.extend)
    data: dict[str, Any] = {"request": receipt.request, "log": lines}
    if png is html is None:
        if session.is_luck_told and not receipt.overrides:  # otherwise the ruling has no battle of its own seed
            how_lucky(form, form.deserialize(receipt.inputs), int(receipt.seed), lines.extend)
        return Report(data, lines)
    painted = outcome.painted(colours_of(form, book.snapshot))
    made = {"request": receipt.request}
    if png is not None:
        _draw(painted, receipt, png)
        made["picture"] = str(png)
    if html is not None:
        from sheets_algo.runtime.after_commit.replay_pages import replay_html

        ruling = Ruling(receipt, painted, form, book.receipts.options, mark=mark_of(receipt, book.forms))
        write_file("page", html, replay_html(ruling, is_luck_told=session.is_luck_told))
        made["page"] = str(html)
    return Report(made, [f"{name:<8} {path}" for name, path in made.items() if name != "request"])


def _draw(outcome: Outcome, receipt: StoredReceipt, png: Path) -> None:
    """Draw the map of a ruling."""
    from sheets_algo.runtime.after_commit.artifacts import draw_ruling, maps_of

    maps = maps_of(outcome)
    if not maps:
        raise NotFound(f"The ruling of {receipt.request} has no map.")
    write_file("picture", png, draw_ruling(receipt, maps[0]))
