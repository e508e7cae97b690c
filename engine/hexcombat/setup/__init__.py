"""Inputs, tables and records of a combat, and what hexes, lines and dice are."""
