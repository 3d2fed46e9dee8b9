"""The way through one function: what comes after what, and what hangs on which decision."""
