"""Inputs, tables and records of a combat, and the vocabulary of hexes, lines and dice."""
