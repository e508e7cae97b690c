"""The moderators' tabs as records: cells, tables, rows, problems."""
