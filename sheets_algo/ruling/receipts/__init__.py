"""What a workbook records of rulings: receipts, their chain, log and posts, and the changes that a pass collects."""
