"""What a careful reader sees in the code that speaks against a fault: quiet with it, accused without it."""

from textwrap import dedent
from typing import NamedTuple

import pytest

from racehound.analysis.program import Program
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule


class Case(NamedTuple):
    rule: str
    text: str
    quiet: str
    racy: str
    path: str = "package/module.py"


IN_EXECUTOR = """
    from asyncio import get_event_loop
    def in_executor(application):
        def run(environ, start_response):
            loop = get_event_loop()
            return loop.run_in_executor(None, application, environ, start_response)
        return run
    """

PROGRESS = """
    import asyncio
    async def progress(remaining, seconds, limit):
        moving = {task: deadline(task) for task in remaining}
        await asyncio.wait(set(moving), timeout=min(seconds, limit), return_when=asyncio.FIRST_COMPLETED)
        return True
    async def ping(host):
        while True:
            await host.send(b"?")
    """

OWN_LOOP = """
    class Loop:
        def step(self, coroutine, value, error):
            if error is not None:
                return coroutine.throw(error)
            return coroutine.send(value)
    async def commit(manager):
        while True:
            future = manager.call_soon()
            try:
                await manager.wait_for(future, 5)
            except BaseException:
                pass
            if future.is_done:
                return future.value
    """

MODELS = """
    from abc import ABCMeta
    MODELS = {}
    class Meta(ABCMeta):
        def __new__(cls, name, bases, attributes):
            made = super().__new__(cls, name, bases, attributes)
            MODELS[name] = made
            return made
    async def migrate(connection):
        for name, model in MODELS.items():
            await connection.create(name, model)
    """

CHILD = """
    import asyncio
    import os
    class Child:
        def __init__(self, pid):
            self._pid = pid
            self._ended = asyncio.Event()
        async def wait(self):
            self._look(blocking=False)
            await self._ended.wait()
        def _look(self, blocking):
            pid, _ = os.waitpid(self._pid, 0 if blocking else os.WNOHANG)
            if pid:
                self._ended.set()
    """

SKILLS = """
    class Skills:
        def __init__(self):
            self._lines = []
            self._key = None
        async def text(self, source):
            return await self._all(source)
        async def names(self, source):
            return await self._all(source)
        async def _all(self, source):
            key = self._key_of(source)
            if self._key == key:
                return self._lines
            self._lines = await source.read()
            self._key = key
            return self._lines
        def _key_of(self, source):
            return (source.path, source.stamp)
    """

BOT = """
    class Bot:
        def __init__(self, link):
            self.link = link
            self.owner = None
        async def fill(self):
            if self.owner:
                return
            answer = await self.link.application()
            self.owner = answer.owner
        async def is_owner(self, user):
            await self.fill()
            return user.id == self.owner
        async def serve(self, group, users):
            for user in users:
                group.create_task(self.is_owner(user))
    """

ERRORS = """
    class Output:
        '''Thread-safe.'''
        def __init__(self):
            self.errors = 0
            self.last = ""
        def note(self, text):
            self.errors += len(text)
            self.last = text
        def told(self):
            return self.errors
    """

IN_TURN = """
    import threading
    from unittest import TestCase
    class Turns:
        def __init__(self):
            self.lock = threading.Lock()
        def run(self):
            self.lock.acquire()
            self.step()
            self.lock.release()
    """

TIMER = """
    import asyncio
    class Watch:
        def __init__(self):
            self._task = None
        async def on_event(self, event):
            if self._task is None or self._task.done():
                self._task = asyncio.ensure_future(self._wait(event))
        async def _wait(self, event):
            while True:
                await asyncio.sleep(5)
                await event.fire()
        def disarm(self):
            if self._task is not None:
                self._task.cancel()
    """

FORKED = """
    import os
    import threading
    from unittest import TestCase
    class LockTest(TestCase):
        def test_fork(self):
            threading.Thread(target=self.hold, daemon=True).start()
            if os.fork() == 0:
                self.use()
    """

CONTENDED = """
    import threading
    from unittest import TestCase
    class LockTest(TestCase):
        def setUp(self):
            self.condition = threading.Condition()
            self.cancelled = []
        def test_cancel(self):
            with self.condition:
                if "two" not in self.cancelled:
                    self.condition.wait()
        def hold(self, name):
            with self.condition:
                self.cancelled.append(name)
                self.condition.notify_all()
    """

CALLS = """
    class Calls:
        def __init__(self, link):
            self.link = link
            self._active = {}
            self._pending = {}
        def _begin(self, key, name):
            if self._active.get(key) is not None:
                return False
            self._active[key] = name
            return True
        async def handle(self, key, name):
            if key in self._pending:
                return
            if not self._begin(key, name):
                return
            answer = await self.link.approve(name)
            self._pending[key] = self.link.open_call(answer)
        async def serve(self, group, calls):
            for key, name in calls:
                group.create_task(self.handle(key, name))
    """

PREFERENCES = """
    import json
    import os
    class Options:
        def save(self, user_directory):
            settings_file = os.path.join(user_directory, "settings.json")
            with open(settings_file, "w") as file:
                json.dump(self.values, file)
    """

LOOPER = """
    import asyncio
    def collect(source, stopped):
        async def read():
            while not stopped.is_set():
                try:
                    await source.read()
                except:
                    continue
        loop = asyncio.new_event_loop()
        loop.run_until_complete(read())
    """

DRAIN = """
    import asyncio
    async def drain(task):
        try:
            await task
        finally:
            task.cancel()
            await asyncio.sleep(0)
            task.cancel()
    async def drain_in_time(task):
        await asyncio.wait_for(drain(task), 5)
    """

CLIENT = """
    class Client:
        def __init__(self, session):
            self._session = session
            self._closing = False
            self._closed = False
        async def get(self, url):
            if self._closing or self._closed:
                return None
            return await self._session.get(url)
        async def close(self):
            self._closing = True
            await self._session.close()
            self._closed = True
    """

PRINTER = """
    class Output:
        def __init__(self, pool):
            self.pool = pool
        def show(self, text):
            self.pool.submit(self._show, text)
        def _show(self, text):
            print(text)
    """

CLOSING = """
    import asyncio
    class Export:
        def __init__(self):
            self._pending = set()
        async def close(self, slots):
            pending = {asyncio.create_task(self._close(slot)) for slot in slots}
            await asyncio.wait(list(self._pending))
        async def _close(self, slot):
            while slot.rows:
                await slot.send()
    """

LATCH = """
    import threading
    class Latch:
        def __init__(self):
            self.count = 0
            self.condition = threading.Condition()
        def wait(self):
            self.condition.acquire()
            while self.count > 0:
                self.condition.wait()
            self.condition.release()
    """

SIGNALLED = """
    import threading
    class Queue:
        def __init__(self):
            self._lock = threading.Lock()
            self._wait = threading.Lock()
            self._items = []
        def put(self, item):
            with self._lock:
                self._items.append(item)
                if self._wait.locked():
                    self._wait.release()
        def get(self):
            self._wait.acquire(blocking=False)
            self._wait.acquire()
            return self._items.pop()
    """

TOPICS = """
    import threading
    class Topics:
        def __init__(self):
            self._lock = threading.Lock()
            self._topics = {"a": {}, "b": {}}
        def leave(self, topic, name):
            with self._lock:
                del self._topics[topic][name]
        def close(self, topic):
            with self._lock:
                self._topics[topic] = {}
        def counts(self):
            return [count(rows) for rows in self._topics.values()]
    """

SERVER = """
    import signal
    import threading
    class Server(threading.Thread):
        def __init__(self):
            super().__init__()
            self._lock = threading.Lock()
            signal.signal(signal.SIGTERM, self._on_signal)
        def run(self):
            with self._lock:
                self.process = begin()
        def _on_signal(self, number, frame):
            with self._lock:
                self.process.terminate()
    """

HEALTH = """
    class Api:
        def __init__(self):
            self._checks = {}
        def add_health_check(self, name, check):
            self._checks[name] = check
        async def health(self):
            for name, check in self._checks.items():
                await check()
    """

SETTINGS = """
    import threading
    LOCK = threading.Lock()
    FOLDERS = []
    COUNT = 0
    def initialize(found):
        global COUNT
        with LOCK:
            FOLDERS.extend(found)
            COUNT = len(found)
    def change(found):
        FOLDERS.clear()
        FOLDERS.extend(found)
    def count(found):
        global COUNT
        COUNT += len(found)
    """

COOKIES = """
    class Cookies:
        '''This is not multiprocess or multi-thread safe'''
        def __init__(self):
            self._store = None
        def store(self):
            if self._store is None:
                self._store = open_store("cookies")
            return self._store
    """

REPOSITORIES = """
    import tempfile
    class Repository:
        def __init__(self):
            self.path = tempfile.mktemp()
            with open(self.path, "w") as file:
                file.write("x")
    """

WALKED = """
    from concurrent.futures import ThreadPoolExecutor
    from unittest import TestCase
    class GraphTest(TestCase):
        def test_walk(self):
            with ThreadPoolExecutor() as pool:
                for node in self.graph:
                    pool.submit(step, node)
            self.check(self.graph)
    def step(node):
        while node.rows:
            node.take()
    """

MONITOR = """
    class Monitor:
        def __init__(self, pool):
            self.pool = pool
            self.line = None
        async def connect(self):
            if self.line is None:
                self.line = await self.pool.open_line()
        async def next_command(self):
            await self.connect()
            return await self.line.read()
        async def listen(self):
            while True:
                yield await self.next_command()
    """

CASES = {
    "a lock of a beginning": Case("RH107", SETTINGS, "def initialize", "def refresh"),
    "a lock of a beginning, and a count": Case("RH102", SETTINGS, "def initialize", "def refresh"),
    "a claim that is denied": Case("RH105", COOKIES, "not multiprocess or multi-thread safe", "thread-safe"),
    "work of a test": Case("RH306", WALKED, "GraphTest(TestCase)", "Graph(Base)"),
    "a wait on the lock itself": Case("RH204", LATCH, "self.condition.wait()", "self.step()"),
    "a lock that another gives back": Case("RH203", SIGNALLED, "self._wait.release()", "pass"),
    "an entry of an entry": Case("RH103", TOPICS, "del self._topics[topic][name]", "del self._topics[topic]"),
    "a thread that no signal comes to": Case("RH208", SERVER, "def run(self)", "def begin(self)"),
    "checks that are added first": Case("RH103", HEALTH, "add_health_check", "keep"),
    "tasks that the object keeps": Case("RH306", CLOSING, "list(self._pending)", "list(pending)"),
    "a second flag": Case("RH121", CLIENT, "self._closing or self._closed", "self._closed"),
    "work that only prints": Case("RH306", PRINTER, "print(text)", "text.render()"),
    "what a loop of its own runs to the end": Case(
        "RH312", LOOPER, "loop.run_until_complete(read())", "loop.create_task(read())"
    ),
    "a task that is cancelled once more": Case(
        "RH312", DRAIN, "task.cancel()\n            await", "task.get_name()\n            await"
    ),
    "a call that a helper claims": Case("RH302", CALLS, "self._active[key] = name", "print(key)"),
    "settings in a directory that is given": Case(
        "RH403", PREFERENCES, "os.path.join(user_directory, ", "os.path.join(os.path.expanduser('~/.app'), "
    ),
    "a test of a fork": Case("RH209", FORKED, "LockTest(TestCase)", "Lock(Base)"),
    "a wait of a test": Case("RH207", CONTENDED, "LockTest(TestCase)", "Lock(Base)"),
    "a task that is started anew when it has died": Case("RH306", TIMER, " or self._task.done()", ""),
    "a step that one task takes in turn": Case("RH302", MONITOR, "next_command", "ask"),
    "a function that gives back a future": Case(
        "RH309",
        IN_EXECUTOR,
        "return loop.run_in_executor(None, application, environ, start_response)",
        "loop.call_soon(print)\n            return application(environ, start_response)",
    ),
    "tasks that the caller has": Case(
        "RH306", PROGRESS, "deadline(task) for task", "asyncio.create_task(ping(task)) for task"
    ),
    "coroutines of a loop of its own": Case("RH312", OWN_LOOP, "coroutine.throw(error)", "error"),
    "what is done once for each class": Case(
        "RH103",
        MODELS,
        "class Meta(ABCMeta):\n        def __new__(cls, name, bases, attributes)",
        "class Meta:\n        def __new__(cls, name, attributes)",
    ),
    "a helper that is told not to wait": Case("RH310", CHILD, "blocking=False", "blocking=True"),
    "a key that was compared": Case("RH302", SKILLS, "self._key == key", "self._key"),
    "a fact out of an answer": Case(
        "RH302", BOT, "answer = await self.link.application()", "answer = await self.link.open_line()"
    ),
    "one read of one count": Case("RH107", ERRORS, "return self.errors", "return self.errors, self.last"),
    "a helper of tests": Case("RH204", IN_TURN, "from unittest import TestCase", "", "package/test_turns.py"),
}


def is_accused(case: Case, text: str) -> bool:
    module = SourceModule.from_text(dedent(text).lstrip(), case.path)
    return any(finding.confidence.is_shown for finding in rule_named(case.rule).check(Program.of(module)))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_has_its_reason_is_quiet_and_its_twin_is_accused(case: Case) -> None:
    assert case.quiet in case.text

    assert not is_accused(case, case.text)
    assert is_accused(case, case.text.replace(case.quiet, case.racy))


def test_a_name_that_a_helper_of_tests_makes_up_is_quiet_by_its_directory() -> None:
    case = Case("RH402", REPOSITORIES, "", "")

    assert is_accused(case, case.text)
    assert not is_accused(case._replace(path="package/tests/repositories.py"), case.text)
