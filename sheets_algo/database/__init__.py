"""The moderators' tabs as records: cells, tables, rows, problems, and the changes of them that are collected."""
