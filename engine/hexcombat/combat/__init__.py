"""The rules of a combat, in the order of its procedure."""
