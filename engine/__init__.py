"""The rules: values in, values out. Nothing here knows spreadsheets, files, the clock or the network."""
