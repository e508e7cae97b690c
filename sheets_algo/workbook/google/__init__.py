"""Google spreadsheets as workbooks: a pass takes one read, a commit one look and one write, which is all or nothing."""
