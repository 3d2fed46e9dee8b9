"""One execution and many: who runs next, what it touches, and when the search is exhausted."""
