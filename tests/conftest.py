"""What every test can rely on: no colour, no settings of the person who runs the suite.

Where coverage is on, it measures the tests themselves and not the work of pytest between them: tracing makes that
work several times as long, and none of it is ours.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest

_MEASURES_CHILDREN = ("COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START")
_MEASUREMENT = coverage.Coverage.current()
"""What was under way when the suite began, in this process."""


def pytest_configure() -> None:
    """Take coverage out of `os._exit` here: a forked child would save all that we have measured."""
    os._exit = getattr(__import__(os.name), "_exit", os._exit)


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop() -> Iterator[None]:
    """Pause from here: modules have been imported, and measured while they were."""
    if _MEASUREMENT is None:
        return (yield)
    _MEASUREMENT.stop()
    _MEASUREMENT.set_option("run:patch", [])  # or each start below would wrap `os._exit` once more
    try:
        return (yield)
    finally:
        _MEASUREMENT.start()


def pytest_sessionfinish() -> None:
    """Write down what was measured: a worker that takes longer than ten seconds for it at its end is killed."""
    if _MEASUREMENT is not None:
        _MEASUREMENT.save()


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Iterator[None]:
    """Measure the test, unless it asks not to be."""
    if _MEASUREMENT is None or "unmeasured" in pyfuncitem.fixturenames:
        return (yield)
    _MEASUREMENT.start()
    try:
        return (yield)
    finally:
        _MEASUREMENT.stop()


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
    if _MEASUREMENT is not None:
        place = Path(str(_MEASUREMENT.get_option("run:data_file"))).resolve().parent
        place.mkdir(exist_ok=True)
        monkeypatch.setenv("RACEHOUND_WRITABLE", str(place))


@pytest.fixture(name="unmeasured")
def _unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coverage pauses, also in children: long searches only repeat lines, and tracing trebles their time."""
    for name in _MEASURES_CHILDREN:
        monkeypatch.delenv(name, raising=False)
