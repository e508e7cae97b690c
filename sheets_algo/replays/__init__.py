"""Rulings played again and compared, and what players may know of them."""
