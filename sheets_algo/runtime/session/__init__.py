"""An open workbook, and the small files that are kept beside it."""
