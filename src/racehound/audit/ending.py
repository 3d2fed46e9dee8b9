"""What a pair of calls left behind: exit statuses and state."""

from collections.abc import Mapping
from dataclasses import dataclass

from racehound.processes.outcome import Run


@dataclass(frozen=True, slots=True)
class Ending:
    first: int | None
    """Exit status, the negative number of a signal, or None where the command had to be ended."""
    second: int | None
    entries: Mapping[str, str]


def status_of(run: Run) -> int | None:
    if not run.ended:
        return None
    return -run.signal if run.signal is not None else run.status


def said(run: Run) -> str:
    """Both streams, the errors last: that is where a traceback ends."""
    return run.stdout.decode(errors="replace") + "\n" + run.stderr.decode(errors="replace")
