"""Comparison of the engine with history: rows of battles become wars, which are fought to measure the odds."""
