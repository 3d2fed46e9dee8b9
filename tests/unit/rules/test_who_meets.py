"""What says that two threads meet, and what shows that they do not; each quiet text has a twin that is accused."""

from textwrap import dedent
from typing import NamedTuple

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule


class Case(NamedTuple):
    rule: str
    text: str
    quiet: str
    racy: str


RESULTS = """
    import threading
    class Manager:
        def __init__(self):
            self.seen = ()
        def load(self):
            self.seen = (*self.seen, load())
    class Results:
        def __init__(self, manager: Manager, blocking):
            self._manager = manager
            if not blocking:
                self._thread = threading.Thread(target=self._work)
                self._thread.start()
            else:
                self._work()
        def _work(self):
            self._manager.load()
    """

TICKS = """
    import threading
    class Clock:
        def __init__(self):
            self._lock = threading.Lock()
            self._rounds = []
            self._next()
        def _next(self):
            if slow():
                timer = threading.Timer(10, self._tick)
            else:
                timer = threading.Timer(1, self._tick)
            timer.start()
        def _tick(self):
            self._rounds = self._rounds + [load()]
            self._next()
    """

KINDS = """
    import threading
    class Manager:
        def __init__(self):
            self._socket_lock = threading.Lock()
            self._rooms = {}
        def note(self, room):
            self._rooms[room] = join(self._rooms.get(room), room)
    class Fast(Manager):
        def begin(self):
            threading.Thread(target=self._hear).start()
        def _hear(self):
            self.note(receive())
    class Slow(Manager):
        def begin_slowly(self):
            threading.Thread(target=self._wait).start()
        def _wait(self):
            self.note(receive())
    """

MEDIA = """
    from concurrent.futures import ThreadPoolExecutor
    class RawMediaClient:
        def __init__(self, wrapper):
            self._wrapper = wrapper
    class MediaClient:
        def __init__(self, wrapper):
            self._raw = RawMediaClient(wrapper)
        def get(self, key):
            return self._raw._wrapper.get(key)
    class Api:
        def __init__(self, wrapper):
            self._wrapper = wrapper
            self._media = None
        def media(self):
            if self._media is None:
                self._media = MediaClient(self._wrapper)
            return self._media
        def load(self, keys):
            with ThreadPoolExecutor() as pool:
                return list(pool.map(self._get, keys))
        def _get(self, key):
            return self.media().get(key)
    """

MEMORY = """
    import asyncio
    import psutil
    class Watched:
        def __init__(self, pid):
            self.pid = pid
            self._process = None
        def _sample(self):
            if self._process is None:
                self._process = psutil.Process(self.pid)
            return self._process.memory_info()
        async def sample(self):
            return await asyncio.to_thread(self._sample)
    """

CALLS = """
    import asyncio
    class FunctionCall:
        def __init__(self, arguments):
            self.arguments = arguments
        def execute(self):
            self.arguments = clean(self.arguments)
    class Model:
        def __init__(self):
            self.call = FunctionCall({})
        async def run(self, call: FunctionCall):
            await asyncio.to_thread(call.execute)
    """

SIDE_COMMANDS = """
    import queue
    import threading
    class Backend:
        def __init__(self):
            self._incoming = queue.Queue()
            threading.Thread(target=self._read).start()
        def _read(self):
            self._incoming.put(read())
        def fetch(self):
            return self._incoming.get()
        def check(self):
            while not self._incoming.empty():
                self.handle(self._incoming.get())
    """

PREDICTOR = """
    import threading
    class Predictor:
        '''Thread-safe.'''
        def __init__(self):
            self._lock = threading.Lock()
            self.options = None
        def predict(self, frame):
            if self.options is None:
                self.options = parse(frame)
            return apply(self.options, frame)
    """

UPLOADER = """
    import threading
    class Uploader:
        _instance = None
        def __init__(self):
            self._lock = threading.Lock()
        @classmethod
        def register(cls):
            if cls._instance is None:
                cls._instance = cls()
            return cls._instance
    """

TRANSPORT = """
    class Transport:
        def __init__(self, backend):
            self.backend = backend
            self._is_open = True
        async def close(self):
            await self.backend.close()
            self._is_open = False
        async def open(self):
            if not self._is_open:
                await self.backend.start()
            return self.backend
    """

LISTENERS = """
    import threading
    class Cluster:
        def __init__(self):
            self._lock = threading.Lock()
            self._brokers = {}
            self._listeners = set()
        def set_broker(self, name, broker):
            with self._lock:
                self._brokers[name] = broker
        def listen(self, listener):
            self._listeners.add(listener)
        def tell(self):
            for listener in self._listeners:
                listener(self)
    """

STATS = """
    import threading
    class Linker:
        def __init__(self):
            self.stats = {"load": [], "keep": []}
        def begin(self):
            threading.Thread(target=self._keep).start()
        def load(self, item):
            self.stats["load"] = join(self.stats["load"], item)
        def _keep(self):
            self.stats["keep"] = join(self.stats["keep"], receive())
    """

STORE = """
    from concurrent.futures import ThreadPoolExecutor
    class Store:
        def __init__(self):
            self.client = None
        def _connected(self):
            if not self.client:
                self.client = Client()
            return self.client
        def _read(self, key):
            self.client = self._connected()
            return self.client.get(key)
        def load(self, keys):
            with ThreadPoolExecutor() as pool:
                return list(pool.map(self._read, keys))
    """

HANDLER = """
    from concurrent.futures import ThreadPoolExecutor
    class Handler:
        def __init__(self, objects):
            self.objects = objects
        def _load(self, path):
            if isinstance(self.objects, str):
                self.objects = parse(self.objects)
        def load(self, paths):
            with ThreadPoolExecutor() as pool:
                return list(pool.map(self._load, paths))
    """

CURSORS = """
    import functools
    from qtpy.QtGui import QTextCursor
    class Cursors:
        def __call__(self, method):
            @functools.wraps(method)
            def wrapper(*arguments):
                self.started = now()
                method(*arguments)
                return now() - self.started
            return wrapper
    """

CONSOLE = """
    import asyncio
    import threading
    class Server:
        def __init__(self):
            self._lock = threading.Lock()
            self._pending = {}
        async def run(self):
            self._assign(await receive())
        def _assign(self, job):
            if job in self._pending:
                self._pending.pop(job).set_result(job)
        async def accept(self, job):
            with self._lock:
                self._pending[job] = asyncio.Future()
            wait(job)
            with self._lock:
                self._pending.pop(job, None)
    class Console:
        def __init__(self, server: Server):
            self._server = server
        def start(self):
            threading.Thread(target=self._work).start()
        def _work(self):
            asyncio.run(self._server.run())
    """

UPLOADS = """
    import threading
    class Uploads(threading.Thread):
        def __init__(self, upload):
            super().__init__()
            self._upload = upload
        def run(self):
            self._upload()
    class Manager:
        def __init__(self):
            self.thread = Uploads(self._sync)
        def start(self):
            self.thread.start()
        def _sync(self):
            raise NotImplementedError
    class Bucket(Manager):
        def __init__(self, bucket):
            super().__init__()
            self.bucket = bucket
        def _sync(self):
            put(self.bucket)
    """

ARCHIVE = """
    class Archive:
        '''None of this class is thread-safe.'''
        def __init__(self):
            self._entries = {}
        def get(self, key):
            if key in self._entries:
                return self._entries[key]
            return None
        def evict(self, key):
            self._entries.pop(key, None)
    """

HANDLERS = """
    import logging
    import threading
    class Rotating(logging.Handler):
        def __init__(self):
            self.stream = None
            self._rollover_lock = threading.Lock()
        def emit(self, record):
            self._write(record)
        def _write(self, record):
            if self.stream:
                sync(self.stream.fileno())
                self.stream.close()
                self.stream = None
    class Timed(Rotating):
        def emit(self, record):
            self._write(record)
    """

CASES = {
    "a thread that one of two branches starts": Case("RH102", RESULTS, "else:", "if blocking:"),
    "one timer or another": Case("RH102", TICKS, "else:", "if fast():"),
    "threads of two kinds of objects, with a lock for other things": Case(
        "RH102", KINDS, "class Slow(Manager)", "class Slow(Fast)"
    ),
    "an object that is made of what it is given": Case(
        "RH105",
        MEDIA,
        "self._wrapper = wrapper\n    class MediaClient",
        "self._wrapper = open_pool(wrapper)\n    class MediaClient",
    ),
    "a handle of what runs already": Case("RH105", MEMORY, "psutil.Process(self.pid)", "Process(self.pid)"),
    "an object that a coroutine was given": Case("RH102", CALLS, "call.execute", "self.call.execute"),
    "steps of one consumer": Case("RH101", SIDE_COMMANDS, "target=self._read", "target=self.fetch"),
    "two equal values in what claims to be safe": Case("RH105", PREDICTOR, "parse(frame)", "connect(frame)"),
    "what is done once, to set up": Case("RH106", UPLOADER, "def register", "def current"),
    "two entries of one table": Case(
        "RH102", STATS, '["keep"] = join(self.stats["keep"]', '["load"] = join(self.stats["load"]'
    ),
    "what is put back as it was": Case("RH102", STORE, "return self.client\n", "return self.client.anew()\n"),
    "what is brought into its form once": Case("RH102", HANDLER, "isinstance(self.objects, str)", "path"),
    "a decorator of windows": Case("RH108", CURSORS, "qtpy.QtGui", "qtpy_text"),
    "a thread that is that of the loop": Case("RH101", CONSOLE, "async def accept", "def accept"),
    "a thread that is made and not started": Case(
        "RH112", UPLOADS, "self._upload = upload\n", "self._upload = upload\n            self.start()\n"
    ),
    "what is said to be unsafe": Case("RH101", ARCHIVE, "None of this", "All of this"),
    "who opens what was closed": Case("RH121", TRANSPORT, "def open", "def send"),
    "a lock for other things": Case(
        "RH103", LISTENERS, "tell(self):", "tell(self):\n            threading.Thread(target=self.tell).start()"
    ),
}


def found(case: Case, text: str) -> list[Finding]:
    module = SourceModule.from_text(dedent(text).lstrip(), "package/module.py")
    return list(rule_named(case.rule).check(Program.of(module)))


def is_accused(case: Case, text: str) -> bool:
    return any(finding.confidence is not Confidence.POSSIBLE for finding in found(case, text))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_two_that_do_not_meet_are_quiet_and_their_twins_are_accused(case: Case) -> None:
    assert case.quiet in case.text

    assert not is_accused(case, case.text)
    assert is_accused(case, case.text.replace(case.quiet, case.racy))


def test_handlers_are_called_under_their_own_lock() -> None:
    assert not is_accused(Case("RH101", HANDLERS, "", ""), HANDLERS)
