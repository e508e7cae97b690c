"""The desk and the edges: from a spreadsheet row to a ruling and back into the same spreadsheet."""

__version__ = "0.2.0"
