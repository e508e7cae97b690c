"""Chances of an order, and many turns."""
