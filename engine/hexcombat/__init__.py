"""One combat between two units of a hex map, with everything that may fire before, during and after it."""
