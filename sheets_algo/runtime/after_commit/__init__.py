"""What follows a commit: logs, pictures, boards and replay pages, and the notes by which a killed pass is completed."""
