"""Replayed rulings: comparisons with receipts, and reports for players."""
