"""What requests and decisions hold, and the columns in which the program answers."""
