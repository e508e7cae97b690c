"""A pass over a workbook: read, plan, commit, and again if people change the workbook meanwhile."""
