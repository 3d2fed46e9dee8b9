"""Why nothing is lost, or nobody else comes: each form beside its twin, which is accused."""

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


HELPED = """
    import threading
    class Registry:
        '''Thread-safe.'''
        def __init__(self, is_shared):
            self._names = {}
            self._lock = threading.Lock() if is_shared else None
        def _enter(self):
            if self._lock is not None:
                self._lock.acquire()
        def _leave(self):
            if self._lock is not None:
                self._lock.release()
        def add(self, kind, name):
            self._enter()
            try:
                known = self._names.get(kind, ())
                self._names[kind] = (*known, name)
            finally:
                self._leave()
    """

ASIDE = """
    import threading
    class Channel:
        def __init__(self):
            self._lock = threading.Lock()
            self._received = 0
            self._sent = 0
        def send(self, data):
            with self._lock:
                self._sent += len(data)
                self._received = data.acknowledged
        def receive(self, data):
            self._received = self._received + int(data.size())
            if self._received > 10:
                self.close()
    """

EMPTIED = """
    import threading
    class Jobs:
        def __init__(self):
            self._lock = threading.Lock()
            self._waiting = []
        def give(self, job):
            with self._lock:
                self._waiting.append(job)
        def retrieve(self):
            while self._waiting:
                with self._lock:
                    job = self._waiting.pop(0)
                job.wait()
    """

SIFTED = """
    import threading
    class Log:
        def __init__(self):
            self._lock = threading.Lock()
            self._entries = []
        def push(self, entry):
            with self._lock:
                self._entries.append(entry)
        def read(self, entry):
            if len(self._entries) > 100:
                self._sift()
            return entry
        def _sift(self):
            with self._lock:
                self._entries = [entry for entry in self._entries if entry.is_valid]
    """

ROUNDS = """
    import threading
    class Counts:
        def __init__(self):
            self._lock = threading.Lock()
            self._counts = {}
        def raise_all(self, keys):
            for key in keys:
                self._lock.acquire()
                if key not in self._counts:
                    self._lock.release()
                    continue
                self._counts[key] += 1
                self._lock.release()
    """

NOTED = """
    import threading
    class Scanner:
        def __init__(self):
            self._lock = threading.Lock()
            self._seen = set()
        def forget(self):
            with self._lock:
                self._seen.clear()
        def scan(self, path):
            if path in self._seen:
                return
            self._seen.add(path)
            load(path)
    """

MEMO = """
    import threading
    class Schemas:
        def __init__(self):
            self._lock = threading.Lock()
            self._known = {}
        def validator(self, schema):
            with self._lock:
                found = self._known.get(schema)
            if found is not None:
                return found
            validator = Validator(schema)
            with self._lock:
                self._known[schema] = validator
            return validator
    """

SETTER = """
    import threading
    class Server:
        def __init__(self):
            self._lock = threading.Lock()
            self._info = ""
            self._timeout = 5
        def ask(self):
            with self._lock:
                if not self._info:
                    self._info = "none"
                self._timeout = self._timeout * 2
                return self._info
        def attach(self, info):
            if isinstance(info, str):
                self._info = info
                log(self._info)
    """

EXECUTOR = """
    import threading
    class Runner:
        def __init__(self, executor):
            self._lock = threading.Lock()
            self._executor = executor
        def add(self, name):
            with self._lock:
                self.names = [name]
        def end(self):
            with self._lock:
                self._executor.shutdown(force=True)
    """

TWISTED = """
    from twisted.internet.defer import inlineCallbacks
    class Meter:
        @inlineCallbacks
        def measure(self, nodes):
            for node in nodes:
                try:
                    yield self.ask(node)
                except:
                    self.log(node)
    """

MODEL = """
    from concurrent.futures import ThreadPoolExecutor
    from encoders import Encoder
    class Embedder:
        def __init__(self, name):
            self._name = name
            self._model = None
        def model(self):
            if self._model is None:
                self._model = Encoder(self._name)
            return self._model
        def embed(self, text):
            return self.model().encode(text)
        def embed_all(self, texts):
            with ThreadPoolExecutor() as pool:
                return list(pool.map(self.embed, texts))
    """

WARNED = """
    import logging
    from concurrent.futures import ThreadPoolExecutor
    _reported = set()
    def number(text):
        if text in _reported:
            return
        _reported.add(text)
        logging.getLogger("numbers").warning("%s is no number", text)
    def run(texts):
        with ThreadPoolExecutor() as pool:
            pool.map(number, texts)
    """

RENEWED = """
    import json
    class Keys:
        def __init__(self, token_file):
            self.token_file = token_file
        def renew(self, token):
            with open(self.token_file, "w") as file:
                json.dump(token, file)
        def _text(self):
            with open(self.token_file) as file:
                return file.read()
        def token(self):
            try:
                return json.loads(self._text())
            except ValueError:
                return None
    """

SENDER = """
    class Sender:
        def __init__(self, send, headers):
            self._send = send
            self._headers = headers
            self._start = None
        def __call__(self, message):
            if message["type"] == "start":
                self._start = message
                return
            if self._start is not None:
                self._send(self._start, self._headers)
            self._send(message)
    """

KEPT_TASKS = """
    import asyncio
    class Commits:
        def __init__(self):
            self._tasks = set()
        async def settle(self):
            while self._tasks:
                await asyncio.wait(tuple(self._tasks))
    """

STEP = """
    import threading
    from concurrent.futures import ThreadPoolExecutor
    class Manager:
        def __init__(self):
            self._free = threading.Condition()
            self._jobs = 0
            self._pool = ThreadPoolExecutor()
        def start(self, tags):
            self._pool.map(self.acquire, tags)
        def acquire(self, tag):
            with self._free:
                return self.may_spawn(tag)
        def may_spawn(self, tag):
            if self._jobs < 5:
                self._jobs += len(tag)
                return True
            return False
    """

STORE = """
    class Materializer:
        def save(self, table):
            with self.config_store.open(self.table, mode="w") as file:
                table.write(file)
        def load(self):
            with self.config_store.open(self.table, mode="r") as file:
                return file.read()
    """

POOLED = """
    import subprocess
    from tornado import gen
    from tornado.concurrent import run_on_executor
    class Builder:
        @gen.coroutine
        def status(self):
            found = yield self._check()
            return found
        @run_on_executor
        def _check(self):
            return subprocess.check_output(["node"])
    """

STACKED = """
    from contextlib import AsyncExitStack, asynccontextmanager
    class Subscriber:
        @asynccontextmanager
        async def running(self):
            async with AsyncExitStack() as stack:
                stack.push_async_callback(self.stop)
                yield
            await self.stop()
        async def stop(self):
            self._task.cancel()
    """

SUPPRESSED = """
    import os
    def prepare(path):
        with suppressed_errors():
            if not os.path.exists(path):
                os.makedirs(path)
    """

JOINED = """
    import os
    class Environment:
        def __init__(self, temp_dir):
            self._site = os.path.join(temp_dir.path, "site")
        def prepare(self):
            if not os.path.exists(self._site):
                os.mkdir(self._site)
    """

STARTED = """
    import datetime, threading
    class Cell:
        def __init__(self):
            self._lock = threading.Lock()
            self._start = None
        def start(self):
            if self._start is None:
                self._start = datetime.datetime.now()
            return self._start
    """

FILLED = """
    from concurrent.futures import ThreadPoolExecutor
    class Parts:
        def __init__(self):
            self._parts = {}
        def part(self, name):
            found = self._parts.get(name)
            if name == "left":
                found = len(name)
            else:
                raise KeyError(name)
            self._parts[name] = found
        def all(self, names):
            with ThreadPoolExecutor() as pool:
                pool.map(self.part, names)
    """

SET_UP = """
    import threading
    class Operation:
        def __init__(self):
            self._lock = threading.Lock()
            self._receivers = {}
        def setup(self, tags):
            with self._lock:
                for tag in tags:
                    self._receivers[tag] = object()
        def process(self, item):
            for receiver in self._receivers.values():
                receiver.receive(item)
    """

PAIRED = """
    def publish_page(place, text):
        with open(place, "w") as file:
            file.write(text)
    def read_page(place):
        with open(place) as file:
            return json.load(file)
    def renew(place):
        publish_page(place, read_page(place).upper())
    """

ENDED_FIRST = """
    import asyncio
    from contextlib import suppress
    class Connection:
        def start(self):
            self.task = asyncio.create_task(self.serve())
        async def serve(self):
            while not self.closing:
                with suppress(asyncio.TimeoutError, asyncio.CancelledError):
                    await self.messages.get()
        async def stop(self):
            self.closing = True
            self.task.cancel()
    """

SLEEPING = """
    import asyncio
    import math
    async def end(workers):
        try:
            await asyncio.sleep(math.inf)
        except asyncio.CancelledError:
            for worker in workers:
                await worker.close()
    def begin(workers):
        asyncio.create_task(end(workers))
    """

CASES = {
    "a lock that helpers take and give back": Case("RH102", HELPED, "            self._enter()\n", ""),
    "a lock that is held where the field is merely set": Case(
        "RH102", ASIDE, "self._received = data.acknowledged", "self._received = self._received - 1"
    ),
    "jobs that one place empties in rounds": Case("RH101", EMPTIED, "while self._waiting:", "if self._waiting:"),
    "jobs that a thread empties in rounds": Case(
        "RH101", EMPTIED, "job.wait()", "threading.Thread(target=self.retrieve).start()"
    ),
    "entries that are sifted again": Case(
        "RH101", SIFTED, "[entry for entry in self._entries if entry.is_valid]", "self._entries[100:]"
    ),
    "a lock that is given back before the next round": Case(
        "RH204", ROUNDS, "self._lock.release()\n                    continue", "continue"
    ),
    "a lock that is held for all rounds": Case(
        "RH204",
        ROUNDS.replace("self._lock.release()\n                    continue", "continue")
        .replace(
            "            for key in keys:\n                self._lock.acquire()\n",
            "            self._lock.acquire()\n            for key in keys:\n",
        )
        .replace("+= 1\n                self", "+= 1\n            self"),
        "continue",
        "return",
    ),
    "a note in a set": Case("RH101", NOTED, "return\n", "raise KeyError(path)\n"),
    "a connection that is made twice": Case("RH109", MEMO, "Validator(", "Connection("),
    "a value that is stored whole": Case("RH107", SETTER, "isinstance(info, str)", "self._info != info"),
    "a thing of others that either will do of": Case("RH105", MODEL, "Encoder", "connect"),
    "a warning that comes twice, behind a return": Case("RH101", WARNED, ".warning(", ".charge("),
    "a reader whose callers expect half a file": Case("RH403", RENEWED, "except ValueError", "except KeyError"),
    "tasks that the object keeps": Case(
        "RH306", KEPT_TASKS, "tuple(self._tasks)", "tuple(map(start, self._tasks))"
    ),
    "what is made around one request": Case("RH108", SENDER, "send", "action"),
    "a public step that is called under the lock": Case(
        "RH102", STEP, "with self._free:\n                return", "if tag:\n                return"
    ),
    "a store that opens files of its own": Case("RH403", STORE, ".open(self.table, mode=", ".open(mode="),
    "a check that a decorator hands to a pool": Case("RH310", POOLED, "@run_on_executor", "@logged"),
    "an exit that a stack takes care of": Case(
        "RH307", STACKED, "stack.push_async_callback(self.stop)", "print(1)"
    ),
    "errors that a block of the program suppresses": Case(
        "RH401", SUPPRESSED, "suppressed_errors", "counted_errors"
    ),
    "a place below a temporary directory": Case("RH401", JOINED, "temp_dir.path", "home.path"),
    "a time that is noted twice": Case("RH105", STARTED, "datetime.datetime.now()", "Connection()"),
    "a value of which nothing is the old one": Case("RH102", FILLED, "raise KeyError(name)", "print(name)"),
    "a table that is filled before others come": Case("RH103", SET_UP, "def setup(", "def extend("),
    "a writer that has no reader of its own": Case("RH403", PAIRED, "publish_page", "write_cached_page"),
    "another thing that is called an executor": Case("RH205", EXECUTOR, "force=True", "wait=True"),
    "coroutines of Twisted": Case("RH312", TWISTED, "from twisted", "import asyncio\n    from twisted"),
    "a loop that is told to end before it is cancelled": Case(
        "RH312", ENDED_FIRST, "self.closing = True", "self.started = False"
    ),
    "a task that sleeps until its loop ends": Case("RH305", SLEEPING, "math.inf", "60"),
    "what a cancelled task waits for": Case("RH305", SLEEPING, "except asyncio.CancelledError", "finally"),
}


def accused(rule: str, text: str) -> bool:
    module = SourceModule.from_text(dedent(text).lstrip(), "module.py")
    found = rule_named(rule).check(Program.of(module))
    return any(finding.confidence is not Confidence.POSSIBLE for finding in found)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_has_its_reasons_is_quiet_and_its_racy_twin_is_accused(case: Case) -> None:
    assert case.quiet in case.text

    assert not accused(case.rule, case.text)
    assert accused(case.rule, case.text.replace(case.quiet, case.racy))
