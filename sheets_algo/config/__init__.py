"""What is read from files beside the program: tables, maps, settings."""
