"""Watching workbooks: their watchers, what these tell, and what others can ask of them."""
