"""With `-v` at a terminal: how many executions a long search has made so far."""

import time

import pytest

PAUSE = 0.5
"""Seconds between two notes."""

_now = time.monotonic  # bound before the search puts clocks under control


class Progress:
    """Counts executions beside the name of the test, and leaves the line as it was."""

    def __init__(self, item: pytest.Item) -> None:
        reporter = item.config.pluginmanager.getplugin("terminalreporter")
        shown = reporter is not None and reporter.verbosity > 0 and reporter.isatty
        self._reporter = reporter if shown else None
        self._count = 0
        self._next = _now() + PAUSE
        self._noted = False

    def count(self) -> None:
        self._count += 1
        if self._reporter is not None and _now() >= self._next:
            self._next = _now() + PAUSE
            self._noted = True
            self._reporter.rewrite(f"{self._line()}{self._count} executions so far ", erase=True)

    def close(self) -> None:
        if self._reporter is not None and self._noted:
            self._reporter.rewrite(self._line(), erase=True)

    def _line(self) -> str:
        """What pytest has written for this test already."""
        return str(getattr(self._reporter, "currentfspath", "") or "")
