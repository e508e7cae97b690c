"""The file itself: archive, parts and markup, limits of size, locks and backups."""
