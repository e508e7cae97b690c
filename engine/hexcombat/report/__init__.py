"""What a combat leaves: result, receipt, places and updates."""
