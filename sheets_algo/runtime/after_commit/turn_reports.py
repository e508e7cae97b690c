"""Reports of turns on disk: after each turn a page for each player of a game with secrets (RL-OP-50)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from sheets_algo.forms.capabilities import SecretForm
from sheets_algo.pages.turn_report_page import turn_report_page
from sheets_algo.replays.turn_report import ended_turns, turn_of, turn_report
from sheets_algo.runtime.after_commit.artifacts import file_name, stem
from sheets_algo.runtime.session.session import Session, opened
from sheets_algo.workbook.atomic_file import write_in_folder

FOLDER = "reports"


def with_reports(session: Session) -> Session:
    """Return a session that writes `reports/<workbook>/<player>/turn-13.html` once turn 13 of a player is over."""
    folder = session.folder / FOLDER / file_name(stem(session.workbook.name))

    def write_reports(result: Any) -> Iterator[Path]:
        rulings = result.plan.rulings if result else ()
        ruled = {turn_of(each.receipt, each.form) for each in rulings if isinstance(each.form, SecretForm)}
        if result and not ruled:
            return
        workbook = opened(session)
        receipts = workbook.receipts
        for player, turn in ended_turns(workbook.snapshot, workbook.forms, receipts).items():
            path = folder / folder_name(player) / page_name(turn)
            if not result or turn in ruled or not path.exists():
                report = turn_report(workbook.snapshot, workbook.forms, receipts, player, turn)
                before = path.with_name(page_name(turn - 1))
                link = (before.name, f"Turn {turn - 1}") if before.exists() else ("", "")
                write_in_folder(path, turn_report_page(report, *link) + "\n")
                yield path

    return replace(session, page_writers=(*session.page_writers, write_reports))


def folder_name(player: str) -> str:
    """Return the unique name of a player's folder; a name that a file system would change gets a digest."""
    safe = file_name(player)
    return safe if safe == player else f"{safe} {hashlib.sha256(player.encode()).hexdigest()[:8]}"


def page_name(turn: int) -> str:
    """Return the name of the page of a turn."""
    return f"turn-{turn}.html"
