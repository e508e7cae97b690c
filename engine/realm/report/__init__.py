"""The report of a ruling: its receipt, and the news for each player."""
