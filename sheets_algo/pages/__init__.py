"""Pages that players open in a browser: one file each, without a network, a server or a library."""
