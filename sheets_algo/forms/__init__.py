"""Forms, which read the requests of each ruleset from a workbook."""
