"""Live strategy boards: a local server that judges, forecasts and saves a moderator's placements."""
