"""Form, columns and checks of score-card wars (`scorecard`)."""
