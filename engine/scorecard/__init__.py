"""The ruleset `scorecard`: two sides score points per factor, and the higher grand total wins."""
