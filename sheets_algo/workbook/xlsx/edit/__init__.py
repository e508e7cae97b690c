"""New content of parts for planned changes, byte for byte as before where nothing is changed."""
