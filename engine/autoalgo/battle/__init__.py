"""The rules of the battle, which is fought hour by hour."""
