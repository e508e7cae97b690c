"""Google spreadsheets as workbooks: a pass takes one read, a commit one check and one atomic write."""
