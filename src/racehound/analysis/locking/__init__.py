"""Locks: which places are locks, where they are held, given back or waited for."""
