"""Many battles of the same war under other luck, also compiled."""
