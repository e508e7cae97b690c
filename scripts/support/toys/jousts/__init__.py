"""A joust of two knights, decided by one die and their skill."""
