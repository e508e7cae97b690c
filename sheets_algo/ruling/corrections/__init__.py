"""Receipts that take something back: an undo, and losses that a moderator accepts."""
