"""Forms: how each ruleset's requests are read."""
