"""Wars: the sides of a war of several battles, which the tab Wars names."""
