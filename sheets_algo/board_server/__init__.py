"""Live strategy boards: a server on this computer, which judges, forecasts and saves what a moderator places."""
