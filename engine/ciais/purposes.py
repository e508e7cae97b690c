"""What luck is asked for. Numbers are never changed or used again, so that every old ruling can be replayed."""

BATTLE = 0
"""The roll of a battle, 1 to 100 (CI-BASE-02)."""

HEIR_OF_CITIES = 1
"""Which playing opponent gets the cities of an overthrown player, counted from 1 by name (CI-LOSE-2b)."""
