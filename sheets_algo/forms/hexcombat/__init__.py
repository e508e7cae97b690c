"""Form, columns and checks of hex combats (`hexcombat`)."""
