"""The report of a ruling: its receipt, and the news that each player may read."""
