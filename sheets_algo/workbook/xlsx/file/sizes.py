"""Sizes of the pieces in which parts are read, in bytes; they decide time and memory, never what is read.

They are looked up as `sizes.BLOCK` whenever they are used, so that a test can make all of them small.
"""

PIECE = 1 << 18
"""What is inflated, or given to a parser, at once."""

BLOCK = 1 << 19
"""Rows that are looked at together."""
