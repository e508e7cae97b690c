"""Rules of the years of a game: what a year does to armies, nations, places and leaders (YRS)."""
