"""Posts: what a pass writes into the tab Posts, the outbox of the workbook; `posting/` works it off."""
