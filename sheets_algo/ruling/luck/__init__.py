"""Sources of luck: the secret and its seeds, and rounds of a beacon."""
