"""The ruleset `ciais`: orders of a board game in rounds, with battles, supply, taxes, unrest, victory and defeat."""
