"""One file per rule: its page, its examples and its check."""
