"""HX-INI: who fires first, and what the initiative is worth."""

from tests.games.hexcombat.engine.battles import (
    INF,
    TANK,
    attacker,
    combat,
    defender,
    expected,
)  # fmt: skip


def test_hx_ini_17_hx_ini_18_log_and_explain_name_the_leader_s_gain():
    ours = expected(combat(attacker(TANK, bars=1), defender(INF)))
    theirs = expected(combat(attacker(INF), defender(TANK, bars=1)))
    for found, name, id in ((ours, ours.attacker.name, "HX-INI-18"), (theirs, theirs.defender.name, "HX-INI-17")):
        lines = [event.text for event in found.account.events if event.id == id and event.kind == "line"]
        assert [text.partition(",")[2].partition(", makes")[0] for text in lines] == [
            f" {name}: +4 (leads in initiative)",
            f" {name}: +4 (leads in initiative)",
        ]
        ends = [number.line() for number in found.account.explained if number.id == id]
        assert [line.partition(",")[0] for line in ends] == ["Attack", "Defence"]
        assert all(f" + leads in initiative 4 [{id}] (Exchange)" in line for line in ends)
