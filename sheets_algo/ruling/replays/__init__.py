"""Rulings played again, undone or given up."""
