"""Functions that cases of scorecard may call besides the formulas of `engine.rule.RULES`."""

from __future__ import annotations

from fractions import Fraction

from engine.case import CaseRules, of_rule
from engine.scorecard import general
from engine.scorecard.tables import ScoreTables


def fate(rolled: int, enemies_over_friends: Fraction, tables: ScoreTables) -> str:
    """Return the fate of a commander (SC-03a)."""
    return general.fate(rolled, enemies_over_friends, tables.fates).text


CASES = CaseRules(
    "engine.scorecard",
    ScoreTables.of,
    {"ScoreTables": lambda tables: tables, "ScoreConstants": lambda tables: tables.constants},
    of_rule("SC-03a, SC-OP-05", fate),
)
"""Functions of cases."""
