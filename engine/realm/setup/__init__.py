"""What is read and drawn before a turn: records, tables, inputs, formulas and dice."""
