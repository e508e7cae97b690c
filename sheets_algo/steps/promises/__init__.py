"""Promises, which tie a request of a season with beacon luck to a future round before its ruling."""
