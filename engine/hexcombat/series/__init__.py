"""Many combats: replicates, forecasts and targets."""
