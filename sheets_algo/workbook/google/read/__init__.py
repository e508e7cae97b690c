"""Reading of a spreadsheet: its tabs, their cells, and the decision to read all of them."""
