"""Years of a game: which one ends, at a deadline too, and what the rulings before it have left."""
