"""Landlock: the kernel lets this process, and whatever it starts, write below certain places only.

Nothing that code can do takes it back. It is there on Linux from 5.13 on, unless whoever runs the machine has
switched it off; later kernels know more rights, and a right must not be named to one that does not know it.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""Numbers of the calls, the same on every architecture."""
_PR_SET_NO_NEW_PRIVS: Final = 38
_ASK_VERSION: Final = 1
_BENEATH: Final = 1

_WRITE_FILE: Final = 1 << 1
_MAKE_AND_REMOVE: Final = sum(1 << bit for bit in range(4, 13))
_MOVE: Final = 1 << 13
_TRUNCATE: Final = 1 << 14
_SIGNALS: Final = 1 << 1
_MOVE_SINCE, _TRUNCATE_SINCE, _SIGNALS_SINCE = 2, 3, 6


def confine(places: Iterable[Path]) -> bool:
    """Whether this thread and all that it starts can from now on write below the places alone."""
    if sys.platform != "linux":  # pragma: needs another system
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    version: int = libc.syscall(_CREATE_RULESET, None, 0, _ASK_VERSION)
    if version < 1:  # pragma: needs a kernel without it
        return False
    rules = _rules(libc, version)
    try:
        for place in places:
            _allow(libc, rules, place, _rights(version))
        libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        return not libc.syscall(_RESTRICT_SELF, rules, 0)
    finally:
        os.close(rules)


def _rights(version: int) -> int:
    """What is forbidden elsewhere: all that changes a file or a directory."""
    known = _WRITE_FILE | _MAKE_AND_REMOVE
    known |= _MOVE if version >= _MOVE_SINCE else 0
    return known | (_TRUNCATE if version >= _TRUNCATE_SINCE else 0)


def _rules(libc: ctypes.CDLL, version: int) -> int:
    files, whole = _rights(version), version >= _SIGNALS_SINCE
    attributes = struct.pack("=QQQ", files, 0, _SIGNALS) if whole else struct.pack("=Q", files)
    number: int = libc.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    if number < 0:  # pragma: needs a kernel that knows it and refuses
        raise OSError(ctypes.get_errno(), "the kernel takes no rules")
    return number


def _allow(libc: ctypes.CDLL, rules: int, place: Path, rights: int) -> None:
    try:
        beneath = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # what is not there cannot be written to
        return
    try:
        possible = rights if place.is_dir() else rights & (_WRITE_FILE | _TRUNCATE)
        libc.syscall(_ADD_RULE, rules, _BENEATH, struct.pack("=Qi", possible, beneath), 0)
    finally:
        os.close(beneath)
