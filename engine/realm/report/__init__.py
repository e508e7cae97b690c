"""What is told of a ruling: its receipt, and what each player may know."""
