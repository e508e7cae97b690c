"""An open workbook, and the small files beside it."""
