"""Functions that cases of hexcombat may call besides the formulas of `engine.rule.RULES`."""

from __future__ import annotations

from engine.case import CaseRules, of_rule
from engine.hexcombat.combat import losses
from engine.hexcombat.setup import numbers
from engine.hexcombat.setup.tables import HexTables

CASES = CaseRules(
    "engine.hexcombat",
    HexTables.of,
    {"HexTables": lambda tables: tables, "HexConstants": lambda tables: tables.facts.constants},
    (
        *of_rule("HX-LOS-2", losses.flattened),
        *of_rule("HX-LOS-5", losses.suppression),
        *of_rule("HX-DEF-20", numbers.div),
    ),
)
"""Functions of cases."""
