"""Landlock: the kernel lets a thread, and whatever it starts, change files below certain places only.

Before its second version it also refused every rename from one directory to another, which is no fence but another
world for the command; there it is not used.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from functools import cache

from racehound.processes.kernel import PR_SET_NO_NEW_PRIVS, last_error, prctl, system_call

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""The same on every architecture."""
ASK_VERSION, BENEATH = 1, 1
WRITE_FILE, TRUNCATE = 1 << 1, 1 << 14
MAKE_REMOVE_AND_MOVE = sum(1 << bit for bit in range(4, 14))
MOVES_SINCE, TRUNCATES_SINCE = 2, 3


@cache
def is_there() -> bool:
    return sys.platform == "linux" and _version() >= MOVES_SINCE


def confine(places: Iterable[str], existing: Iterable[str]) -> None:
    """From now on this thread can change what is below `places` alone.

    What is there below `existing` can be written to.
    """
    writing = WRITE_FILE | (TRUNCATE if _version() >= TRUNCATES_SINCE else 0)
    everything = writing | MAKE_REMOVE_AND_MOVE
    rules = _checked(CREATE_RULESET, _packed("=Q", everything), 8, 0)
    try:
        for place in places:
            _allow(rules, place, everything)
        for place in existing:
            _allow(rules, place, writing)
        prctl(PR_SET_NO_NEW_PRIVS, 1)
        _checked(RESTRICT_SELF, rules, 0)
    finally:
        os.close(rules)


def _version() -> int:
    return system_call(CREATE_RULESET, None, 0, ASK_VERSION)


def _allow(rules: int, place: str, rights: int) -> None:
    try:
        beneath = os.open(place, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:  # what is not there cannot be changed
        return
    try:
        _checked(ADD_RULE, rules, BENEATH, _packed("=Qi", rights, beneath), 0)
    finally:
        os.close(beneath)


def _packed(form: str, *values: int) -> "ctypes.Array[ctypes.c_char]":
    content = struct.pack(form, *values)
    return ctypes.create_string_buffer(content, len(content))


def _checked(number: int, *arguments: object) -> int:
    result = system_call(number, *arguments)
    if result < 0:
        raise last_error("landlock")
    return result
