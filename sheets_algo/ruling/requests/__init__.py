"""Contents of requests and decisions, and the columns of the program's answers."""
