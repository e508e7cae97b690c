"""A request to Google, and what can go wrong with it; nothing here knows a tab."""
