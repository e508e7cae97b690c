"""What a workbook records of rulings: receipts, their chain, log and posts."""
