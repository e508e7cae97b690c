"""Facts of hexcombat that tests of all games have to know."""

WORDS = ("H-0001", "84th Battery@2; 84th battery", "716th Rifles@1", "Stuka@@", "12,7", "Mined; Bridge")
"""Words that have a meaning somewhere in a workbook of the game."""
CHANGED = {
    "Hex Units": (
        "Strength",
        "Suppressed",
        "Experience",
        "Ammo",
        "Fuel",
        "Entrenchment",
        "Hits",
        "Sabotaged",
        "Intercepted this turn",
        "Supported this turn",
        "Status",
        "Displaced",
        "Turn",
    ),
    "Hex Sides": ("Prestige", "Turn"),
    "Hex Facilities": ("Blown",),
}
"""People's columns that a ruling changes, by tab."""
NAMED = ("Hex Units",)
"""Tabs whose rows have names that the rules do not know."""
TITLES = ("Combat",)
"""Columns that are the title of a request."""
