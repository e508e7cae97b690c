"""The engine against history: rows of battles become wars, wars become odds, odds are measured."""
