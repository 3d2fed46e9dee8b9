"""Ways to choose who goes on: one file each, named as in the literature."""
