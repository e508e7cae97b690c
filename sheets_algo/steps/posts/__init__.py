"""Posts: what a pass and people outside it write into the tab Posts, the outbox of the workbook."""
