"""What the tests of guard share."""

import ctypes
import gc
import sys
import warnings
from collections.abc import Iterator

import pytest

_KEPT: list[object] = []
ctypes.pythonapi.Py_IncRef(ctypes.py_object(_KEPT))  # also beyond the end of the interpreter


@pytest.fixture(name="uncollected")
def _uncollected() -> Iterator[None]:
    """What pools of processes leave behind is kept.

    They read pickled bytes through views of a buffer. Where the collector clears the buffer before its view,
    Python 3.12.1 crashes, and 3.13.0 tells of a `BufferError` in the middle of whatever test is running.
    """
    if sys.version_info < (3, 12):
        yield
        return
    gc.disable()
    yield
    gc.set_debug(gc.DEBUG_SAVEALL)
    with warnings.catch_warnings(action="ignore"):  # what they leave open is theirs to close
        gc.collect()
    gc.set_debug(0)
    _KEPT.extend(gc.garbage)
    gc.garbage.clear()
    gc.enable()
