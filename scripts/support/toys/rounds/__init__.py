"""A game in rounds: taxes, raids that put a player out, one crown, and the end of a round."""
