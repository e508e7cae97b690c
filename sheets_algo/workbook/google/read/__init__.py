"""What a spreadsheet holds now: its tabs, their cells, and whether all of them must be read."""
