"""Content of a new spreadsheet: tabs, columns, formats, rules and examples of the template."""
