"""State that threads may share, every use of it, and which two uses can break each other."""
