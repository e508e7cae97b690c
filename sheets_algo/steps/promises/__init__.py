"""Promises: a request of a season with beacon luck is tied to a future round before it is ruled."""
