"""What says that two operations meet, and what says that they do not: each form beside its racy twin."""

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
    sound: str
    """A part of the text that makes it right."""
    racy: str
    """What stands there in the twin."""


LEDGER = """
    import os, threading
    _LOCK = threading.Lock()
    _SEEN = {}
    def keep(name):
        with _LOCK:
            _trim()
            _SEEN[name] = 1
    def drop(name):
        with _LOCK:
            _SEEN.pop(name, None)
    def forget():
        with _LOCK:
            _trim()
    def _trim():
        while len(_SEEN) > 3:
            del _SEEN[next(iter(_SEEN))]
    """
METER = """
    import os, threading
    class Meter:
        '''Counts calls; thread-safe.'''
        def __init__(self):
            self._lock = threading.Lock()
            self.calls = 0
        def add(self):
            with self._lock:
                self.calls += 1
        def forget_parent(self):
            self.calls = self.calls % 2
    METER = Meter()
    def _in_child():
        METER.forget_parent()
    def setup():
        os.register_at_fork(after_in_child=_in_child)
    """
BOARD = """
    import threading
    class Board:
        def __init__(self):
            self._states = {}
            threading.Thread(target=self._beat).start()
        def end(self, job):
            if self._states[job] == 1:
                self._states[job] = 2
        def _beat(self):
            for job, state in self._states.items():
                print(job, state)
    """
TABLE = """
    import threading
    class Table:
        def __init__(self):
            self._lock = threading.Lock()
            self._rows = {}
        def add(self, key):
            with self._lock:
                self._rows[key] = 1
        def find(self, key):
            if key in self._rows:
                return self._rows[key]
        def drop(self, key):
            with self._lock:
                del self._rows[key]
    TABLE = Table()
    async def ask(key):
        TABLE.drop(key)
        return helper(key)
    def helper(key):
        return TABLE.find(key)
    """
PRINTER = """
    import threading
    class Box:
        def __init__(self):
            self._lock = threading.Lock()
            self._rows = {}
        def add(self, key):
            with self._lock:
                self._rows[key] = 1
        def find(self, key):
            if key in self._rows:
                return self._rows[key]
        def _empty(self):
            with self._lock:
                self._rows.clear()
        def end(self):
            return None
    """
RUN = """
    import threading
    class Run:
        def __init__(self):
            self._lock = threading.Lock()
            self._done = 0
        def execute(self):
            self._done = 0
            with self._lock:
                self.begin()
        def finish(self):
            with self._lock:
                self._done += 1
        def again(self):
            with self._lock:
                self._done += 2
    """
SHARES = """
    import threading
    class Shares:
        def __init__(self):
            self._lock = threading.Lock()
            self._known = {}
        def of(self, path):
            return self._known.get(path) or self.opened(path)
        def opened(self, path):
            with self._lock:
                self._known.pop(path, None)
                self._known[path] = path
                return path
    """
PUSHER = """
    import asyncio, threading
    class Pusher:
        def __init__(self):
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever)
            self._thread.start()
        def push(self, work):
            if threading.get_ident() == self._thread.ident:
                self._loop.create_task(work())
            else:
                asyncio.run_coroutine_threadsafe(work(), self._loop)
    """
LINES = """
    import asyncio
    class Lines:
        lines = asyncio.Queue()
        def __init__(self, loop):
            loop.run_until_complete(self.take())
            loop.run_until_complete(self.take())
        async def take(self):
            return await self.lines.get()
    """
SCRATCH = """
    import os, tempfile
    def ends():
        with tempfile.TemporaryDirectory() as base:
            both(base)
    def both(base):
        name = os.path.join(base, "log")
        write(name)
        read(name)
    def write(path):
        with open(path, "w") as file:
            file.write("x")
    def read(path):
        with open(path) as file:
            return file.read()
    """
POOL = """
    from concurrent.futures import ThreadPoolExecutor
    class Pool:
        def __init__(self):
            self._pool = ThreadPoolExecutor()
        def run(self, task):
            def work():
                task()
            self._pool.submit(work)
    """
EVENT = """
    import threading
    class Event:
        def __init__(self):
            self._ready = threading.Condition()
            self._flag = False
        def set(self):
            with self._ready:
                self._flag = True
                self._ready.notify_all()
        def wait(self):
            with self._ready:
                if not self._flag:
                    self._ready.wait()
        def clear(self):
            with self._ready:
                self._flag = True
    """
CHECKED = """
    import threading
    def refused(blocking):
        threading.Lock().acquire(blocking)
        return blocking
    """
CASES = {
    "a private function whose callers hold the lock": Case(
        "RH107",
        LEDGER,
        "def forget():\n        with _LOCK:\n            _trim()",
        "def forget():\n        _trim()",
    ),
    "what runs in a forked child": Case(
        "RH102", METER, "os.register_at_fork(after_in_child=_in_child)", "_in_child()"
    ),
    "a fork handler by its name": Case(
        "RH102",
        METER.replace("forget_parent", "forget").replace("_in_child(", "_after_fork("),
        "_after_fork()",
        "work()",
    ),
    "an item whose key was read before": Case(
        "RH103", BOARD, "if self._states[job] == 1:", "if job in self._states:"
    ),
    "a class that only coroutines use": Case("RH101", TABLE, "async def ask", "def ask"),
    "a private method that nothing calls": Case("RH101", PRINTER, "return None", "return self._empty()"),
    "a reset before the function's own section": Case(
        "RH107", RUN, "self._done = 0\n            with", "self._done = len(x)\n            with"
    ),
    "a fast path whose other way looks again": Case("RH107", SHARES, "or self.opened(path)", "or path"),
    "a branch that knows its thread": Case("RH309", PUSHER, "threading.get_ident() == self._thread.ident", "work"),
    "one loop that is run twice": Case("RH308", LINES, "loop.run_until_complete", "asyncio.run"),
    "a file of a temporary directory": Case(
        "RH403",
        SCRATCH,
        "with tempfile.TemporaryDirectory() as base:\n            both",
        "for base in names():\n            both",
    ),
    "work that a caller gave": Case("RH306", POOL, "task()", "load()"),
    "a flag that nobody takes back": Case(
        "RH207",
        EVENT,
        "def clear(self):\n            with self._ready:\n                self._flag = True",
        "def clear(self):\n            with self._ready:\n                self._flag = False",
    ),
    "a lock that is only asked for its manners": Case(
        "RH111", CHECKED, "threading.Lock().acquire(blocking)", "with threading.Lock(): print(blocking)"
    ),
}


def accused(rule: str, *texts: str) -> bool:
    modules = [
        SourceModule.from_text(dedent(text).lstrip(), f"module{number}.py") for number, text in enumerate(texts)
    ]
    found = rule_named(rule).check(Program.of(*modules))
    return any(finding.confidence is not Confidence.POSSIBLE for finding in found)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_cannot_meet_is_quiet_and_its_racy_twin_is_accused(case: Case) -> None:
    assert case.sound in case.text

    assert not accused(case.rule, case.text)
    assert accused(case.rule, case.text.replace(case.sound, case.racy))
