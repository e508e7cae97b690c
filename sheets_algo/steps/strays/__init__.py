"""Strays: rows of a form's further tabs without a request, and the requests that wait for them."""
