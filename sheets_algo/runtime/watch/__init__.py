"""Watching workbooks: their watchers, what these log, and what others can ask of them."""
