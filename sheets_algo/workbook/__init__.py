"""Workbook backends for XLSX files, Google spreadsheets and memory, with one common interface (`base`)."""
