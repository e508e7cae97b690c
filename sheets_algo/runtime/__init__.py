"""Everything with a clock, files or a network: passes, watchers, season secrets, logs and pictures."""
