"""Receipts of corrections: an undo, and losses that a moderator accepts."""
