"""Uses of a field beside its lock, and threads that nothing runs beside: quiet; their near twins are accused."""

from textwrap import dedent

import pytest

from racehound.pipeline.hunt import hunt_text

QUIET = {
    "a thread that its starter waits for at once": """
        import threading
        class Job:
            def __init__(self):
                self.left = None
            def run(self):
                thread = threading.Thread(target=self._work)
                thread.start()
                thread.join()
            def _work(self):
                if self.left:
                    self.left.cancel()
                self.left = None
            def reset(self):
                self.left = None
        """,
    "steps that a queue calls under its own lock": """
        import queue, threading
        class Latest(queue.Queue):
            '''Thread-safe, as every queue is.'''
            def _init(self, size):
                super()._init(size)
                self._last = None
            def _put(self, item):
                super()._put(item)
                self._last = item
            def _get(self):
                item = super()._get()
                if item is self._last:
                    self._last = None
                return item
        """,
    "a look that is taken again under the lock": """
        import threading
        class Backend:
            def __init__(self):
                self._lock = threading.Lock()
                self._session = None
                self._table = None
            def _is_ready(self):
                return self._session is not None and self._table is not None
            def connect_once(self):
                if self._is_ready():
                    return
                with self._lock:
                    if self._is_ready():
                        return
                    session, table = self._session, self._table
                    if session is None:
                        session = open_session()
                    if table is None:
                        table = make_table(session)
                    self._session = session
                    self._table = table
            def reopen(self):
                with self._lock:
                    self._session.close()
                    self._table.close()
                    self._session = open_session()
                    self._table = make_table(self._session)
            def store(self, row):
                self.connect_once()
                self._session.execute(self._table, row)
        """,
    "a hook that the start runs before the thread": """
        import threading
        class Base(threading.Thread):
            def on_start(self):
                pass
            def start(self):
                self.on_start()
                threading.Thread.start(self)
        class Emitter(Base):
            def __init__(self):
                super().__init__()
                self._lock = threading.Lock()
                self._snapshot = None
            def on_start(self):
                self._snapshot = take()
            def run(self):
                while True:
                    with self._lock:
                        new = take()
                        emit(self._snapshot, new)
                        self._snapshot = new
        """,
    "a lock that the program builds for coroutines": """
        import anyio, asyncio
        class AsyncLock:
            async def __aenter__(self):
                self._inner = anyio.Lock()
                await self._inner.acquire()
            async def __aexit__(self, *exc):
                self._inner.release()
        class Connection:
            def __init__(self):
                self._read_lock = AsyncLock()
                self._ended = None
            async def receive(self):
                async with self._read_lock:
                    if self._ended is None:
                        event = await self._read()
                        self._ended = event
        async def main():
            connection = Connection()
            await asyncio.gather(*(connection.receive() for _ in range(2)))
        """,
    "a step of a derived class that the base runs under its lock": """
        import asyncio
        class Pool:
            def __init__(self):
                self._lock = asyncio.Lock()
                self._count = 0
            async def get(self):
                async with self._lock:
                    return await self._ready()
            async def _ready(self):
                return None
        class NullPool(Pool):
            async def _ready(self):
                if self._count < 4:
                    connection = await connect()
                    self._count += 1
                    return connection
            async def give(self, connection):
                async with self._lock:
                    self._count -= 1
        """,
    "a path without the lock beside one with it": """
        import threading
        class Pool:
            def __init__(self, limit):
                self._lock = threading.Lock()
                self._limit = limit
                self._over = 0
            def more(self):
                if self._limit == -1:
                    self._over += 1
                    return True
                with self._lock:
                    self._over += 1
                    return True
            def less(self):
                with self._lock:
                    self._over -= 1
        """,
    "a store that no section under the lock counts on": """
        import threading
        class Delay:
            def __init__(self):
                self._lock = threading.Lock()
                self._delay = None
            def set(self, least):
                with self._lock:
                    self._least = least
                    self._delay = None
            def connected(self):
                self._delay = None
            def wait(self):
                with self._lock:
                    if self._delay is None:
                        self._delay = self._least
                    else:
                        self._delay = self._delay * 2
        """,
    "a tolerant removal after the work": """
        import threading
        class Cache:
            def __init__(self):
                self._lock = threading.Lock()
                self._found = {}
            def subscribe(self, key):
                with self._lock:
                    if key in self._found:
                        return self._found[key]
                    self._found[key] = name = make(key)
                    return name
            def unsubscribe(self, key):
                name = self._found.get(key)
                tell(name)
                self._found.pop(key, None)
        """,
    "a lock taken where the attempt to take it has failed": """
        import threading
        class Credentials:
            def __init__(self):
                self._lock = threading.Lock()
            def refresh(self):
                if self._lock.acquire(False):
                    try:
                        return fetch()
                    finally:
                        self._lock.release()
                elif self._is_urgent():
                    with self._lock:
                        return fetch()
        """,
    "a task that is made under the lock and ends without it": """
        import asyncio
        class Sender:
            def __init__(self):
                self._lock = asyncio.Lock()
                self._closed = asyncio.Event()
            async def run(self):
                async with self._lock:
                    self._task = asyncio.create_task(self._worker())
            async def _worker(self):
                await send()
                self._closed.set()
            async def stop(self):
                async with self._lock:
                    await self._closed.wait()
                    self._task.cancel()
        """,
    "an exit that a shield keeps from being skipped": """
        import anyio
        async def lifespan(context, lock):
            await context.__aenter__()
            try:
                yield
            finally:
                with anyio.CancelScope(shield=True):
                    async with lock:
                        await context.__aexit__(None, None, None)
        """,
    "errors of work that is waited for at the end": """
        import asyncio
        async def running(services):
            tasks = [asyncio.create_task(service.run()) for service in services]
            try:
                yield
            finally:
                await asyncio.gather(*tasks, return_exceptions=True)
        """,
    "the item that the loop is at gets another value": """
        def refresh(variable):
            values = {"name": 1, "value": 2}
            for key in values.keys():
                values.update({key: getattr(variable, key)})
            return values
        """,
    "a count for people beside the work": """
        class Pool:
            "Thread-safe connection pool."
            def __init__(self):
                self.made = 0
                self.pool = object()
            def new(self):
                self.made += 1
                return make(self.made)
            def close(self):
                self.pool = None
        """,
    "one look at a number that is stored whole": """
        import threading
        class Bucket:
            def __init__(self):
                self._lock = threading.Lock()
                self._capacity = 0.0
            def refill(self, most):
                with self._lock:
                    self._capacity = most + 1
                    self._capacity = min(self._capacity, most)
            def take(self):
                with self._lock:
                    self._capacity -= 1
            def available(self):
                return self._capacity
        """,
    "two files of one directory, each with a name of its own": """
        import json
        class Store:
            def __init__(self, directory):
                self.directory = directory
            def index(self):
                path = self.directory / "index.json"
                if not path.exists():
                    return {}
                return json.loads(path.read_text())
            def drop(self, key):
                (self.directory / f"{key}.json").unlink()
        """,
    "what every thread has of its own": """
        import threading
        class Slots(threading.local):
            hub = None
        _slots = Slots()
        def hub():
            if _slots.hub is None:
                _slots.hub = make()
            return _slots.hub
        def main():
            for _ in range(2):
                threading.Thread(target=hub).start()
        """,
    "a coroutine that a thread makes and a loop runs": """
        from concurrent.futures import ThreadPoolExecutor
        FUTURES = {}
        async def dispatch(key):
            if key in FUTURES:
                FUTURES[key] += [1]
            else:
                FUTURES[key] = [1]
        def work(loop, key):
            loop.call_soon_threadsafe(later, dispatch(key))
        def main(loop):
            with ThreadPoolExecutor() as pool:
                list(pool.map(work, [loop, loop]))
        """,
    "one look beside sections that change one thing on each path": """
        import threading
        class Definitions:
            def __init__(self):
                self._lock = threading.Lock()
                self._known = {}
            def lookup(self, key):
                return self._known.get(key)
            def register(self, key, value):
                with self._lock:
                    if key not in self._known:
                        self._known[key] = value
                        return value
                    self._known[key] = merged(self._known[key], value)
                    return self._known[key]
        """,
    "a use whose error is caught": """
        import threading
        class App:
            def __init__(self):
                self.sock = None
                self.done = threading.Event()
            def run(self):
                threading.Thread(target=self._ping).start()
            def _ping(self):
                while not self.done.wait(1):
                    if self.sock:
                        try:
                            self.sock.ping(b"")
                        except Exception as error:
                            report(error)
            def drop(self):
                self.sock = None
        """,
    "a keyed cache of answers, filled after an await": """
        _names = {}
        async def name(key):
            if key not in _names:
                _names[key] = await fetch_name(key)
            return _names[key]
        """,
    "two functions that store what the same call gives": """
        import asyncio
        class Payload:
            def __init__(self, file):
                self._file = file
                self._start = None
            def _rewind(self):
                if self._start is None:
                    self._start = self._file.tell()
            def size(self):
                if self._start is None:
                    self._start = self._file.tell()
                return self._start
            def _read(self):
                self._rewind()
                return self.size()
            async def write(self):
                await asyncio.get_running_loop().run_in_executor(None, self._read)
        """,
}


@pytest.mark.parametrize("name", QUIET)
def test_nothing_is_said_of(name: str) -> None:
    findings, _, _ = hunt_text(dedent(QUIET[name]).encode(), "quiet.py")

    assert [f"{finding.rule} {finding.location.line} {finding.message}" for finding in findings] == []


LOUD = {
    "a thread that its starter waits for later": (
        "RH101",
        """
        import threading
        class Job:
            def __init__(self):
                self.left = {}
            def run(self, key):
                thread = threading.Thread(target=self._work, args=(key,))
                thread.start()
                self._work(key)
                thread.join()
            def _work(self, key):
                if key in self.left:
                    del self.left[key]
        """,
    ),
    "a change of several steps beside the lock": (
        "RH107",
        """
        import threading
        class Buffer:
            def __init__(self):
                self._lock = threading.Lock()
                self._lines = []
            def write(self, line):
                with self._lock:
                    self._lines.append(line)
            def drain(self):
                lines = self._lines
                self._lines = []
                return lines
        """,
    ),
    "a deletion that a section under the lock does not reckon with": (
        "RH107",
        """
        import threading
        class Bounded:
            def __init__(self):
                self._lock = threading.Lock()
                self._items = {}
            def put(self, key, value):
                with self._lock:
                    if key in self._items:
                        del self._items[key]
                    self._items[key] = value
            def size(self):
                with self._lock:
                    return len(self._items)
            def drop(self, key):
                del self._items[key]
        """,
    ),
    "a keyed cache of connections, filled after an await": (
        "RH302",
        """
        _connections = {}
        async def connection(key):
            found = _connections.get(key)
            if found is None:
                found = await connect(key)
                _connections[key] = found
            return found
        """,
    ),
    "a keyed cache of pools that tasks of one loop ask for": (
        "RH302",
        """
        import asyncio
        class Pools:
            def __init__(self):
                self._pools = {}
            async def pool(self, address):
                if address not in self._pools:
                    self._pools[address] = await create_pool(address)
                return self._pools[address]
        async def main(addresses):
            pools = Pools()
            await asyncio.gather(*(pools.pool(address) for address in addresses))
        """,
    ),
    "a use whose error nobody catches": (
        "RH101",
        """
        import threading
        class App:
            def __init__(self):
                self.sock = None
                self.done = threading.Event()
            def run(self):
                threading.Thread(target=self._ping).start()
            def _ping(self):
                while not self.done.wait(1):
                    if self.sock:
                        self.sock.ping(b"")
            def drop(self):
                self.sock = None
        """,
    ),
    "a reset that an update under the lock undoes": (
        "RH107",
        """
        import threading
        class Breaker:
            def __init__(self):
                self._lock = threading.Lock()
                self._failures = 0
            def failed(self):
                with self._lock:
                    self._failures += 1
            def succeeded(self):
                self._failures = 0
        """,
    ),
    "a step of a derived class that the base runs without a lock": (
        "RH302",
        """
        import asyncio
        class Pool:
            def __init__(self):
                self._lock = asyncio.Lock()
                self._count = 0
            async def get(self):
                return await self._ready()
            async def _ready(self):
                return None
        class NullPool(Pool):
            async def _ready(self):
                if self._count < 4:
                    connection = await connect()
                    self._count += 1
                    return connection
            async def give(self, connection):
                async with self._lock:
                    self._count -= 1
        """,
    ),
}


@pytest.mark.parametrize("name", LOUD)
def test_its_near_twin_is_accused(name: str) -> None:
    rule, text = LOUD[name]
    findings, _, _ = hunt_text(dedent(text).encode(), "loud.py")

    assert rule in {finding.rule for finding in findings}
