"""Odds: what may come of a request before its ruling, and the cells that its row asks to change."""
