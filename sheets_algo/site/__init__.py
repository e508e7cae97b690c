"""The site of a season: public pages, kept up to date in a folder."""
