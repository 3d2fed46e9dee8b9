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
        save(name)
        load(name)
    def save(path):
        with open(path, "w") as file:
            file.write("x")
    def load(path):
        with open(path) as file:
            return json.load(file)
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
FUTURE = """
    from concurrent.futures import ThreadPoolExecutor
    POOL = ThreadPoolExecutor()
    class Answer:
        def __init__(self):
            self.tries = 0
        def send(self):
            POOL.submit(self._again)
        def _again(self):
            self.tries = self.tries + int(ask())
            self.send()
    class Session:
        def request(self):
            answer = Answer()
            answer.send()
            return answer
    """
REACTOR = """
    import threading
    class Timers:
        def __init__(self, reactor):
            self._lock = threading.Lock()
            self._task = None
            self._rows = []
            self._reactor = reactor
        def add(self, row):
            with self._lock:
                self._rows.append(row)
            self._reactor.callFromThread(self._plan)
        def _plan(self):
            if self._task is None:
                self._task = self._reactor.callLater(1, self._run)
        def _run(self):
            with self._lock:
                self._rows.clear()
            self._task = None
    """
POLLER = """
    class Poller:
        def __init__(self):
            self.readables = set()
        def watch(self, fd):
            self.readables.add(fd)
        def again(self):
            for fd in self.readables:
                self.watch(fd)
    """
SHARED_DIRECTORY = """
    import os, tempfile
    def info():
        path = os.path.join(tempfile.gettempdir(), "tool-info")
        try:
            os.makedirs(path)
        except OSError:
            return path
    """
LAST = """
    from concurrent.futures import ThreadPoolExecutor
    class Driver:
        def __init__(self):
            self._pool = ThreadPoolExecutor()
        def shutdown(self):
            self._pool.submit(self._last)
        def _last(self):
            send()
    """
STARTUP = """
    import asyncio
    async def startup(sources):
        try:
            await go()
        except asyncio.CancelledError:
            for source in sources:
                try:
                    await source.end()
                except asyncio.CancelledError:
                    print(source)
            raise
    """
SETTING = """
    from concurrent.futures import ThreadPoolExecutor
    ADDRESS = None
    def set_address(address):
        global ADDRESS
        ADDRESS = address
        tell(ADDRESS)
    def main(addresses):
        with ThreadPoolExecutor() as pool:
            pool.map(set_address, addresses)
    """
RESULTS = """
    import json, os
    def save(values, path):
        with open(os.path.join(path, "metrics.json"), "w") as file:
            json.dump(values, file)
    def load(path):
        with open(os.path.join(path, "metrics.json")) as file:
            return json.load(file)
    """
PIDS = """
    import json, os
    HOME = os.path.expanduser("~")
    def file_of(name):
        return os.path.join(HOME, name)
    def save(name, pid):
        with open(file_of(name), "w") as file:
            json.dump(pid, file)
    def load(name):
        try:
            with open(file_of(name)) as file:
                return json.load(file)
        except ValueError:
            return None
    """
BUILD = """
    import json, os
    class Build:
        def __init__(self, home):
            self.home = home
        def _path(self, name):
            return os.path.join(self.home, name)
        def save(self, values):
            with open(self._path("digest.json"), "w") as file:
                json.dump(values, file)
        def template(self):
            with open(self._path("page.html")) as file:
                return json.load(file)
    """
ORDER = """
    import threading
    from contextlib import contextmanager
    class Account:
        def __init__(self):
            self._lock = threading.Lock()
            self._audit = threading.Lock()
        @contextmanager
        def locked(self):
            with self._lock:
                yield
        @contextmanager
        def audited(self):
            with self._audit:
                yield
        def pay(self):
            with self.locked(), self.audited():
                work()
        def report(self):
            with self.locked(), self.audited():
                work()
    """
BUS = """
    import threading
    class Base:
        def __init__(self):
            self.listeners = {}
        def fire(self, event):
            for listener in list(self.listeners.values()):
                listener(event)
    class Bus(Base):
        def __init__(self):
            super().__init__()
            threading.Thread(target=self.pump).start()
        def pump(self):
            self.fire(read())
        def subscribe(self, name, listener):
            self.listeners[name] = listener
    """
COUNT = """
    import threading
    class Pool:
        def __init__(self):
            self.open = 0
            threading.Thread(target=self._work).start()
        def _work(self):
            self.open = self.open + int(ask())
        def shutdown(self):
            self.open = self.open - int(ask())
    """
MADE = "answer = Answer()\n            answer.send()\n            return answer"
ARGUMENTS = """
    import argparse, json
    def main():
        arguments = argparse.ArgumentParser().parse_args()
        values = load(arguments.source)
        with open(arguments.target, "w") as file:
            json.dump(values, file)
    def load(path):
        with open(path) as file:
            return json.load(file)
    """
TICKETS = """
    import threading
    class Answers:
        def __init__(self):
            self._lock = threading.Lock()
            self._kept = {}
        def keep(self, message_id, answer):
            with self._lock:
                self._kept[message_id] = answer
        def take(self, message_id):
            if message_id in self._kept:
                return self._kept.pop(message_id)
    """
CASES = {
    "what belongs to the one who has the number": Case(
        "RH101",
        TICKETS,
        "def take(self, message_id):\n            if message_id in self._kept:\n"
        "                return self._kept.pop(message_id)",
        "def take(self, host):\n            if host in self._kept:\n                return self._kept.pop(host)",
    ),
    "an object of one call that is handed back at once": Case(
        "RH102", FUTURE.replace(MADE, "return Answer()"), "return Answer()", "self.last = Answer()"
    ),
    "an object of one call, not of the module": Case(
        "RH102", FUTURE, MADE, "return ANSWER.send()\n    ANSWER = Answer()"
    ),
    "an object of one call that hands on its own work": Case(
        "RH102",
        FUTURE,
        "answer = Answer()\n            answer.send()",
        "answer = self.last = Answer()\n            self.last = answer",
    ),
    "steps that a reactor runs": Case(
        "RH105", REACTOR, "self._reactor.callFromThread(self._plan)", "self._plan()"
    ),
    "a helper that puts back what is there": Case("RH104", POLLER, "readables.add(fd)", "readables.discard(fd)"),
    "a directory meant for all runs": Case("RH402", SHARED_DIRECTORY, "except OSError:", "except KeyError:"),
    "the last work of a shutdown": Case("RH306", LAST, "def shutdown", "def ask"),
    "a cancellation that is raised in the end": Case(
        "RH312", STARTUP, "            raise\n", "            print(1)\n"
    ),
    "a setting": Case("RH108", SETTING, "set_address", "visit"),
    "a file that the caller names": Case(
        "RH403", RESULTS, "def load(path):", "def load(path=HOME): pass\n    def _load(path):"
    ),
    "a reader that expects half a file": Case("RH403", PIDS, "except ValueError:", "except KeyError:"),
    "two files that one helper names": Case("RH403", BUILD, "page.html", "digest.json"),
    "context managers in one order": Case(
        "RH201",
        ORDER,
        "def report(self):\n            with self.locked(), self.audited()",
        "def report(self):\n            with self.audited(), self.locked()",
    ),
    "a copy of what a derived class changes": Case(
        "RH103", BUS, "list(self.listeners.values())", "self.listeners.values()"
    ),
    "a count at the end": Case(
        "RH102",
        COUNT,
        "def _work(self):\n            self.open = self.open + int(ask())\n        def shutdown",
        "def _work(self):\n            self.open = self.open + int(ask())\n        def release",
    ),
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


def test_two_options_of_a_command_are_two_files() -> None:
    assert not accused("RH403", ARGUMENTS)
