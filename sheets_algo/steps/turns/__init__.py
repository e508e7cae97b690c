"""Turns: orders valid in their turn, ends of turns by a request or at a deadline, and players' own orders."""
