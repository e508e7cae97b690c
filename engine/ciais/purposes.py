"""Purposes of random draws. A number is never changed or reused, so that old rulings can be replayed."""

BATTLE = 0
"""The roll of a battle, 1 to 100 (CI-BASE-02)."""

HEIR_OF_CITIES = 1
"""The playing opponent who gets the cities of an overthrown player, counted from 1 by name (CI-LOSE-2b)."""
