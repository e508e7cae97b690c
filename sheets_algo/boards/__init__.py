"""Rows and data of strategy boards."""
