"""Facts of scorecard that tests of all games have to know."""

WORDS = ("S-0001", "General=5; General=6", "General=1e999", "China (L), Japan (M")
"""Words that have a meaning somewhere in a workbook of the game."""
CHANGED = {
    "Score Leaders": ("Wins", "Battles", "Exp", "Status", "Unavailable turns"),
}
"""People's columns that a ruling changes, by tab."""
NAMED = ("Score Nations", "Score Leaders")
"""Tabs whose rows have names that the rules do not know."""
TITLES = ("War",)
"""Columns that are the title of a request."""
