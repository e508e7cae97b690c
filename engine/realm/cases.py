"""Functions that cases of realm may call besides the formulas of `engine.rule.RULES`."""

from __future__ import annotations

from engine.case import CaseRules, of_rule
from engine.realm.orders import war
from engine.realm.setup import formulas
from engine.realm.setup.tables import RealmTables
from engine.realm.turn import rebels

CASES = CaseRules(
    "engine.realm",
    RealmTables.of,
    {"RealmTables": lambda tables: tables, "RealmConstants": lambda tables: tables.constants},
    (
        *of_rule("RL-OP-28", formulas.pay_modifier),
        *of_rule("RL-TAX-02, RL-OP-03", formulas.base_happiness),
        *of_rule("RL-REB-06", formulas.threat),
        *of_rule("RL-OP-56", rebels.is_over),
        *of_rule("RL-OP-57", war.commanding),
        *of_rule("RL-OP-58", war.is_conquest),
    ),
)
"""Functions of cases."""
