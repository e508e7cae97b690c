"""Forecasts of wars: their inputs, changes to them, sampling and reports.

Pure modules: `questions`, `what_if`, `report`. The others use clocks, files, terminals or networks: `queue` for the
watcher, `progress`, `plots` and `frames` for the command, `cluster` and `serialise` for Dask.
"""
