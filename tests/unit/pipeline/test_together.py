"""Several findings about one field become one, which names all the places."""

from pathlib import Path

import pytest

from racehound.model.finding import Confidence
from racehound.pipeline.hunt import hunt

HEAD = """
import threading

class Sessions:
    def __init__(self):
        self._lock = threading.Lock()
        self._open = {}

    def add(self, key, value):
        with self._lock:
            self._open[key] = value
"""
LOOP = """
    def loop_{number}(self):
        for key in self._open:
            print(key)
"""


@pytest.mark.parametrize("loops", [1, 2, 7])
def test_loops_over_one_field_are_told_once(tmp_path: Path, loops: int) -> None:
    path = tmp_path / "sessions.py"
    path.write_text(HEAD + "".join(LOOP.format(number=number) for number in range(loops)), "utf-8")

    found, _, _ = hunt([path], select=["RH103"])

    assert len(found) == 1
    assert ("more." in found[0].trigger) is (loops == 7)
    places = {access.location.line for item in found for access in (item.first, *item.further)}
    lines = path.read_text("utf-8").splitlines()
    assert {number for number, line in enumerate(lines, 1) if "for key" in line} <= places


STATE = """
import asyncio

class Client:
    def __init__(self):
        {made}

    async def change(self):
        {first}
        await asyncio.sleep(1)
        {last}

async def main():
    client = Client()
    await asyncio.gather(client.change(), client.change())
"""


@pytest.mark.parametrize("fields", [1, 2, 3])
def test_state_that_crosses_one_await_is_told_once(tmp_path: Path, fields: int) -> None:
    names = [f"field_{number}" for number in range(fields)]
    made = "; ".join(f"self.{name} = 0" for name in names)
    first = "; ".join(f"{name} = self.{name}" for name in names)
    last = "\n        ".join(f"self.{name} = {name} + 1" for name in names)
    path = tmp_path / "client.py"
    path.write_text(STATE.format(made=made, first=first, last=last), "utf-8")

    found, _, _ = hunt([path], select=["RH301"])

    (finding,) = found
    assert finding.subject.fields == tuple(names)


METHODS = """
    def {name}(self, key):
        {body}
"""
COUNTER = """
class Counter:
    '''Counts; thread-safe.'''

    def __init__(self):
        self.counts = {}
"""


def counter(**methods: str) -> str:
    return COUNTER + "".join(METHODS.format(name=name, body=body) for name, body in methods.items())


def test_field_that_nothing_guards_is_one_fault_for_each_rule_and_a_new_place_makes_it_a_new_one(
    tmp_path: Path,
) -> None:
    path = tmp_path / "counter.py"
    found = []
    for further in ({}, {"less": "self.counts[key] -= 1"}):
        check = "if key in self.counts:\n            return self.counts.pop(key)"
        methods = {"more": "self.counts[key] += 1", "take": check, "get": "return self.counts[key]"}
        path.write_text(counter(**methods, **further), "utf-8")
        found.append(hunt([path])[0])

    assert [finding.rule for finding in found[0]] == [finding.rule for finding in found[1]] == ["RH102", "RH101"]
    one, more = found[0][0], found[1][0]
    assert set(one.subject.functions) == {"more", "get", "take"}
    assert "The same fault: `" in more.trigger
    assert one.fingerprint != more.fingerprint


KEPT = """
import threading
from weakref import WeakValueDictionary

class Cached(type):
    _cache = WeakValueDictionary()
    _lock = threading.Lock()

    def __call__(cls, name):
        if name in cls._cache:
            return cls._cache[name]
        made = super().__call__(name)
        cls._cache[name] = made
        return made
"""


def test_what_one_look_leads_to_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "cached.py"
    path.write_text(KEPT, "utf-8")

    found, _, _ = hunt([path], select=["RH101", "RH105", "RH106"], confidence=Confidence.POSSIBLE)

    assert len(found) == 1
    assert "(RH106)" in found[0].trigger or "(RH101)" in found[0].trigger


STARTED = """
import asyncio

async def both(jobs):
    asyncio.create_task(jobs.read())
    asyncio.create_task(jobs.write())

async def one(jobs):
    asyncio.create_task(jobs.read())
"""
NOTED = """
import threading

class Link(threading.Thread):
    def __init__(self, socket):
        super().__init__()
        self._socket = socket
        self._asked = {}
        self._told = {}

    def ask(self, number, callback):
        self._socket.sendall(number)
        self._asked[number] = callback

    def tell(self, number, callback):
        self._socket.sendall(number)
        self._told[number] = callback

    def run(self):
        for number in self._socket:
            for table in (self._asked.pop(number, None), self._told.pop(number, None)):
                if table is not None:
                    table()
"""
MADE_ANEW = """
import threading

class Sessions:
    def __init__(self, in_memory):
        self._lock = threading.RLock()
        self._in_memory = in_memory
        self._items = {}

    def add(self, key, item):
        with self._lock if self._in_memory else threading.Lock():
            self._items[key] = item

    def take(self, key):
        with self._lock if self._in_memory else threading.Lock():
            return self._items.pop(key)
"""
CLEARED = """
import asyncio

class Link(asyncio.Protocol):
    def __init__(self):
        self._transport = None

    def connection_lost(self, error):
        self._transport = None

    async def send(self, message):
        self._transport.write(message)
        await asyncio.sleep(0)
        self._transport.write(b"end")

    async def greet(self, name):
        self._transport.write(b"hello")
        await asyncio.sleep(0)
        self._transport.write(name)
"""


@pytest.mark.parametrize(
    ("code", "text", "findings"),
    [("RH305", STARTED, 2), ("RH119", NOTED, 1), ("RH111", MADE_ANEW, 1), ("RH314", CLEARED, 1)],
)
def test_what_one_remedy_mends_is_told_once(tmp_path: Path, code: str, text: str, findings: int) -> None:
    path = tmp_path / "program.py"
    path.write_text(text, "utf-8")

    found, _, _ = hunt([path], select=[code])

    assert len(found) == findings
    assert sum("The same fault: `" in item.trigger for item in found) == 1
