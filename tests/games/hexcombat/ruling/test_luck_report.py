"""How many other courses a combat of hexes is compared with (FC-07)."""

from __future__ import annotations

from scripts.support.workbooks import NOW, example, read, workbook
from sheets_algo.ruling.passes.planner import plan_pass
from tests.ruling.test_luck_report import asking, log


def test_fc_07_a_hex_combat_is_compared_with_twenty_others() -> None:
    made = plan_pass(read(workbook(example("hexcombat"))), asking(), NOW)
    numbers = {text.rpartition(" of ")[2].split()[0] for rule, text in log(made) if rule == "FC-06" and " of " in text}

    assert numbers == {"20"}
