"""The second ruleset: two sides, points per factor, the higher grand total wins."""
