"""Size of the pieces in which parts are read, in bytes; it decides time and memory, never what is read.

It is looked up as `sizes.PIECE` whenever it is used, so that a test can make it small.
"""

PIECE = 1 << 18
"""What is inflated, or given to a parser, at once."""
