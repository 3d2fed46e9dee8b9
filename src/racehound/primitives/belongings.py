"""What belongs to a thread: what a job of a pool has left there, and who it asks to be.

A worker keeps what its jobs leave in its thread, in a `threading.local` or a context variable, for the jobs that
come after them. Instrumented code says itself that it uses a `threading.local`; what others use is seen from
outside.
"""

import _thread
import gc
import sys
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.tracked import tracked
from racehound.engine.workers import is_in_job, tell_workers_apart
from racehound.primitives.replacement import Replacement

_get_ident = _thread.get_ident
_get_native_id = _thread.get_native_id
_current_thread = threading.current_thread
_AT_HOME: Final = ("threading.", "logging.", "racehound.")
"""Whoever asks here does so for purposes of his own, or to tell a person."""


class _Locals:
    """The `threading.local` objects of this process, as far as they are older than the first job of a pool."""

    def __init__(self) -> None:
        self._known: list[weakref.ref[threading.local]] | None = None

    def users(self) -> int:
        """How many threads have something there, all in all."""
        if self._known is None:
            self._known = [weakref.ref(each) for each in tracked() if issubclass(type(each), threading.local)]
        known = (each() for each in self._known)
        parts = (part for each in known if each is not None for part in gc.get_referents(each))
        return sum(len(part) for part in parts if type(part) in (dict, set))


_LOCALS: Final = _Locals()


def _belongings() -> tuple[int, dict[Any, Any]]:
    return _LOCALS.users(), dict(copy_context().items())


@contextmanager
def leaving_nothing() -> Iterator[None]:
    """A job of a pool, which is not to leave anything in its thread."""
    before = _belongings()
    CONTROL.jobs.add(_get_ident())
    try:
        yield
    finally:
        CONTROL.jobs.discard(_get_ident())
    execution = CONTROL.in_charge()
    if execution is not None and _belongings() != before:
        tell_workers_apart(execution, "a job of a pool leaves something in its thread")


def _notice() -> None:
    """Somebody asks which thread he is on."""
    execution = CONTROL.in_charge() if is_in_job() else None
    asker = f"{sys._getframe(2).f_globals.get('__name__')}."  # noqa: SLF001 - who has called the stand-in
    if execution is not None and not asker.startswith(_AT_HOME):
        tell_workers_apart(execution, "a job of a pool asks which thread it is on")


def get_ident() -> int:
    _notice()
    return _get_ident()


def get_native_id() -> int:
    _notice()
    return _get_native_id()


def current_thread() -> threading.Thread:
    _notice()
    return _current_thread()


REPLACEMENTS: Final = (
    Replacement(threading, "get_ident", get_ident),
    Replacement(threading, "get_native_id", get_native_id),
    Replacement(threading, "current_thread", current_thread),
    Replacement(_thread, "get_ident", get_ident),
    Replacement(_thread, "get_native_id", get_native_id),
)
