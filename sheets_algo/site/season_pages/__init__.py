"""The pages of a season's site, a module for each kind; `charts` and `tables` are parts of several."""
