"""What the rules about locks (RH2xx) have in common."""
