"""Reading what commands left behind, so that a report can name the lost keys."""
