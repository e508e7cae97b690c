"""Sizes of the pieces in which parts are read, in bytes; they decide time and memory, never what is read.

They are looked up as `sizes.BLOCK` whenever they are used, so that a test can make all of them small.
"""

LARGE = 1 << 22
"""Most of a tab that is held whole when it is changed."""

PIECE = 1 << 18
"""What is inflated, or given to a parser, at once."""

PACKED, BETWEEN = 1 << 15, 1 << 20
"""What is unpacked at once, compressed, while places to begin again at are noted, and the least between two of them."""

BLOCK = 1 << 19
"""Rows that are looked at together."""

LOOK = 1 << 12
"""Part of a large tab in which the end of a tag is looked for at first."""
