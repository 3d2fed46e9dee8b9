"""What the rules about coroutines (RH3xx) have in common."""
