"""Ruleset `realm`: the turn of a realm, what its ruler orders besides, and the rating of finished games."""
