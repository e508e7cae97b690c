"""Cells, rows and tables as a worksheet part holds them."""
