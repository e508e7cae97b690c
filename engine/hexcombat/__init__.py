"""The ruleset `hexcombat`: one combat between two units of a hex map, with all supporting fire."""
