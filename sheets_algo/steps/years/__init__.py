"""Years of a game: their ends, also at deadlines, and the results of earlier rulings."""
