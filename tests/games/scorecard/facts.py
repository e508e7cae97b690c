"""Facts of scorecard that tests of all games have to know."""

WORDS = ("S-0001", "General=5; General=6", "General=1e999", "China (L), Japan (M")
"""Words that have a meaning somewhere in a workbook of the game."""
CHANGED = {
    "Score Leaders": ("Wins", "Battles", "Exp", "Status", "Unavailable turns", "Wounded in"),
}
"""People's columns that a ruling changes, by tab."""
NAMED = ("Score Nations", "Score Leaders")
"""Tabs whose rows have names that the rules do not know."""
TITLES = ("War",)
"""Columns that are the title of a request."""
EXACT = ("engine.scorecard.factors", "engine.scorecard.score", "engine.scorecard.general", "engine.scorecard.aftermath")
"""Modules whose formulas compute with exact numbers, so that `engine.terms` explains them too."""
POWERS_MAY = ()
"""Modules with powers of whole numbers, of decimals, or of 10.0 and 2.0 to a small whole number, which are exact."""
LAYERS = ()
"""The folders and modules of its rules from the highest to the lowest, if they have layers."""
VAGUE = 0
"""Uses of vague names that are left in its rules: words of messages, of receipts and of JSON. They only fall."""
FORECASTS = (("Score Requests", "S-0004"),)
"""A request of each request tab of its example, of which there is a forecast."""
WITHOUT_HOURS = "Score Requests"
"""The request tab whose rulings have pages without hours, which show all that there is; blank if there is none."""
WITH_SECRETS = False
"""True if its players have secrets."""
PLACES = ()
"""A request of its example whose ruling has a picture of places, and one whose ruling has none; blank without any."""
NUMBER = ("constants.json", "army_factor", 10)
"""A number of its tables: the file, the name and the value; receipts name it when it is another one."""
RESULT = " wins by "
"""Words of its results that a post shows in its title; blank if players have secrets."""
IN_SHEET_ORDER = ()
"""Requests of its example that are carried out for all in sheet order: the order of rows may change them."""
