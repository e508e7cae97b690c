"""Orders that a ruler gives within a turn."""
