"""Files and databases, as far as they are more than a path."""
