"""Preparation of the battle: tables, variables of each side, strategy and deployment."""
