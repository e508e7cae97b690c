"""Turns: orders that count in their turn, turns that end by a request or at a deadline, and what players send."""
