"""Whether files are as they were: by what the file system says, by content where that is not enough."""

import os
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import TypeAlias

Signature: TypeAlias = list[int] | None
"""Time of the last change, size and number of the file; None where there is no file."""
Witness: TypeAlias = tuple[Signature, str | None]
"""The signature, where it can be relied on, and a digest of the content, where it could be read."""

_UNSETTLED = 2_000_000_000
"""Nanoseconds: what was changed shortly before it was read may change again and keep its time."""
_TICK = 50_000_000
"""Nanoseconds: file systems tell time in steps."""


def signature(path: str) -> Signature:
    try:
        status = os.stat(path)  # noqa: PTH116 - a `Path` for each of thousands would double the time
    except OSError:
        return None
    return [status.st_mtime_ns, status.st_size, status.st_ino]


def is_there(path: str) -> bool:
    """False only if its directory has no such entry: one that leads nowhere may lead somewhere later."""
    try:
        os.lstat(path)
    except FileNotFoundError:
        return False
    except OSError:
        return True  # it cannot be told
    return True


def witness(path: str, since: int, before: Witness | None = None) -> Witness | None:
    """For a file that was read after `since`; None where it may have been changed meanwhile.

    `before` is what was known of it earlier: with the same signature it has the same content.
    """
    found = signature(path)
    if before is not None and found is not None and found == before[0]:
        return found, before[1]
    if found is not None and found[0] > since - _TICK:
        return None
    if found is not None and found[0] > since - _UNSETTLED:
        found = None
    return found, content_of(path)


def content_of(path: str) -> str | None:
    """A digest of the content; None where it cannot be read."""
    try:
        return digest(Path(path).read_bytes())
    except OSError:
        return None


def digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def are_as_before(signatures: Iterable[tuple[str, Signature]]) -> bool:
    return all(signature(path) == known for path, known in signatures)
