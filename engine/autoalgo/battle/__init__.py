"""The rules of the battle, hour by hour."""
