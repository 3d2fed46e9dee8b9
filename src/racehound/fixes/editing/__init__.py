"""Finding a place in a text, and changing it there: what the transformations have in common."""
