"""Races that hurt nobody: each form beside its twin, where what is lost or done twice matters."""

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
    harmless: str
    """A part of the text that makes it harmless."""
    racy: str
    """What stands there in the twin."""


NAMES = """
    import signal
    import threading
    class Signals:
        _names = None
        @classmethod
        def names(cls):
            if cls._names is None:
                found = {}
                for name in dir(signal):
                    found[name] = getattr(signal, name)
                cls._names = found
            return cls._names
        @classmethod
        def find(cls, name):
            return cls.names().get(name)
    """

LOADED = """
    import json
    from concurrent.futures import ThreadPoolExecutor
    _table = None
    def table():
        global _table
        if _table is None:
            _table = read_table()
        return _table
    def read_table():
        return json.loads(TEXT)
    def main(names):
        with ThreadPoolExecutor() as pool:
            return list(pool.map(lambda name: table()[name], names))
    """

KIND = """
    class Base:
        '''Thread-safe.'''
        def __init__(self):
            self._kind = None
        def kind(self):
            if self._kind is None:
                self._kind = type("Kind", (Base,), {"base": self})
            return self._kind
    """

ENABLED = """
    import threading
    class Tracer:
        _instance = None
        @classmethod
        def enable(cls):
            if cls._instance is None:
                cls._instance = cls()
    """

SLICERS = """
    import threading
    class Slicers:
        '''Thread-safe.'''
        def __init__(self):
            self._known = {}
        def get(self, name):
            if name not in self._known:
                raise ValueError(name)
            return self._known[name]
        def reload(self, plugins):
            self._known = {plugin.name: plugin for plugin in plugins}
    """

TIMES = """
    import threading
    class Heater:
        def __init__(self):
            self._began = None
            self._lost = 0
            threading.Thread(target=self.heat).start()
            threading.Thread(target=self.begin).start()
        def heat(self):
            if self._began:
                self._lost = self._lost + self._began
                self._began = None
        def begin(self):
            self._began = now()
            self._lost = 0
    """

WARNED = """
    import logging
    from concurrent.futures import ThreadPoolExecutor
    log = logging.getLogger(__name__)
    _told = set()
    def check(topic):
        if topic not in _told:
            _told.add(topic)
            log.warning("%s is old", topic)
    def main(topics):
        with ThreadPoolExecutor() as pool:
            pool.map(check, topics)
    """

VALIDATED = """
    from concurrent.futures import ThreadPoolExecutor
    class Checker:
        def __init__(self):
            self._valid = set()
        def check(self, name):
            if name in self._valid:
                return
            verify(name)
            self._valid.add(name)
        def main(self, names):
            with ThreadPoolExecutor() as pool:
                pool.map(self.check, names)
    """

TURNS = """
    from concurrent.futures import ThreadPoolExecutor
    class Hosts:
        def __init__(self, hosts):
            self._hosts = hosts
            self._next = 0
        def ask(self, text):
            self._next = (self._next + 1) % 8
        def main(self, texts):
            with ThreadPoolExecutor() as pool:
                pool.map(self.ask, texts)
    """

RUN = """
    import threading
    class Numbers:
        def __init__(self):
            self.lock = threading.Lock()
            self._cache = {}
        def run(self, name):
            self._cache[name] = len(self._cache)
        def clear(self):
            with self.lock:
                self._cache.clear()
    shared = Numbers()
    def number(name):
        with shared.lock:
            shared.run(name)
    """

NESTED = """
    class Pending:
        def __init__(self):
            self._pending = {}
        def go(self):
            for name in self._pending:
                self._drop(name)
        def _drop(self, name):
            del self._pending[name]["first"]
    """

NOTES = """
    import threading, time

    class Log:
        def __init__(self, device):
            self._lock = threading.Lock()
            self._device = device
            self._lines = []
            self._last = 0.0

        def _stamp(self):
            self._last = time.monotonic()

        def add(self, line):
            self._lock.acquire()
            self._lines.append(line)
            self._stamp()
            self._lock.release()
    """

BORROWED = """
    import threading
    class Client:
        def __init__(self):
            self.lock = threading.Lock()
        def check(self):
            if self.open:
                return
            self.lock.release()
            close()
            self.lock.acquire()
            raise ConnectionError
    """

LEVEL = """
    import enum
    from concurrent.futures import ThreadPoolExecutor
    class Level(enum.Enum):
        LOW = "low"
    _level = None
    def level():
        global _level
        if _level is None:
            _level = Level("low")
        return _level
    def main(names):
        with ThreadPoolExecutor() as pool:
            return list(pool.map(lambda name: level(), names))
    """

RECORDS = """
    from concurrent.futures import ThreadPoolExecutor
    _RECORDS = {}
    def record(path):
        found = _RECORDS.get(path)
        if found is None:
            found = {"path": path, "size": len(path)}
            _RECORDS[path] = found
        return found["size"]
    def main(paths):
        with ThreadPoolExecutor() as pool:
            return list(pool.map(record, paths))
    """

DRAINED = """
    import queue
    class Pool:
        '''Thread-safe.'''
        def __init__(self):
            self._jobs = queue.Queue()
            self._errors = queue.Queue()
        def result(self):
            self._jobs.join()
            if not self._errors.empty():
                raise self._errors.get()
    """

PAUSED = """
    import threading
    class Player:
        def __init__(self):
            self._lock = threading.Lock()
            self._data = []
        def work(self):
            with self._lock:
                self._fill()
        def _fill(self):
            self._lock.release()
            data = read()
            self._lock.acquire()
            self._data.append(data)
    """

ASKED = """
    import threading
    class Dialogs:
        def __init__(self):
            self._open = {}
        def ask(self, name):
            done = threading.Semaphore(0)
            self._open[name] = {"done": done}
            done.acquire()
            return self._open.pop(name)
    """

ASLEEP = """
    import threading
    def rounds(seconds):
        wake = threading.Condition()
        while True:
            work()
            with wake:
                wake.wait(seconds)
    """

STARTED = """
    import threading
    class Pipe:
        def __init__(self):
            self._lock = threading.Lock()
            self._port = None
            self.bind()
        def bind(self):
            if self._port is None:
                self._port = Server(self)
        def send(self, text):
            with self._lock:
                write(self._port, text)
    """

CACHE = """
    import json
    PATH = "cache.json"
    def store(values):
        try:
            with open(PATH, "w") as file:
                json.dump(values, file)
        except Exception:
            print("not stored")
    def fetch():
        try:
            with open(PATH) as file:
                return json.load(file)
        except Exception:
            return None
    """

TOUCHED = """
    import json
    PATH = "stamp"
    def touch():
        with open(PATH, "w"):
            pass
    def look():
        with open(PATH) as file:
            return json.load(file)
    """

DRAFT = """
    class Notebook:
        def __init__(self, history):
            self.history = history
        def draft(self):
            with open(self.history, "w") as file:
                file.write("cells")
        def edit(self):
            self.draft()
            with open(self.history) as file:
                return file.read()
    """

KEPT = """
    class Writer:
        def __init__(self, report):
            self.report = report
        def publish(self):
            with open(self.report, "w") as file:
                file.write("cells")
        def sum_up(self):
            with open(self.report) as file:
                return file.read()
    """

PROFILE = """
    import os, tempfile
    class Profile:
        def __init__(self):
            self._place = tempfile.mkdtemp()
        def save(self):
            with open(os.path.join(self._place, "user.js"), "w") as file:
                file.write("1")
        def load(self):
            with open(os.path.join(self._place, "user.js")) as file:
                return json.load(file)
    """

DRAWN = """
    import os, uuid
    def prepare(root):
        place = os.path.join(root, f"{uuid.uuid4()}")
        if not os.path.exists(place):
            os.makedirs(place)
    """

EITHER = """
    import asyncio, time
    async def watch(on_loop):
        while True:
            if on_loop:
                await asyncio.sleep(10)
            else:
                time.sleep(10)
    """

CLOSING = """
    import asyncio
    class Reader:
        async def run(self):
            while not self._closing:
                try:
                    await self._stream.read()
                except asyncio.CancelledError:
                    print("cancelled")
        def close(self):
            self._closing = True
            self._task.cancel()
    """

LEFT = """
    import asyncio
    from twisted.internet.defer import inlineCallbacks, returnValue
    class Protocol:
        @inlineCallbacks
        def handle(self, events):
            for event in events:
                try:
                    yield self.process(event)
                except:
                    self.lose()
                    returnValue(None)
    """

STATUS = """
    import asyncio
    class Exchange:
        def __init__(self):
            self.options = {}
        async def status(self):
            if "open" not in self.options:
                answer = await self.ask()
                self.options["open"] = str(answer)
        async def main(self):
            await asyncio.gather(self.status(), self.status())
    """

CASES = {
    "a table that is filled before it is stored": Case(
        "RH106", NAMES, "cls.names().get(name)", "cls._names.pop(name)"
    ),
    "data that is made of a text": Case(
        "RH106", LOADED, "return json.loads(TEXT)", "return json.load(open(TEXT))"
    ),
    "a class made at run time": Case("RH105", KIND, 'type("Kind", (Base,), {"base": self})', "connect(self)"),
    "what is set up once": Case("RH106", ENABLED, "def enable(", "def current("),
    "a table of which there is a new edition": Case(
        "RH101", SLICERS, "{plugin.name: plugin for plugin in plugins}", "{}"
    ),
    "a fresh start in another thread": Case(
        "RH107", TIMES, "self._began = None\n        def begin", "self._began = later()\n        def begin"
    ),
    "a warning that comes twice": Case("RH101", WARNED, 'log.warning("%s is old", topic)', "charge(topic)"),
    "a record that is stored whole": Case(
        "RH101", RECORDS, 'found = {"path": path, "size": len(path)}', "found = {}"
    ),
    "what is noted when it is done": Case(
        "RH101",
        VALIDATED,
        "verify(name)\n            self._valid.add(name)",
        "self._valid.add(name)\n            charge(name)",
    ),
    "a place that goes round": Case("RH102", TURNS, "(self._next + 1) % 8", "self._next + 1"),
    "what others call under the lock": Case(
        "RH107", RUN, "with shared.lock:\n            shared.run(name)", "shared.run(name)"
    ),
    "what lies below an item": Case("RH104", NESTED, '[name]["first"]', "[name]"),
    "a lock that the caller gets back": Case(
        "RH204",
        BORROWED,
        "self.lock.release()",
        "self.lock.acquire()\n            if self.late: raise OSError\n            self.lock.release()",
    ),
    "a lock around mere notes": Case("RH204", NOTES, "self._lines.append(line)", "self._device.write(line)"),
    "a lock around a step that only notes": Case(
        "RH204", NOTES, "self._last = time.monotonic()", "self._last = fetch_time()"
    ),
    "a member of an enumeration": Case("RH106", LEVEL, 'Level("low")', 'Connection("low")'),
    "a look when all work is done": Case("RH101", DRAINED, "self._jobs.join()", "self._jobs.put(1)"),
    "a lock that is let go of for a while": Case("RH203", PAUSED, "self._lock.release()", "print(1)"),
    "a semaphore that others find in a table": Case(
        "RH111", ASKED, 'self._open[name] = {"done": done}', "print(name)"
    ),
    "a way to sleep": Case("RH111", ASLEEP, "wake.wait(seconds)", "print(seconds)"),
    "a step of the constructor": Case(
        "RH105", STARTED, "write(self._port, text)", "self.bind()\n        def open(self): self.bind()"
    ),
    "a cache where nothing is minded": Case(
        "RH403", CACHE, "except Exception:\n            return None", "finally:\n            print(1)"
    ),
    "a file that stays empty": Case(
        "RH403", TOUCHED, '"w"):\n            pass', '"w") as file:\n            file.write("1")'
    ),
    "a file that its reader has written": Case("RH403", DRAFT, "self.draft()", "print(1)"),
    "a file that nothing says is kept": Case("RH403", KEPT, "report", "settings"),
    "a file that is no compiled module": Case("RH403", KEPT, "report", "pyc"),
    "a directory of one object": Case(
        "RH403", PROFILE, "self._place = tempfile.mkdtemp()", 'self._place = "profile"'
    ),
    "a name drawn by chance": Case("RH401", DRAWN, "{uuid.uuid4()}", "cache"),
    "a sleep for whoever has no loop": Case("RH310", EITHER, "await asyncio.sleep(10)", "print(1)"),
    "a loop that is ended before its task": Case("RH312", CLOSING, "self._closing = True", "print(1)"),
    "a handler that ends the coroutine": Case("RH312", LEFT, "returnValue(None)", "print(1)"),
    "an answer asked for twice": Case("RH302", STATUS, "str(answer)", "Connection(answer)"),
}


def accused(rule: str, text: str, path: str = "module.py") -> bool:
    module = SourceModule.from_text(dedent(text).lstrip(), path)
    found = rule_named(rule).check(Program.of(module))
    return any(finding.confidence is not Confidence.POSSIBLE for finding in found)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_hurts_nobody_is_quiet_and_its_racy_twin_is_accused(case: Case) -> None:
    assert case.harmless in case.text

    assert not accused(case.rule, case.text)
    assert accused(case.rule, case.text.replace(case.harmless, case.racy))


def test_nobody_sleeps_on_a_condition_that_is_waited_for_alone() -> None:
    assert not accused("RH207", ASLEEP)


def test_an_object_that_opens_something_when_it_is_made_is_not_plain() -> None:
    text = """
    import threading
    class Loader:
        def _open(self):
            if not hasattr(self, "_handle"):
                self._handle = Archive(self.names)
            return self._handle
        def start(self):
            for name in self.names:
                threading.Thread(target=self._open).start()
    class Archive:
        def __init__(self, names):
            self.names = open(names)
    """
    assert accused("RH105", text)
    assert not accused("RH105", text.replace("open(names)", "len(names)"))


def wide(fields: int) -> str:
    stores = "\n".join(f"            self.field{number} = name" for number in range(fields))
    return f"""
    from concurrent.futures import ThreadPoolExecutor
    class Master:
        def work(self, name):
            self.count += 1
            if self.count > 9: stop()
{stores}
        def main(self, names):
            with ThreadPoolExecutor() as pool:
                pool.map(self.work, names)
    """


def test_a_thread_says_less_of_one_field_in_a_wide_class() -> None:
    assert not accused("RH102", wide(11))
    assert accused("RH102", wide(2))


SCRIPT = """
    import os
    def prepare(place):
        if not os.path.exists(place):
            os.makedirs(place)
    if __name__ == "__main__":
        prepare("out")
    """


def test_scripts_for_developers_are_run_one_at_a_time() -> None:
    assert not accused("RH401", SCRIPT, "project/tools/gallery.py")
    assert accused("RH401", SCRIPT, "project/gallery.py")
