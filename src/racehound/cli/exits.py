"""Exit statuses; the same for every command."""

NOTHING = 0
FINDINGS = 1
USAGE = 2
INTERNAL = 3
INCONCLUSIVE = 4
INTERRUPTED = 130
