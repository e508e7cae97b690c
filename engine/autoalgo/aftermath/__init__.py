"""After the battle: leaders, occupation, stability."""
