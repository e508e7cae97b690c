"""Records of rulings in a workbook: receipts, their chain, log and posts."""
