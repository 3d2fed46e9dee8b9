"""Event loops: which thread runs which, what is bound to one, what holds one up."""
