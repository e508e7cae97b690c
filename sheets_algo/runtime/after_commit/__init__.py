"""Files written after a commit: logs, pictures, boards, pages, and notes for completing a killed pass."""
