"""Posting of receipts to channels: the contents of posts, the kinds of channels, and the posters."""
