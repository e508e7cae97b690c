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
EXACT = ("engine.ciais.odds", "engine.ciais.supply", "engine.ciais.taxes", "engine.ciais.unrest")
"""Modules whose formulas compute with exact numbers, so that `engine.terms` explains them too."""
POWERS_MAY = ()
"""Modules with powers of whole numbers, of decimals, or of 10.0 and 2.0 to a small whole number, which are exact."""
LAYERS = ()
"""The folders and modules of its rules from the highest to the lowest, if they have layers."""
VAGUE = 0
"""Uses of vague names that are left in its rules: words of messages, of receipts and of JSON. They only fall."""
FORECASTS = (("CiAIS Requests", "C-0002"),)
"""A request of each request tab of its example, of which there is a forecast."""
WITHOUT_HOURS = "CiAIS Requests"
"""The request tab whose rulings have pages without hours, which show all that there is; blank if there is none."""
WITH_SECRETS = False
"""True if its players have secrets."""
PLACES = ("C-0002", "C-0005")
"""A request of its example whose ruling has a picture of places, and one whose ruling has none; blank without any."""
NUMBER = ("constants.json", "income_per_percent", 10)
"""A number of its tables: the file, the name and the value; receipts name it when it is another one."""
RESULT = " beats "
"""Words of its results that a post shows in its title; blank if players have secrets."""
IN_SHEET_ORDER = ("C-0007",)
"""Requests of its example that are carried out for all in sheet order: the order of rows may change them."""
