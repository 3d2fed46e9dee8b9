"""What every test can rely on: no colour, no settings of the person who runs the suite."""

import os
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

_MEASURES_CHILDREN = ("COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START")


def pytest_configure() -> None:
    """Take coverage out of `os._exit` here: a forked child would save all that we have measured."""
    os._exit = getattr(__import__(os.name), "_exit", os._exit)


@pytest.fixture(autouse=True)
def _children_unmeasured(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measuring makes the start of an interpreter nine times as long: kept for what runs in children alone."""
    if request.node.get_closest_marker("measured_children") is None:
        for name in _MEASURES_CHILDREN:
            monkeypatch.delenv(name, raising=False)


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
    for name in _MEASURES_CHILDREN:
        monkeypatch.delenv(name, raising=False)
    measurement = coverage.Coverage.current()
    if measurement is None:
        yield
        return
    measurement.stop()
    yield
    measurement.start()
