"""Formats, one per file; each is a pure function of `Report`."""
