"""What the rules about files (RH4xx) have in common."""
