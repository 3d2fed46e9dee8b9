"""What the long comparisons have in common."""

from collections.abc import Iterator

import coverage
import pytest


@pytest.fixture(name="unmeasured")
def _unmeasured() -> Iterator[None]:
    """Coverage pauses: an exhaustive search takes the same few lines over and over; tracing trebles its time."""
    measurement = coverage.Coverage.current()
    if measurement is None:
        yield
        return
    measurement.stop()
    yield
    measurement.start()
