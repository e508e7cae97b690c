"""Form, columns and checks of wars (`autoalgo`)."""
