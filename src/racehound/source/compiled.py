"""Whether Python has compiled a file as it is now: what it would run in place of the source was made from it.

The test is Python's own, before it runs what lies in `__pycache__`: time and size of the source are in its head.
"""

import os
from importlib.util import MAGIC_NUMBER, cache_from_source

_HEAD = 16
_BY_TIME = b"\0\0\0\0"
"""Other flags mean that a digest of the source is in the head."""


def is_compiled(path: str, size: int) -> bool:
    """`size` is that of the content which was read: it may be another one by now."""
    try:
        with open(cache_from_source(path), "rb", buffering=0) as file:  # noqa: PTH123 - for thousands of files
            head = file.read(_HEAD)
        status = os.stat(path)  # noqa: PTH116 - likewise
    except (OSError, ValueError, NotImplementedError):
        return False  # nobody has, or it is not told where that would be
    seen = b"".join(_number(item) for item in (int(status.st_mtime), size))
    return status.st_size == size and head == MAGIC_NUMBER + _BY_TIME + seen


def _number(value: int) -> bytes:
    return (value & 0xFFFFFFFF).to_bytes(4, "little")
