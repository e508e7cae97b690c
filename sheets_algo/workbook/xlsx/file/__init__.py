"""The file itself: archive, parts and markup, limits of size, locks, backups and notes of commits."""
