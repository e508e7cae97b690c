"""Rules of the years of a game: effects of a year on armies, nations, places and leaders (YRS)."""
