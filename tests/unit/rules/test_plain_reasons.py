"""Reasons in the code why nobody comes to harm: quiet with them, and accused in the twin that lacks them."""

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


WITH_LOCK = """
    import threading
    from unittest import TestCase
    class BufferTest(TestCase):
        def test_fill(self):
            lock = threading.Lock()
            lock.acquire()
            self.fill(lock)
            lock.release()
    """

LOCK_IN_A_FUNCTION = """
    import threading
    def test_fill():
        lock = threading.Lock()
        lock.acquire()
        fill(lock)
        lock.release()
    """

LOCK_OF_ALL = """
    import threading
    LOCK = threading.Lock()
    def test_fill():
        lock = threading.Lock()
        lock.acquire()
        fill(LOCK)
        lock.release()
    """

WAITER = """
    import asyncio
    import pytest
    @pytest.fixture
    async def waiter(event):
        task = asyncio.ensure_future(event.wait())
        event.set()
    """

SLEEPER = """
    import time
    async def test_clock(clock):
        before = clock.now()
        time.sleep(0.5)
        assert clock.now() > before
    """

MADE_UP = """
    import tempfile
    def test_socket():
        path = tempfile.mktemp()
        with open(path, "w") as file:
            file.write("x")
    """

HELPER = """
    import tempfile
    import pytest
    def any_path():
        return tempfile.mktemp()
    """

REFRESH = """
    import threading
    class Refresh:
        def __init__(self, pool):
            self._slots = threading.BoundedSemaphore(3)
            self._pool = pool
        def submit(self, task):
            slots = self._slots
            if not slots.acquire(blocking=False):
                return False
            try:
                def run():
                    try:
                        task()
                    finally:
                        slots.release()
                self._pool.submit(run)
                return True
            except RuntimeError:
                slots.release()
                return False
    """

CONSUMER = """
    import threading
    from queue import Empty
    class Consumer:
        def __init__(self, queue):
            self.queue = queue
            self.places = threading.Semaphore(4)
        def ack(self, message):
            self.places.release()
        def take(self):
            self.places.acquire()
            try:
                return self.queue.get(timeout=1)
            except Empty:
                self.places.release()
                return None
    """

DRAINED = """
    import asyncio
    async def drain(future):
        while not future.done():
            try:
                await asyncio.wait({future})
            except asyncio.CancelledError:
                pass
        return future.result()
    """

LAUNCHER = """
    import os
    def write(target, data):
        if os.path.exists(target):
            os.unlink(target)
        with open(target, "x") as file:
            file.write(data)
    """

PROBE = """
    import threading
    class Probe:
        def __init__(self):
            self._lock = threading.Lock()
            self._locks = {}
            self._values = {}
        def acquire_and_get(self, host):
            with self._lock:
                if host not in self._values:
                    self._locks[host] = threading.RLock()
                    self._values[host] = None
            key_lock = self._locks[host]
            key_lock.acquire()
            return self._values[host]
        def set_and_release(self, host, supported):
            key_lock = self._locks[host]
            with key_lock:
                if supported is None and self._values[host] is not None:
                    raise ValueError
            self._values[host] = supported
            key_lock.release()
    """

FRAMES = """
    import asyncio
    class Frames:
        def __init__(self, transport):
            self.transport = transport
            self._link = None
        async def _frame(self, code, data):
            length = len(data)
            frame = bytearray()
            frame.append(0x80 | code)
            if length < 126:
                frame.append(length)
            elif length < 65536:
                frame.append(126)
            else:
                frame.append(127)
            frame.extend(data)
            self.transport.write(bytes(frame))
        async def _dial(self):
            if self._link is None:
                await self._frame(8, b"")
                self._link = Link()
        async def send_text(self):
            await self._dial()
        async def send_data(self):
            await self._dial()
    async def main():
        frames = Frames(None)
        await asyncio.gather(frames.send_text(), frames.send_data())
    """

COOKIES = """
    import threading
    class Pages:
        def __init__(self, app):
            self.app = app
            threading.Thread(target=self._serve).start()
            threading.Thread(target=self._answer).start()
        def _pin_of(self):
            if not hasattr(self, "_pin"):
                found = pin_and_cookie(self.app)
                self._pin, self._cookie = found
            return self._pin
        def _cookie_of(self):
            if not hasattr(self, "_cookie"):
                found = pin_and_cookie(self.app)
                self._pin, self._cookie = found
            return self._cookie
        def _serve(self):
            return self._pin_of()
        def _answer(self):
            return self._cookie_of()
    """

UNPACKER = """
    import asyncio
    import threading
    class Unpacker:
        def __init__(self):
            self._inner = None
            self._reader = first_of(self)
        def _unpack(self, data):
            result = self._reader.read(data)
            if self._reader.eof:
                self._members(result)
            if self._reader.eof:
                self._reader = next_of(self)
            return result
        def _members(self, data):
            while not self._reader.eof:
                self._reader = member_of(data)
        async def unpack(self, data):
            return await asyncio.get_running_loop().run_in_executor(None, self._unpack, data)
    """

RESPONSE = """
    import asyncio
    class Response:
        def __init__(self, stream):
            self.stream = stream
        async def stop_reading(self):
            await self.stream.close()
        async def parts(self):
            async for part in self.stream:
                yield part
            await self.stop_reading()
    """

CLIENT = """
    class Client:
        def __init__(self, session):
            self._session = session
            self._closed = False
        async def get(self, url):
            if self._closed:
                raise RuntimeError("closed")
            return await self._session.get(url)
        async def close(self):
            await self._session.close()
            self._closed = True
    """

SERVER = """
    import threading
    class Server:
        def __init__(self):
            self._event = threading.Event()
            self._value = None
            self._kept = []
        def keep(self, given):
            if self._value is None:
                self._kept.append(given)
        def finish(self, value):
            self._value = value
            self._event.set()
            if len(self._kept) > 100:
                close()
    """

COLLECTED = """
    import gc
    import sys
    class Watch:
        def __init__(self):
            self.total = 0
        def enable(self):
            gc.callbacks.append(self._collected)
        def _collected(self, phase, info):
            self.total += weigh(info)
            if self.total > 9:
                stop()
    """

READY = """
    import asyncio
    import queue
    class Ready:
        def __init__(self):
            self.queue = queue.Queue()
            self.more = asyncio.Event()
        def _get(self):
            item = self.queue.get()
            return item
        async def next(self):
            while self.queue.empty():
                await self.more.wait()
            return self._get()
    """

POOL = """
    import asyncio
    class Workers:
        def __init__(self):
            self.workers = set()
        async def _at_end(self):
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                for worker in self.workers:
                    await worker.aclose()
        def set_up(self):
            asyncio.create_task(self._at_end())
    """

CLUSTER = """
    import asyncio
    class Cluster:
        def __init__(self):
            self._initialize = False
        async def execute(self, node):
            if not self._initialize:
                self.task = asyncio.create_task(self._execute(node))
        async def _execute(self, node):
            try:
                await node.run()
            except OSError:
                self._initialize = True
    """

SCHEDULER = """
    import threading
    class Scheduler:
        def __init__(self):
            self._cancellation_lock = threading.Lock()
            self._to_cancel = set()
            self.active = {}
        def add(self, request):
            self.active[request.id] = request
        def finish(self, id):
            self.active.pop(id, None)
        def restart(self, id):
            self.active[id] = self.active.pop(id)
        def cancel(self, id):
            with self._cancellation_lock:
                self._to_cancel.add(id)
        def drop_cancelled(self):
            with self._cancellation_lock:
                for id in self._to_cancel:
                    self.active.pop(id, None)
        def schedule(self):
            return [item for item in self.active.values() if item.is_ready()]
    """

REPLY = """
    import time
    class Kernel:
        async def execute(self, request):
            reply = await self.run(request)
            time.sleep(self.pause)  # noqa: ASYNC251
            return reply
    """

ALONE = """
    import threading
    if True:
        with threading.RLock():
            load()
    """

CASES = {
    "a sleep that is meant": Case("RH310", REPLY, "# noqa: ASYNC251", "# noqa: E501"),
    "a lock of a module body": Case("RH111", ALONE, "if True:", "def work():"),
    "a test case that fails with its own lock": Case("RH204", WITH_LOCK, "BufferTest(TestCase)", "Buffer(Base)"),
    "a test function that fails with its own lock": Case(
        "RH204", LOCK_IN_A_FUNCTION, "def test_fill", "def fill_up", "package/test_fill.py"
    ),
    "a lock of all tests": Case(
        "RH204",
        LOCK_OF_ALL,
        "lock = threading.Lock()\n        lock.acquire",
        "lock = LOCK\n        LOCK.acquire",
        "tests/test_fill.py",
    ),
    "a task that a fixture keeps until it returns": Case("RH305", WAITER, "@pytest.fixture", "@traced"),
    "a test that sleeps": Case("RH310", SLEEPER, "def test_clock", "def show_clock", "package/test_clock.py"),
    "a name that a helper of tests makes up": Case("RH402", HELPER, "pytest", "logging", "package/test_io.py"),
    "a name that a test makes up": Case("RH402", MADE_UP, "def test_socket", "def socket", "package/test_io.py"),
    "a place that the work gives back": Case(
        "RH204",
        REFRESH,
        "finally:\n                        slots.release()",
        "finally:\n                        print()",
    ),
    "a place that whoever is done gives back": Case(
        "RH204",
        CONSUMER,
        "def ack(self, message):\n            self.places.release()",
        "def ack(self, message):\n            print(message)",
    ),
    "a wait that is seen through": Case("RH312", DRAINED, "not future.done()", "future.open"),
    "a file that is put aside": Case("RH404", LAUNCHER, "target", "lock_file"),
    "a lock that the caller has taken": Case(
        "RH101", PROBE, "            key_lock.release()\n", "            print()\n"
    ),
    "an await that is none": Case(
        "RH302", FRAMES, "self.transport.write(bytes(frame))", "await self.transport.write(bytes(frame))"
    ),
    "two equal pairs": Case(
        "RH107",
        COOKIES,
        '"_cookie"):\n                found = pin_and_cookie(self.app)',
        '"_cookie"):\n                found = cookie_of(self.app)',
    ),
    "steps that a coroutine waits for": Case(
        "RH107", UNPACKER, "            self._inner = None\n", "            self._inner = threading.Lock()\n"
    ),
    "a generator that closes its own object": Case("RH307", RESPONSE, "stop_reading", "_stop_reading"),
    "a question how many there are": Case(
        "RH116",
        SERVER,
        "if len(self._kept) > 100:\n                close()",
        "for given in self._kept:\n                given(value)",
    ),
    "calls of the collector": Case("RH102", COLLECTED, "gc.callbacks.append", "sys.addaudithook"),
    "an item that is there": Case(
        "RH311",
        READY,
        "while self.queue.empty():\n                await self.more.wait()\n",
        "await self.more.wait()\n",
    ),
    "a flag that tells of a failure": Case(
        "RH120", CLUSTER, "                await node.run()\n", "                self._initialize = True\n"
    ),
    "a lock that is held for something else": Case(
        "RH103",
        SCHEDULER,
        "        def restart(self, id):\n            self.active[id] = self.active.pop(id)\n",
        "",
    ),
}


def is_accused(case: Case, text: str) -> bool:
    module = SourceModule.from_text(dedent(text).lstrip(), case.path)
    return any(finding.confidence.is_shown for finding in rule_named(case.rule).check(Program.of(module)))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_has_its_reason_is_quiet_and_its_twin_is_accused(case: Case) -> None:
    assert case.quiet in case.text

    assert not is_accused(case, case.text)
    assert is_accused(case, case.text.replace(case.quiet, case.racy))


def test_who_begins_too_late_is_told_so_by_what_is_closed() -> None:
    assert not is_accused(Case("RH121", CLIENT, "", ""), CLIENT)


def test_what_is_suppressed_is_accused_once() -> None:
    text = """
        import asyncio, contextlib
        async def poll(source):
            while source.is_open:
                with contextlib.suppress(asyncio.CancelledError):
                    await source.update()
        """
    module = SourceModule.from_text(dedent(text).lstrip(), "package/module.py")

    assert [finding.rule for finding in rule_named("RH312").check(Program.of(module))] == ["RH312"]


def test_a_call_that_a_test_comes_to_as_well_is_that_of_the_program() -> None:
    text = """
        import time
        def pause():
            time.sleep(1)
        async def test_pause():
            pause()
        async def work():
            pause()
        """
    module = SourceModule.from_text(dedent(text).lstrip(), "package/test_pauses.py")
    findings = list(rule_named("RH310").check(Program.of(module)))

    assert [(finding.first.function, finding.confidence.is_shown) for finding in findings] == [("work", True)]


def test_a_thread_of_a_class_without_coroutines_is_no_proof_of_a_loop_elsewhere() -> None:
    text = """
        import asyncio
        import threading
        class Lane:
            def __init__(self):
                self.wake = asyncio.Event()
        class Session:
            def __init__(self):
                self.lane = Lane()
            def open(self):
                threading.Thread(target=self._read).start()
            def _read(self):
                self.lane.wake.set()
        """
    module = SourceModule.from_text(dedent(text).lstrip(), "package/module.py")

    assert [finding.confidence.value for finding in rule_named("RH309").check(Program.of(module))] == ["likely"]


FIVE_CHANGES = """
    import threading
    class Tally:
        def __init__(self):
            self._lock = threading.Lock()
            self.entries, self.closed = {}, False
        def put(self, key):
            if key not in self.entries:
                self.entries[key] = []
            self.entries[key].append(1)
        def swap(self, key, value):
            self.entries[key] = value
        def forget(self, key):
            del self.entries[key]
        def take(self):
            return self.entries.popitem()
        def drop(self, key):
            with self._lock:
                self.entries.pop(key, None)
    """

CLOSING = """
        def close(self):
            with self._lock:
                self.closed = True
    """


def test_a_lock_that_is_there_for_one_field_says_that_threads_share_it_however_few_hold_it() -> None:
    assert is_accused(Case("RH101", FIVE_CHANGES, "", ""), FIVE_CHANGES)
    assert not is_accused(Case("RH101", FIVE_CHANGES, "", ""), FIVE_CHANGES + CLOSING)
