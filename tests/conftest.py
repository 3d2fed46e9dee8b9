"""What every test can rely on: no colour, no settings of the person who runs the suite."""

from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("RACEHOUND_DEBUG", raising=False)


@pytest.fixture(autouse=True)
def _measured_children(monkeypatch: pytest.MonkeyPatch) -> None:
    """Children may write what coverage measures in them, if it does."""
    measurement = coverage.Coverage.current()
    if measurement is not None:
        place = Path(measurement.get_data().data_filename()).parent
        place.mkdir(exist_ok=True)
        monkeypatch.setenv("RACEHOUND_WRITABLE", str(place))


@pytest.fixture(name="unmeasured")
def _unmeasured(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Coverage pauses, also in children: long searches only repeat lines, and tracing trebles their time."""
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
    monkeypatch.delenv("COVERAGE_PROCESS_START", raising=False)
    measurement = coverage.Coverage.current()
    if measurement is None:
        yield
        return
    measurement.stop()
    yield
    measurement.start()
