"""XLSX files as workbooks: read behind a guard, edited in the touched parts alone, replaced whole or not at all."""
