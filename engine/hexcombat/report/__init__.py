"""Result, receipt, places and updates of a combat."""
