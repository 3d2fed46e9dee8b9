"""A sandbox per test, of its own base directory so that tests in parallel share nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from racehound.processes.sandbox import Sandbox


@pytest.fixture
def sandbox(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Sandbox]:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with Sandbox() as box:
        yield box
    assert list(tmp_path.glob("racehound-*")) == []
