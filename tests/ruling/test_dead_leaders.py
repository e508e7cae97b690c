"""Leaders who were killed: in a season that refuses them a war waits for a moderator (LDR-11)."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import (
    NOW,
    Rows,
    changed,
    check,
    column,
    example,
    forms,
    pass_context,
    read,
    rehearse,
    run,
    undo,
    workbook,
)
from sheets_algo.database.problems import Problem, Severity
from sheets_algo.forecasts.outlook import Outlook
from sheets_algo.ruling.corrections import CannotUndo
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.workbook.memory import MemoryWorkbook

REFUSE, WARN = (f'{{"losses":"tell","dead_leaders":"{word}"}}' for word in ("refuse", "warn"))
HAROLD, DEAD = "Harold Godwinson", "killed in Stamford Bridge, 1066"
KILLED = {"Request": "W-0001", "Kind": "Result", "What": "England Leader", "Value": "killed"}


def season(*overrides: dict[str, Any], wars: tuple[str, ...] = ("W-0001", "W-0002")) -> Rows:
    """Stamford Bridge, where Harold is killed if that is decided, and Hastings, where he shall lead."""
    rows = example("1066")
    for tab in ("War Requests", "Flanks"):
        rows[tab] = [row for row in rows[tab] if row["Request"] in wars]
    if overrides:
        rows["Overrides"] = [{"Reason": "so it was", "By": "Anna"} | row for row in overrides]
    return rows


def played(rows: Rows, inputs: str) -> MemoryWorkbook:
    book = workbook(rows, inputs=inputs)
    run(book)
    return book


def statuses(book: MemoryWorkbook) -> list[Any]:
    return column(book, "War Requests", "Status")


def checked(book: MemoryWorkbook) -> list[Problem]:
    """Return what the command check reports in a workbook of wars, but notes."""
    wars = [form for form in forms() if form.key == "autoalgo"]
    return [problem for problem in check(read(book), wars) if problem.severity is not Severity.NOTE]


def test_ldr_11_a_watcher_refuses_the_war_at_its_first_poll_too() -> None:
    """Else each watcher that starts would write Waiting, and Invalid at its next look."""
    book = played(season(KILLED), REFUSE)

    first_look = plan_pass(read(book), changed(pass_context(), known={}), NOW)

    assert statuses(book) == ["Done", "Invalid"]
    assert not first_look.writes.changes


def test_ldr_11_fc_31_check_warns_of_a_leader_who_will_probably_die() -> None:
    """What was decided is certain, and what luck decides only probable; the ruling makes it an error."""
    book = workbook(season(KILLED), inputs=REFUSE)
    says = (
        f"after W-0001, in which {HAROLD} is probably {DEAD}, W-0002 is probably refused: {HAROLD} cannot lead: {DEAD}"
    )
    assert [(problem.says, problem.is_error) for problem in checked(book)] == [(says, False)] * 2

    run(book)

    assert [(problem.id, problem.is_error) for problem in checked(book)] == [("LDR-11", True)] * 2


@pytest.mark.parametrize("is_ready", [True, False])
def test_ldr_11_check_reports_a_dead_leader_once_and_without_odds(is_ready: bool) -> None:
    rows = season(wars=("W-0002",))
    rows["Leaders"][1]["Status"] = "killed in a duel"
    rows["War Requests"][0]["Ready"] = is_ready
    book = workbook(rows, inputs=REFUSE)

    of_leaders = [str(problem) for problem in checked(book) if problem.id == "LDR-11"]
    assert len(of_leaders) == len(dict.fromkeys(of_leaders)) == 2  # of the army, and of the nation
    assert all("William of Normandy cannot lead: killed in a duel. Clear" in says for says in of_leaders)
    assert [*Outlook().lines(rehearse(read(book), forms()).findings.answers)] == []


def test_ldr_11_check_reports_a_dead_leader_beside_another_error() -> None:
    rows = season(wars=("W-0002",))
    rows["Leaders"][1]["Status"] = "killed in a duel"
    rows["War Requests"][0]["Year"] = "soon"

    says = [str(problem) for problem in checked(workbook(rows, inputs=REFUSE))]
    assert any("soon" in said for said in says)
    assert [said for said in says if "leads again" in said] == []
    assert len([said for said in says if "William of Normandy cannot lead: killed in a duel" in said]) == 2


def test_ldr_11_a_decided_war_with_an_error_does_not_report_the_dead() -> None:
    heir = {"Request": "W-0002", "Kind": "Input", "What": "Nations!England!Leader", "Value": "Eadric the Steersman"}
    rows = season(KILLED, heir)
    rows["War Requests"][1]["Motive"] = "Glory"
    book = played(rows, REFUSE)

    assert statuses(book) == ["Done", "Invalid"]
    assert HAROLD not in str(column(book, "War Requests", "Message")[1])


def test_the_undo_of_a_killed_leader_names_the_war_to_undo_first() -> None:
    """A Status that is emptied by hand instead could never be put back."""
    rows = season(KILLED, wars=("W-0001",))
    drawn = {"Request": "L-1", "Leader": "Edgar", "Nation": "England", "Year": 1066, "Age": 28, "Ready": True}
    rows["Leader Requests"] = [drawn | {"Strongest Trait": "Martial"}]
    rows["Nations"][0]["Leader"] = rows["Militaries"][0]["Leader"] = "Edgar"
    book = played(rows, REFUSE)
    run(book)

    with pytest.raises(CannotUndo) as refusal:
        undo(read(book), forms(), "L-1", NOW)

    assert str(refusal.value).endswith(
        f"(Edgar, Status): shows {DEAD}, in a row that the ruling added without it; undo W-0001 first (receipt 3)."
    )
    for request in ("W-0001", "L-1"):
        snapshot = read(book)
        book.commit(snapshot, undo(snapshot, forms(), request, NOW)[1])
    assert "Edgar" not in column(book, "Leaders", "Name")


def test_ldr_11_foreign_dead_leaders_and_unchanged_wars_do_not_matter() -> None:
    rows = season(KILLED)
    rows["War Requests"][0]["Commit Stability"] = False
    next(row for row in rows["Leaders"] if row["Name"] == "Alp Arslan")["Status"] = DEAD
    book = played(rows, REFUSE)

    assert statuses(book) == ["Done", "Done"]
    assert "led although" not in str(column(book, "Receipts", "Receipt"))


def test_ldr_11_other_obstacles_are_reported_before_a_leader_s_death() -> None:
    rows = season(KILLED)
    rows["Flanks"] = [{"Request": "W-0002", "Side": "Defender", "Flank": "all", "X": 1, "Y": 1, "Infantry": 1_000_000}]
    first, *rest = str(column(played(rows, WARN), "War Requests", "Message")[1]).splitlines()

    assert "too many" in first
    assert any(f"warning: {HAROLD} leads again, though {DEAD}" in line for line in rest)
