"""CI-EQ-01: two multipliers weighed against each other."""

from decimal import Decimal

from engine.ciais.odds import chance, percent
from tests.games.ciais.engine.games import CONSTANTS, TABLES, reading

CERTAIN = TABLES.having(reading("ten_is_certain", "yes")).constants


def test_ci_op_01_odds_follow_the_formula() -> None:
    """The picture is missing from the source; CI-BASE-02 without attrition."""
    cases = [
        (2, 4, 33),  # CI-EX-01, the published example
        ("4.0", "4.0", 50),  # CI-EX-02: 5 less 1.0
        (5, "2.0", 71),  # CI-EX-03: 5 less 3.0 on the other side
        (10, 2, 83),  # CI-OP-13: no certain victory
        (0, 3, 0),
        (3, 0, 100),
        (0, 0, 50),  # CI-OP-12
        (-1, 0, 50),  # CI-OP-11
        (-1, "0.1", 0),
        (1, 7, 13),  # CI-OP-14: 12.5 is rounded up
        (7, 1, 88),
    ]
    assert [(own, enemy, percent(chance(Decimal(own), Decimal(enemy), CONSTANTS))) for own, enemy, _ in cases] == cases


def test_ci_op_13_a_multiplier_of_ten_is_certain() -> None:
    cases = [(10, "9.9", 100), ("9.9", 10, 0), (10, 10, 50), ("9.9", "3.3", 75), (0, 0, 50)]
    assert [(own, enemy, percent(chance(Decimal(own), Decimal(enemy), CERTAIN))) for own, enemy, _ in cases] == cases
