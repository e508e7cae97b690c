"""What a new spreadsheet gets: tabs, columns, formats, rules and examples of the template."""
