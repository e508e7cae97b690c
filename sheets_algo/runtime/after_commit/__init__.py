"""Files written after a commit: logs, pictures, boards, pages, and the notes by which a killed pass is completed."""
