"""Leaders who were killed: in a season that refuses them a war waits for a moderator (LDR-11)."""

from __future__ import annotations

from typing import Any

import pytest

from scripts.support.workbooks import (
    NOW,
    SECRET,
    Rows,
    changed,
    check,
    column,
    example,
    forms,
    messages,
    pass_context,
    problems,
    read,
    rehearse,
    run,
    undo,
    workbook,
)
from sheets_algo.database.problems import Problem, Severity
from sheets_algo.forecasts.outlook import Outlook
from sheets_algo.replays.replay import verify
from sheets_algo.ruling.corrections import CannotUndo
from sheets_algo.ruling.passes.planner import plan_pass
from sheets_algo.ruling.receipts.receipt_tab import read_receipts
from sheets_algo.workbook.memory import MemoryWorkbook
from tests.helpers.tabs import key, keys

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


def type_in(book: MemoryWorkbook, tab: str, row_name: str, header: str, value: Any) -> None:
    sheet = book.read(keys(tab)).sheet(key(tab))
    assert sheet is not None
    heads = list(sheet.rows[1])
    (number,) = (number for number, row in sheet.rows.items() if row_name in row)
    book.type_in(tab, number, heads.index(header) + 1, value)


def test_ldr_11_a_war_of_a_leader_killed_earlier_in_the_pass_waits() -> None:
    book = workbook(season(KILLED), inputs=REFUSE)
    plan = run(book)

    (_, done, _), (_, refused, message) = messages(plan)
    assert (done, refused) == ("Done", "Invalid")
    assert problems(plan) == [("Militaries!D2", "LDR-11"), ("Nations!G2", "LDR-11")]
    says = f"(Harold's Host, Leader): {HAROLD} cannot lead: {DEAD}, receipt 2 (W-0001). Clear the cell, or name another"
    assert says in message
    assert "Leader Requests" in message
    assert f"If {HAROLD} lives, clear Leaders!K2" in message
    assert run(book).rulings == ()  # and it goes on waiting


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


@pytest.mark.parametrize(("tab", "header", "value"), [("War Requests", "Motive", "Glory"), ("Militaries", "Size", 0)])
def test_ldr_11_a_dead_leader_is_refused_beside_another_error(tab: str, header: str, value: Any) -> None:
    """Message said that he leads again, and after the mend of the mistake that he cannot."""
    rows = season(KILLED)
    name = "William's Army" if tab == "Militaries" else "Hastings"
    next(row for row in rows[tab] if name in row.values())[header] = value
    book = played(rows, REFUSE)

    assert statuses(book) == ["Done", "Invalid"]
    told = str(column(book, "War Requests", "Message")[1]).splitlines()
    refused = [line for line in told if f"{HAROLD} cannot lead: {DEAD}, receipt 2 (W-0001). Clear the cell" in line]
    assert len(refused) == len({line.split(" ")[0] for line in refused}) == 2
    assert any(str(value) in line for line in told if line not in refused)
    assert not any("leads again" in line for line in told)
    assert [str(problem) for problem in checked(book) if problem.id == "LDR-11"] == refused


def test_ldr_11_a_decided_war_with_an_error_does_not_report_the_dead() -> None:
    heir = {"Request": "W-0002", "Kind": "Input", "What": "Nations!England!Leader", "Value": "Eadric the Steersman"}
    rows = season(KILLED, heir)
    rows["War Requests"][1]["Motive"] = "Glory"
    book = played(rows, REFUSE)

    assert statuses(book) == ["Done", "Invalid"]
    assert HAROLD not in str(column(book, "War Requests", "Message")[1])


def test_ldr_11_another_leader_or_an_undo_ends_the_wait() -> None:
    book = played(season(KILLED), REFUSE)
    type_in(book, "Militaries", "Harold's Host", "Leader", None)
    assert [problem.cell.tab for answer in run(book).findings.answers for problem in answer.problems] == ["Nations"]
    type_in(book, "Nations", "England", "Leader", "Eadric the Steersman")
    run(book)
    assert statuses(book) == ["Done", "Done"]

    book = played(season(KILLED), REFUSE)
    snapshot = read(book)
    book.commit(snapshot, undo(snapshot, forms(), "W-0001", NOW)[1])
    run(book)
    assert statuses(book) == ["Undone", "Done"]


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


def test_ldr_11_a_typed_death_counts_and_names_no_receipt() -> None:
    rows = season(wars=("W-0002",))
    rows["Leaders"][0]["Status"] = "died in his bed, 1067"
    plan = run(workbook(rows, inputs=REFUSE))

    assert f"{HAROLD} cannot lead: died in his bed, 1067. Clear the cell" in messages(plan)[0][2]


def test_ldr_11_foreign_dead_leaders_and_unchanged_wars_do_not_matter() -> None:
    rows = season(KILLED)
    rows["War Requests"][0]["Commit Stability"] = False
    next(row for row in rows["Leaders"] if row["Name"] == "Alp Arslan")["Status"] = DEAD
    book = played(rows, REFUSE)

    assert statuses(book) == ["Done", "Done"]
    assert "led although" not in str(column(book, "Receipts", "Receipt"))


def test_ldr_11_a_moderator_may_choose_another_leader_for_one_war() -> None:
    heirs = [
        {"Request": "W-0002", "Kind": "Input", "What": f"{place}!Leader", "Value": "Eadric the Steersman"}
        for place in ("Militaries!Harold's Host", "Nations!England")
    ]
    assert statuses(played(season(KILLED, *heirs), REFUSE)) == ["Done", "Done"]
    assert statuses(played(season(KILLED, heirs[0]), REFUSE)) == ["Done", "Invalid"]


def test_ldr_11_a_forecast_accepts_dead_leaders() -> None:
    rows = season(KILLED)
    rows["War Requests"][1]["Action"] = "Forecast"
    assert statuses(played(rows, REFUSE)) == ["Done", "Waiting"]


def test_ldr_11_other_obstacles_are_reported_before_a_leader_s_death() -> None:
    rows = season(KILLED)
    rows["Flanks"] = [{"Request": "W-0002", "Side": "Defender", "Flank": "all", "X": 1, "Y": 1, "Infantry": 1_000_000}]
    first, *rest = str(column(played(rows, WARN), "War Requests", "Message")[1]).splitlines()

    assert "too many" in first
    assert any(f"warning: {HAROLD} leads again, though {DEAD}" in line for line in rest)


def test_ldr_11_other_seasons_warn_and_their_receipts_name_dead_leaders() -> None:
    book = played(season(KILLED), WARN)
    known = read_receipts(read(book))
    second = known.ruling_of("W-0002")
    assert second is not None
    (form,) = (form for form in forms() if form.key == "autoalgo")
    fingerprint = pass_context().fingerprints["autoalgo"]

    assert f"warning: {HAROLD} leads again, though {DEAD}" in str(column(book, "War Requests", "Message"))
    assert f"{HAROLD}, alive" not in second.wiki
    assert f"led although {DEAD}" in second.wiki
    assert verify(second, form, fingerprint, SECRET, known.options).is_equal


def test_ldr_11_no_receipt_calls_a_dead_leader_alive() -> None:
    saved = {"Request": "W-0002", "Kind": "Result", "What": "England Leader"}
    for fate, says in (
        ("alive", f"{HAROLD}, led although {DEAD}"),
        ("killed", f"{HAROLD}, killed, led although {DEAD}"),
    ):
        book = played(season(KILLED, saved | {"Value": fate}), WARN)
        text = str(column(book, "Receipts", "Receipt")[2])
        assert says in text
        assert f"{HAROLD}, alive" not in text
