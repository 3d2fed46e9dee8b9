"""Grounds that were seldom real among the judged findings, and twins of another ground that were."""

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
    racy: str


PAGES = """
    from concurrent.futures import ThreadPoolExecutor
    _PAGES = {}
    def page(path):
        found = _PAGES.get(path)
        if found is None:
            found = Page(path)
            _PAGES[path] = found
        return found
    def main(paths):
        with ThreadPoolExecutor() as pool:
            return list(pool.map(page, paths))
    """

IDLE = """
    import threading
    class Pool:
        def __init__(self):
            self._idle = set()
        def begin(self, count):
            for _ in range(count):
                threading.Thread(target=self._work).start()
        def _work(self):
            worker = object()
            if len(self._idle) < 5:
                self._idle.add(worker)
    """

STORAGE = """
    from concurrent.futures import ThreadPoolExecutor
    from vendor import Client
    class Storage:
        def __init__(self):
            self._client = None
        def client(self):
            if self._client is None:
                self._client = Client("eu")
            return self._client
        def load(self, keys):
            with ThreadPoolExecutor() as pool:
                return list(pool.map(self._get, keys))
        def _get(self, key):
            return self.client().get(key)
        def leave(self):
            if self._client:
                self._client.ping()
    """

PROVIDER = """
    from concurrent.futures import ThreadPoolExecutor
    _provider = None
    class LocalBackend:
        def read(self, name):
            seen = []
            return open(name).read()
    def provider():
        global _provider
        if _provider is None:
            _provider = LocalBackend()
        return _provider
    def use(given):
        global _provider
        _provider = given
    def main(names):
        with ThreadPoolExecutor() as pool:
            return list(pool.map(lambda name: provider().read(name), names))
    """

TICKS = """
    import threading
    class Monitor:
        def __init__(self):
            self._lock = threading.Lock()
            self._home = threading.get_ident()
            self._spent = 0
        def begin(self, count):
            for _ in range(count):
                threading.Thread(target=self._tick).start()
        def _tick(self):
            if threading.get_ident() != self._home:
                return
            self._spent += cost()
        def is_late(self):
            return self._spent > 5
    """

POLLED = """
    import queue, threading
    class Window:
        def __init__(self):
            self._requests = queue.Queue()
            threading.Thread(target=self._serve).start()
        def _serve(self):
            self._requests.put(1)
        def poll(self):
            if self._requests.empty():
                return
            while not self._requests.empty():
                show(self._requests.get())
    """

KINDS = """
    import threading
    class Connection:
        def __init__(self):
            self.received = 0
        def take(self, data):
            self.received += count(data)
            if self.received > 10:
                print(self.received)
    class Serial(Connection):
        def open(self):
            threading.Thread(target=self.listen).start()
        def listen(self):
            self.take(read())
    class Web(Connection):
        def open(self):
            threading.Thread(target=self.follow).start()
        def follow(self):
            self.take(get())
    """

LEAVING = """
    import threading
    class Workers:
        def __init__(self):
            self._lock = threading.Lock()
            self._threads = set()
        def leave(self, name):
            self._lock.acquire()
            self._threads.remove(threading.current_thread())
            self._lock.release()
    """

BREAKER = """
    import threading
    class Breaker:
        def __init__(self):
            self._lock = threading.Lock()
            self._state = 0
        def look(self, now):
            self._lock.acquire()
            state = self._current(now)
            self._lock.release()
            return state
        def _current(self, now):
            if now > 5:
                self._begin(now)
            return self._state
        def _begin(self, now):
            self._state = max(self._state, now)
    """

RECENTS = """
    import toml
    class Recents:
        def __init__(self, config_path):
            self.config_path = config_path
        def load(self):
            try:
                with open(self.config_path) as file:
                    return toml.load(file)
            except toml.decode_error:
                return {}
        def save(self, values):
            with open(self.config_path, "w") as file:
                toml.dump(values, file)
    """

PENDING = """
    from concurrent.futures import ThreadPoolExecutor
    _PENDING = {}
    def finish(event_id):
        if event_id in _PENDING:
            del _PENDING[event_id]
    def main(events):
        with ThreadPoolExecutor() as pool:
            return list(pool.map(finish, events))
    """

SIGNER = """
    import threading
    class Signer:
        def __init__(self, region):
            self.region = region
        def sign(self, text):
            return self.region + text
    class Caller:
        def __init__(self):
            self._signer = None
        def begin(self, count):
            for _ in range(count):
                threading.Thread(target=self._call).start()
        def _call(self):
            if self._signer is None:
                self._signer = Signer("west")
            print(self._signer)
    """

MANAGER = """
    import threading
    class Manager:
        _lock = threading.Lock()
        _cache = None
        @classmethod
        def cache(cls):
            if cls._cache is None:
                cls._initialise()
            return cls._cache
        @classmethod
        def _initialise(cls):
            with cls._lock:
                cls._cache = TimeZoneCache()
    """

PLUGINS = """
    class Plugins:
        '''Thread-safe.'''
        def __init__(self):
            self._plugin = 0
            self._time = 0
        def register(self, plugin):
            self._plugin = plugin
            self._time = 1
        def unregister(self):
            self._plugin = None
            self._time = 2
    """

FINDER = """
    import threading
    class Finder:
        def __init__(self):
            self._lock = threading.Lock()
            self._published = 0
        def publish(self):
            if self._published > 3:
                send()
            self._published += 1
        def reset(self):
            with self._lock:
                self._published = 0
    """

FUTURES = """
    import asyncio
    class Flow:
        def __init__(self):
            self._events = []
        async def one(self):
            self._events.append(1)
            if self._events:
                await asyncio.sleep(1)
                self._events.clear()
        async def main(self):
            await asyncio.gather(self.one(), self.one())
    """

OWNERS = """
    import asyncio
    class Bot:
        def __init__(self):
            self.owners = None
        async def fill(self):
            if self.owners is None:
                team = await self.ask()
                self.owners = {member.id for member in team}
        async def main(self):
            await asyncio.gather(self.fill(), self.fill())
    """

SERVER = """
    import asyncio
    class Server:
        def __init__(self):
            self._writer = None
        async def begin(self):
            await asyncio.start_server(self.handle, "", 80)
        async def handle(self, reader, writer):
            self._writer = writer
            await reader.read()
            if self._writer is writer:
                print(1)
    """

VERSION = """
    def set_config_version(path, text):
        with open(path, "w") as file:
            file.write(text)
    def get_config_version(path):
        with open(path) as file:
            return json.load(file)
    def renew(path):
        set_config_version(path, get_config_version(path).upper())
    """

FONTS = """
    import json
    def writelines(target, lines):
        with open(place, "w") as file:
            json.dump(lines, file)
    def readlines():
        with open(place) as file:
            return json.load(file)
    place = find_place()
    """

SHOTS = """
    import os
    from app import settings
    def create(image):
        name = image.name()
        size = image.size()
        kind = image.kind()
        check(name, size, kind)
        tell(name, size, kind)
        if not os.path.exists(settings.SHOTS):
            os.makedirs(settings.SHOTS)
        image.save(name, size, kind)
        tell(name, size, kind)
        return image
    """

PROFILES = """
    import os
    def parse(options):
        if not os.path.exists(options.profile_dir):
            os.mkdir(options.profile_dir)
    """

HEADERS = """
    def clean(headers):
        for name in headers.keys():
            if not headers[name]:
                del headers[name]
    """

BUFFER = """
    import threading
    class Buffer:
        def __init__(self):
            self._ready = threading.Event()
            self._last = 0
        def reset(self):
            self._ready.clear()
            self._last = -1
        def update(self):
            if self._last >= 0:
                self._ready.set()
        def take(self):
            self._ready.wait()
    """

WINDOWS = """
    import tkinter, threading
    class Counter:
        count = 0
    class Window:
        def __init__(self):
            self._names = {}
        def begin(self):
            threading.Thread(target=self._fill).start()
        def _fill(self):
            self._names[1] = 2
        def show(self):
            for name in self._names:
                print(name)
    """

OUTCOMES = """
    import asyncio
    class Store:
        async def reject(self, tasks):
            waiting = []
            for task in tasks:
                task.throw()
                waiting.append(task)
            await asyncio.gather(*waiting, return_exceptions=True)
            print(1)
    """

POOLED = """
    import time
    from concurrent.futures import ThreadPoolExecutor
    def begin(count):
        pool = ThreadPoolExecutor(count)
        for _ in range(count):
            pool.submit(lambda: time.sleep(0.1))
        return pool
    """

WORKERS = """
    import threading
    class Pool:
        def __init__(self):
            self.thread = threading.Thread(target=self.on_work)
            self.thread.start()
            self.event = threading.Event()
        def on_work(self):
            self.event.set()
    """

MIDDLEWARE = """
    class Middleware:
        def __init__(self, function):
            self.function = function
        def __call__(self, place):
            self.storage = self.function(place)
            self.read()
            return self
        def read(self):
            return self.storage.read()
    """

SETTINGS = """
    import threading
    class Settings:
        _instance = None
        def __new__(cls):
            if cls._instance is None:
                cls._instance = super().__new__(cls)
            return cls._instance
    settings = Settings()
    """

RESULTS = """
    class ResultStore:
        def _place(self, name):
            return self.root / name
        def write(self, name, text):
            with open(self._place(name), "w") as file:
                file.write(text)
        def read(self, name):
            with open(self._place(name)) as file:
                return file.read()
    """

DETECTOR = """
    import os
    class Detector:
        def __init__(self, place):
            self.place = place
        def detect(self):
            if not os.path.isdir(self.place):
                os.mkdir(self.place)
    """

STEPPED = """
    import time
    class BlockingConnection:
        async def sleep(self, seconds):
            time.sleep(seconds)
    """

FIRST = """
    import json, os
    class Settings:
        def __init__(self, config_file):
            self.config_file = config_file
        def begin(self):
            if not os.path.exists(self.config_file):
                with open(self.config_file, "w") as file:
                    file.write("{}")
        def load(self):
            with open(self.config_file) as file:
                return json.load(file)
    """

HANDED_ON = """
    import asyncio, os
    from concurrent.futures import ThreadPoolExecutor
    class Handler:
        def __init__(self, cache_dir):
            self.cache_dir = cache_dir
        async def issue(self):
            await asyncio.to_thread(self._finish)
        def _finish(self):
            if os.path.exists(self.cache_dir):
                os.rmdir(self.cache_dir)
    """

INDEX = """
    import asyncio
    class Collection:
        def __init__(self):
            self.index = None
        async def _load(self):
            if not self.index:
                index = await self.describe_index()
                self.index = index
        async def add(self):
            await self._load()
        async def drop(self):
            await self._load()
    """

OPTIONS = """
    def arguments(*options):
        found = None
        given = list(options)
        for item in given:
            if isinstance(item, Options):
                found = item
                given.remove(item)
        return found
    """

META = """
    import threading
    class Single(type):
        def __init__(cls, name, bases, namespace):
            cls._single = None
        def __call__(cls, *args):
            if cls._single is None:
                cls._single = super().__call__(*args)
            return cls._single
    """

LEASED = """
    import asyncio
    class Lease:
        def __init__(self, client):
            self._lock = asyncio.Lock()
            self.link = None
        async def ensure_link(self):
            if self.link is None:
                self.link = await connect()
        async def __aenter__(self):
            await self._lock.acquire()
            await self.ensure_link()
        async def renew(self):
            await self._lock.acquire()
            await self.ensure_link()
        async def __aexit__(self, *error):
            self._lock.release()
    """

VERSIONS = """
    import json
    class Provider:
        def __init__(self, file):
            self.file = file
        def set_version(self, version):
            with open(self.file) as file:
                values = json.load(file)
            values["version"] = version
            with open(self.file, "w") as file:
                json.dump(values, file)
    """

LOGOUT = """
    import json, os
    class Session:
        def __init__(self, path):
            self._path = path
        def load(self):
            if os.path.exists(self._path):
                with open(self._path) as file:
                    return json.load(file)
        def __init__(self, path):
            self._path = path
            os.remove(self._path)
    """

CASES = {
    "what a constructor takes away": Case(
        "RH401",
        LOGOUT,
        "def __init__(self, path):\n            self._path = path\n            os",
        "def logout(self):\n            os",
    ),
    "one option among arguments": Case("RH104", OPTIONS, "return found", "return found, given"),
    "a lock that is taken by all who come": Case("RH302", LEASED, "await self._lock.acquire()", "print(1)"),
    "what a command changes": Case("RH405", VERSIONS, "self.file", "self.token_file"),
    "a file that is written at the first start": Case(
        "RH403", FIRST, "if not os.path.exists(self.config_file):", "if os.getpid():"
    ),
    "a step that a coroutine has done": Case(
        "RH401",
        HANDED_ON,
        "await asyncio.to_thread(self._finish)",
        "[ThreadPoolExecutor().submit(self._finish) for _ in range(9)]",
    ),
    "an answer by way of a variable": Case("RH302", INDEX, "describe_index", "connect"),
    "windows, which one thread draws": Case("RH103", WINDOWS, "import tkinter, threading", "import threading"),
    "outcomes of tasks that others have started": Case("RH306", OUTCOMES, "*waiting", "*map(ask, waiting)"),
    "work in which nothing raises": Case("RH306", POOLED, "time.sleep(0.1)", "convert(1)"),
    "a callback of a thread that has no work yet": Case("RH112", WORKERS, "on_work", "work"),
    "a call that stands in for what is made": Case("RH108", MIDDLEWARE, "return self\n", "return place\n"),
    "the one object that the module makes": Case("RH106", SETTINGS, "settings = Settings()", ""),
    "a reader that takes any text": Case("RH403", RESULTS, "file.read()", "json.load(file)"),
    "a directory of a later step": Case("RH401", DETECTOR, "def detect(self)", "def prepare(self)"),
    "coroutines without a loop": Case("RH310", STEPPED, "BlockingConnection", "Connection"),
    "a client that nobody closes": Case("RH105", STORAGE, "self._client.ping()", "self._client.close()"),
    "an object that keeps nothing": Case("RH106", PROVIDER, "seen = []", "self.seen = []"),
    "a step that one thread goes on to": Case("RH102", TICKS, "threading.get_ident() !=", "5 !="),
    "a queue that one thread empties": Case(
        "RH101", POLLED, "while not self._requests.empty()", "for _ in range(2)"
    ),
    "threads of two kinds of objects": Case("RH102", KINDS, "class Web(Connection)", "class Web(Serial)"),
    "a thread that takes itself out": Case("RH204", LEAVING, "threading.current_thread()", "name"),
    "plain steps of the program": Case("RH204", BREAKER, "max(self._state, now)", "ask(self._state, now)"),
    "a reader that takes half for none": Case("RH403", RECENTS, "toml.decode_error", "toml.closed"),
    "an entry of which either will do": Case("RH101", PAGES, "Page(path)", "connect(path)"),
    "an entry in which something is kept": Case("RH101", PAGES, "Page(path)", "{}"),
    "what each call has a number for": Case("RH101", PENDING, "event_id", "event"),
    "a thing that keeps nothing, in known threads": Case("RH105", SIGNER, 'Signer("west")', "Connection()"),
    "a second cache": Case("RH106", MANAGER, "TimeZoneCache()", "connect_pool()"),
    "a store that is whole in what claims to be safe": Case(
        "RH107", PLUGINS, "self._plugin = plugin", "self._plugin += plugin"
    ),
    "a fresh start under the lock": Case("RH107", FINDER, "def reset", "def publish_first"),
    "what has been waited for": Case("RH302", FUTURES, "self._events.clear()", "self._events.pop()"),
    "data that is worked out twice": Case(
        "RH302", OWNERS, "{member.id for member in team}", "await connect(team)"
    ),
    "a name that only a step has": Case("RH403", VERSION, "config_version", "cached_version"),
    "a variable of the module": Case("RH403", FONTS, "place", "PLACE"),
    "a directory that settings name": Case("RH401", SHOTS, "settings.SHOTS", "settings.CACHE"),
    "a directory that a command is given": Case("RH401", PROFILES, "options", "where"),
    "headers, which give their keys as a list": Case("RH104", HEADERS, "headers", "rows"),
}


def accused(case: Case, text: str) -> bool:
    module = SourceModule.from_text(dedent(text).lstrip(), "package/module.py")
    found = rule_named(case.rule).check(Program.of(module))
    return any(finding.confidence is not Confidence.POSSIBLE for finding in found)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_was_seldom_real_is_quiet_and_its_twin_is_accused(case: Case) -> None:
    assert case.quiet in case.text

    assert not accused(case, case.text)
    assert accused(case, case.text.replace(case.quiet, case.racy))


@pytest.mark.parametrize(
    ("rule", "text"),
    [("RH106", META), ("RH101", IDLE), ("RH301", SERVER), ("RH118", BUFFER)],
    ids=[
        "a class whose class makes it once",
        "one more than the limit",
        "a look that tells whose it is",
        "a signal in what nobody shares",
    ],
)
def test_what_was_never_real_is_possible(rule: str, text: str) -> None:
    case = Case(rule, text, "", "")
    module = SourceModule.from_text(dedent(text).lstrip(), "package/module.py")

    assert list(rule_named(rule).check(Program.of(module)))
    assert not accused(case, text)
