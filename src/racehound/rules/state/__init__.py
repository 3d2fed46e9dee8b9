"""What the rules about shared state (RH1xx) have in common."""
