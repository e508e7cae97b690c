"""Promises of requests to rounds of a beacon."""
