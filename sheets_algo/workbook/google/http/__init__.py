"""Requests to Google and their errors, independent of tabs."""
