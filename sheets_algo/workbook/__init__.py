"""Workbooks: one contract (`base`), a backend each for XLSX files, Google spreadsheets and memory."""
