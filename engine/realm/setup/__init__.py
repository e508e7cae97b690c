"""Preparation of a turn: records, tables, inputs, formulas and dice."""
