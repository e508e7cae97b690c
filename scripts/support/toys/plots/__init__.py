"""A game in turns whose players have secrets: houses that spy and steal, and a rating of finished games."""
