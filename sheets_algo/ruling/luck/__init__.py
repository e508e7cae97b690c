"""Where the luck of a ruling comes from: the secret and its seeds, rounds of a beacon."""
