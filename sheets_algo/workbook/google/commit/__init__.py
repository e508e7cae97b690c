"""One write to a spreadsheet, all or nothing."""
