"""Rows of forecasts, and the luck of a ruling's sides."""
