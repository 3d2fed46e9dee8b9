"""What runs in which thread: where threads start, who comes to what, what is ordered by waiting."""
