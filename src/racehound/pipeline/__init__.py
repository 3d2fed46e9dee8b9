"""The verbs: each takes the result of the one before it."""
