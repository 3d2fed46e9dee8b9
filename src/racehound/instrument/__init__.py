"""Rewriting of Python code so that it publishes each operation before it runs."""
