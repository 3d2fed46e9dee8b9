"""Looks that are whole, locks in other clothes, no decorators: each form beside its twin, which is accused."""

from textwrap import dedent
from typing import NamedTuple

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule


class Case(NamedTuple):
    rule: str
    text: str
    quiet: str
    """A part of the text that is the reason."""
    racy: str
    """What stands there in the twin."""


ASKED_FOR_IN_A_LOOP = """
    import threading
    class Budget:
        '''Thread-safe.'''
        def __init__(self):
            self._lock = threading.Lock()
            self._spent = {}
        def spend(self, name, amount):
            while not self._lock.acquire(timeout=0.1):
                check_for_signals()
            try:
                self._spent[name] = int(self._spent[name]) + amount
            finally:
                self._lock.release()
    """

BY_A_MANAGER = """
    import contextlib
    import threading
    class Budget:
        '''Thread-safe.'''
        def __init__(self):
            self._lock = threading.Lock()
            self._spent = {}
        @contextlib.contextmanager
        def _alone(self):
            while not self._lock.acquire(timeout=0.1):
                check_for_signals()
            try:
                yield
            finally:
                self._lock.release()
        def spend(self, name, amount):
            with self._alone():
                self._spent[name] = int(self._spent[name]) + amount
    """

AT_EVERY_ACCESS = """
    import threading
    class Machine:
        def __init__(self):
            self.events = {}
        def names(self):
            return [name.upper() for name in self.events]
        def add(self, name):
            self.events[name] = name.upper()
    class SafeMachine(Machine):
        '''A thread-safe machine.'''
        def __getattribute__(self, name):
            return in_turn(super().__getattribute__(name))
    """

HANDLERS = """
    import threading
    class Emitter:
        def __init__(self):
            self._lock = threading.Lock()
            self._events = {}
        def on(self, event, handler):
            with self._lock:
                if event not in self._events:
                    self._events[event] = {}
                self._events[event][handler] = handler.name()
        def off(self, event, handler):
            with self._lock:
                self._events[event].pop(handler)
                if not self._events[event]:
                    del self._events[event]
        def names(self):
            return set(self._events.keys())
    """

RECENT = """
    import threading
    class Recent:
        def __init__(self):
            self._lock = threading.Lock()
            self._entries = {}
        def touch(self, key):
            with self._lock:
                value = self._entries.pop(key)
                self._entries[key] = value
        def put(self, key, value):
            with self._lock:
                self._entries[key] = value
        def drop(self, key):
            with self._lock:
                self._entries.pop(key)
        def told(self, key):
            return len(self._entries)
    """

CALLED = """
    class Measured:
        def __init__(self, formatter):
            self._called = formatter
        def __call__(self, settings):
            self._settings = settings
            return self._called(self._settings.name())
    """

PER_THREAD = """
    import threading
    class SessionType(type):
        def __call__(cls, key):
            try:
                return cls._thread_local.sessions[key]
            except AttributeError:
                session = super().__call__(key)
                cls._thread_local.sessions = {key: session}
            except KeyError:
                session = cls._thread_local.sessions[key] = super().__call__(key)
            return session
    """

DECORATES_METHODS = """
    import functools
    class Views:
        def checked(self, function):
            @functools.wraps(function)
            def wrap(self, sid):
                self.manager = connect(sid)
                return function(self.manager)
            return wrap
    """

CASES = {
    "an attempt that is repeated until it succeeds": Case(
        "RH102", ASKED_FOR_IN_A_LOOP, "check_for_signals()", "check_for_signals()\n                break"
    ),
    "a manager that asks for the lock in a loop": Case("RH102", BY_A_MANAGER, "check_for_signals()", "break"),
    "a hand in every access": Case("RH103", AT_EVERY_ACCESS, "__getattribute__(self", "lookup(self"),
    "which keys there are": Case(
        "RH107", HANDLERS, "set(self._events.keys())", "[name.upper() for name in self._events]"
    ),
    "how many there are": Case("RH107", RECENT, "len(self._entries)", "key in self._entries"),
    "what is no function of the program": Case("RH108", CALLED, "formatter", "function"),
    "a wrapper with an object of its own": Case("RH108", DECORATES_METHODS, "wrap(self, sid)", "wrap(sid)"),
    "a name that says it": Case("RH106", PER_THREAD, "_thread_local", "_in_common"),
}


def is_accused(rule: str, text: str) -> bool:
    program = Program.of(SourceModule.from_text(dedent(text)))
    found = rule_named(rule).check(program)
    return any(finding.confidence is not Confidence.POSSIBLE for finding in found)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_reason_is_silent_and_its_twin_is_accused(case: Case) -> None:
    assert not is_accused(case.rule, case.text)
    assert is_accused(case.rule, case.text.replace(case.quiet, case.racy))
