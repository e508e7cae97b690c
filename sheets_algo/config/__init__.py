"""Files that the program reads besides workbooks: tables, maps, settings."""
