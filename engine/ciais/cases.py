"""Functions that cases of ciais may call besides the formulas of `engine.rule.RULES`."""

from __future__ import annotations

from engine.case import CaseRules, of_rule
from engine.ciais import conquest, odds, supply, taxes
from engine.ciais.tables import CiaisTables

CASES = CaseRules(
    "engine.ciais",
    CiaisTables.of,
    {"CiaisTables": lambda tables: tables, "CiaisConstants": lambda tables: tables.constants},
    (
        *of_rule("CI-EQ-01, CI-OP-11, CI-OP-12, CI-OP-13", odds.chance),
        *of_rule("CI-OP-14", odds.percent),
        *of_rule("CI-LOG-03, CI-OP-08", supply.points),
        *of_rule("CI-LOG-04", supply.lowered),
        *of_rule("CI-TAX-01, CI-OP-15", taxes.income),
        *of_rule("CI-OP-38", conquest.is_inside),
    ),
)
"""Functions of cases."""
