"""The table of levers of wars as they are typed: its page has a row for each, and it measures."""

from __future__ import annotations

import levers

from tests.helpers import machine_code


def test_the_page_has_a_row_for_each_lever() -> None:
    rows = [line.split(" | ")[:2] for line in levers.PAGE.read_text(encoding="utf-8").splitlines() if " ± " in line]

    assert rows == [[f"| {lever.kind}", lever.says] for lever in levers.levers()]


def test_a_lever_changes_the_odds_and_a_war_against_itself_does_not() -> None:
    judge = levers.Judge("history", 200, machine_code.kernel())
    castle = next(lever for lever in levers.works() if "Castle, Position" in lever.says)
    nothing = levers.Lever("None", "nothing", castle.without, castle.without, 1)

    _, change, error = judge.change(castle)
    assert change - error > 0.05
    assert judge.change(nothing)[1:] == (0.0, 0.0)
