"""Formulas: what they refer to, which results a change makes out of date, and results that LibreOffice computes."""
