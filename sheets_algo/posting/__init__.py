"""Posting of receipts to channels: what a post says, how each kind of channel is sent to, and who does it when."""
