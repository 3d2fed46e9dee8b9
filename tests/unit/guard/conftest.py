"""What the tests of guard share."""

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(name="uncollected")
def _uncollected() -> Iterator[None]:
    """What pools of processes leave behind is kept.

    They read pickled bytes through views of a buffer. Python 3.12.1 crashes where the collector clears the buffer
    before its view.
    """
    gc.disable()
    yield
    gc.freeze()
    gc.enable()
