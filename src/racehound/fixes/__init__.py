"""Transformations that repair a finding; one per file, each a function from source text to a patch."""
