"""The output of a ruling: receipt, log, figures and pictures."""
