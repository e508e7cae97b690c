"""The main ruleset: a battle of flanks, hour by hour, on a terrain map, then occupation and stability."""
