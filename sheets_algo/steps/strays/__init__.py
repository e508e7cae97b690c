"""Strays: rows of a form's further tabs that belong to no request, and the requests that wait for them."""
