"""Forecasts at the desk: whose they are, what may be changed in them, how they are told. Pure: no clock, no files."""
