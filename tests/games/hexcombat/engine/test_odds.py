"""HX-ODD: the terms of attack and defence; `stories.txt` has a combat for each line."""

import dataclasses

from engine.hexcombat.combat.account import Account
from engine.hexcombat.combat.fate import ExpectedFate
from engine.hexcombat.combat.procedures import fight
from tests.games.hexcombat.engine.battles import (
    INF,
    TABLES,
    TANK,
    attacker,
    combat,
    defender,
    expected,
    ground,
)  # fmt: skip


def test_var_05_terms_agree_with_the_lines():
    """A line that comes to one more is explained by one more, and each number is the sum of its terms."""
    inputs = combat(
        attacker(TANK, leaders=("Aggressive Attack",), bars=2),
        defender(INF, on=ground(mined=True), entrenchment=3, hits=1),
    )
    before = expected(inputs).account
    changed = set()
    for place, line in enumerate(TABLES.odds):
        more = dataclasses.replace(line, does=lambda number, amount, does=line.does: does(number, amount) + 1)
        tables = dataclasses.replace(TABLES, odds=(*TABLES.odds[:place], more, *TABLES.odds[place + 1 :]))
        account = Account()
        fight(inputs, tables, ExpectedFate(account), account)
        assert all(sum(number.numbers) == number.value for number in account.explained[:4])
        if account.explained != before.explained:
            changed.add(line.id)
    told = {event.id for event in before.events if event.kind == "line" and event.id.startswith("HX-ODD")}
    assert len(told) > 5
    assert told <= changed
