"""Failing schedules between one run of pytest and the next.

One small file per test below pytest's cache directory, replaced as a whole: the workers of pytest-xdist, which run
different tests at the same time, never write to the same one.
"""

import os
from hashlib import sha256
from pathlib import Path

import pytest

FOLDER = "racehound"


class Memory:
    """The schedule under which a test failed when it was last run."""

    def __init__(self, item: pytest.Item) -> None:
        cache: pytest.Cache | None = getattr(item.config, "cache", None)  # absent with `-p no:cacheprovider`
        name = sha256(item.nodeid.encode()).hexdigest()[:24]
        self._path = cache.mkdir(FOLDER) / name if cache is not None else None

    def recall(self) -> str | None:
        """The token, or None where there is none or it cannot be read."""
        try:
            return self._path.read_text(encoding="ascii") if self._path is not None else None
        except (OSError, ValueError):
            return None

    def keep(self, token: str) -> None:
        if self._path is not None:
            unfinished = Path(f"{self._path}.{os.getpid()}")
            unfinished.write_text(token, encoding="ascii")
            unfinished.replace(self._path)

    def forget(self) -> None:
        if self._path is not None:
            self._path.unlink(missing_ok=True)
