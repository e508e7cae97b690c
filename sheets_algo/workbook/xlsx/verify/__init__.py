"""Comparison of an edited copy with what it was made from, by other means than those that edited it."""
