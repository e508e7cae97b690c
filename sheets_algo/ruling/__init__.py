"""From a snapshot of a workbook to a plan of changes: pure, without clock, files or network."""
