"""Posts: the rows that a pass writes into the tab Posts, the outbox of the workbook; `posting/` sends them."""
