"""A war, deployed, and the kernel that fights its battles: the ruling and those beside it."""
