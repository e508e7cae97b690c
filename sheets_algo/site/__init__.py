"""The site of a season: pages that everybody may read, kept up to date in a folder."""
