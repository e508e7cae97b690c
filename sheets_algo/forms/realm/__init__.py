"""Forms, columns and checks of realms' orders and ratings (`realm`)."""
