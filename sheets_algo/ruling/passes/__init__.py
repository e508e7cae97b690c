"""One pass over a workbook, from ready requests to the changes to write."""
