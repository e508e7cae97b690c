"""Changes that were displaced, or whose outcome is unknown, found and put right."""
