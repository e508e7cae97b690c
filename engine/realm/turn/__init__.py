"""A turn of a realm, part by part, and what its leaders see."""
