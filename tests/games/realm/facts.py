"""Facts of realm that tests of all games have to know."""

WORDS = (
    "T-0001",
    "Rome",
    "Rome > Gaul > Rome",
    "Brennus",
    "Process turn",
    "Employed",
    "Prisoner",
    "RL-LOY-02=5; RL-RND-01 = 1e9; =",
)
"""Words that have a meaning somewhere in a workbook of the game."""
CHANGED = {
    "Realms": (
        "Happiness",
        "Treasury",
        "Fame",
        "Agents",
        "Agents used",
        "Espionage blocked until",
        "Last turn",
        "In play",
        "Rating",
    ),
    "Realm Cities": ("Owner", "Former owner", "Population"),
    "Realm Leaders": (
        "Status",
        "Offer",
        "Offered to",
        "Employer",
        "Captor",
        "Former rulers",
        "Loyalty",
        "Experience",
        "Health",
        "Leadership negated in turn",
        "Interrogated by",
        "Last turn",
    ),
    "Realm Units": (
        "Unit",
        "Owner",
        "Type",
        "Location",
        "Mercenary",
        "Offered to",
        "Experience",
        "Health",
        "Max health",
        "Fate",
        "Last turn",
    ),
}
"""People's columns that a ruling changes, by tab."""
NAMED = ("Realms", "Realm Cities", "Realm Leaders")
"""Tabs whose rows have names that the rules do not know."""
TITLES = ("Game",)
"""Columns that are the title of a request."""
EXACT = ("engine.realm.rating", "engine.realm.orders.espionage", "engine.realm.setup.formulas")
"""Modules whose formulas compute with exact numbers, so that `engine.terms` explains them too."""
POWERS_MAY = ("engine/realm/rating.py",)
"""Modules with powers of whole numbers, of decimals, or of 10.0 and 2.0 to a small whole number, which are exact."""
LAYERS = ("cases", "resolve", "series", "report", "rating", "orders", "turn", "setup")
"""The folders and modules of its rules from the highest to the lowest, if they have layers."""
VAGUE = 3
"""Uses of vague names that are left in its rules: words of messages, of receipts and of JSON. They only fall."""
FORECASTS = (("Turn Requests", "T-0006"), ("Rating Requests", "G-0001"))
"""A request of each request tab of its example, of which there is a forecast."""
WITHOUT_HOURS = ""
"""The request tab whose rulings have pages without hours, which show all that there is; blank if there is none."""
WITH_SECRETS = True
"""True if its players have secrets."""
PLACES = ()
"""A request of its example whose ruling has a picture of places, and one whose ruling has none; blank without any."""
NUMBER = ("constants.json", "loyalty_decay", 10)
"""A number of its tables: the file, the name and the value; receipts name it when it is another one."""
RESULT = ""
"""Words of its results that a post shows in its title; blank if players have secrets."""
IN_SHEET_ORDER = ()
"""Requests of its example that are carried out for all in sheet order: the order of rows may change them."""
