"""Repair of displaced changes, and of those with an unknown outcome."""
