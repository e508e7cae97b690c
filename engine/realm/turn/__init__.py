"""A turn of a realm, part by part, and the information of its leaders."""
