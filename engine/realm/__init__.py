"""The ruleset `realm`: turns and other orders of a realm, and the rating of finished games."""
