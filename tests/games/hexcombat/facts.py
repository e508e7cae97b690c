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
EXACT = ("engine.hexcombat.combat.losses",)
"""Modules whose formulas compute with exact numbers, so that `engine.terms` explains them too."""
POWERS_MAY = ()
"""Modules with powers of whole numbers, of decimals, or of 10.0 and 2.0 to a small whole number, which are exact."""
LAYERS = ("cases", "resolve", "turn", "series", "report", "combat", "setup")
"""The folders and modules of its rules from the highest to the lowest, if they have layers."""
VAGUE = 0
"""Uses of vague names that are left in its rules: words of messages, of receipts and of JSON. They only fall."""
FORECASTS = (("Combat Requests", "H-0001"),)
"""A request of each request tab of its example, of which there is a forecast."""
WITHOUT_HOURS = "Combat Requests"
"""The request tab whose rulings have pages without hours, which show all that there is; blank if there is none."""
WITH_SECRETS = False
"""True if its players have secrets."""
PLACES = ("H-0001", "H-0003")
"""A request of its example whose ruling has a picture of places, and one whose ruling has none; blank without any."""
NUMBER = ("constants.json", "evade", 30)
"""A number of its tables: the file, the name and the value; receipts name it when it is another one."""
RESULT = " killed, "
"""Words of its results that a post shows in its title; blank if players have secrets."""
IN_SHEET_ORDER = ()
"""Requests of its example that are carried out for all in sheet order: the order of rows may change them."""
