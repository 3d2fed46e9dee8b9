"""Coroutines and their tasks: what they count on across an await, who keeps, cancels and asks them."""
