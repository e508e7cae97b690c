"""Facts of ciais that tests of all games have to know."""

WORDS = ()
"""Words that have a meaning somewhere in a workbook of the game."""
CHANGED = {
    "CiAIS Players": (
        "Bank ¤",
        "Tax %",
        "Unrest",
        "Status",
        "Loss condition",
        "Round",
        "Bank was negative",
        "Tax changed in round",
    ),
    "CiAIS Units": ("Attrition", "Status", "Owner"),
    "CiAIS Sites": ("Owner",),
}
"""People's columns that a ruling changes, by tab."""
NAMED = ("CiAIS Players", "CiAIS Units", "CiAIS Sites")
"""Tabs whose rows have names that the rules do not know."""
TITLES = ()
"""Columns that are the title of a request."""
