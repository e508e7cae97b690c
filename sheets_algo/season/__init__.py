"""A season as data for Python: its rulings, nations, flanks, forecasts and log, read and never written."""
