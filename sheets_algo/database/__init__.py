"""The moderators' tabs as records: cells, tables, rows, problems, and collected changes."""
