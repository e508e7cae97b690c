"""Rows of forecasts, and how lucky the sides of a ruling were."""
