"""Bookkeeping for a board game in rounds: battles by one weighted roll, supply, taxes, unrest, victory and defeat."""
