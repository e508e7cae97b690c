"""Rules of the games, as pure functions of their inputs: no spreadsheets, files, clock or network."""
