"""Forecasts at the edge: the command, its progress and files, and the slices of a watcher. It knows the clock."""
