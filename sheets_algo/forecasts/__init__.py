"""Forecasts: whose they are and what may be changed in them, how they are refined, how they are told.

Of the desk, without clock and files: `asked`, `edits`, `how_lucky`, `luck`, `tab`, `words`. The rest are edges: the
command with its bar, plots and files, the slices of a watcher, a cluster.
"""
