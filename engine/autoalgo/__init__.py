"""The main ruleset: an hourly battle of flanks on a terrain map, then occupation and stability."""
