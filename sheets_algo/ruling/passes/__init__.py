"""One pass over a workbook, from the requests that are ready to the changes that are written."""
