"""Odds: forecasts of requests before their rulings, and actions that change cells."""
