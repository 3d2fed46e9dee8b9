"""Code that looks like a race and is none: at the confidence of a plain hunt nothing is said of it."""

from textwrap import dedent

import pytest

from racehound.pipeline.hunt import hunt_text

QUIET = {
    "one look at what every locked section leaves whole": """
        import threading
        class Names:
            def __init__(self):
                self._lock = threading.Lock()
                self._names = {}
            def add(self, key, name):
                with self._lock:
                    self._names[key] = name
            def drop(self, key):
                with self._lock:
                    del self._names[key]
            def get(self, key):
                return self._names.get(key)
        """,
    "a loop over a tuple that is only ever replaced": """
        import threading
        class Listeners:
            def __init__(self):
                self._lock = threading.Lock()
                self._listeners = ()
            def add(self, listener):
                with self._lock:
                    self._listeners = (*self._listeners, listener)
            def drop(self, listener):
                with self._lock:
                    self._listeners = tuple(item for item in self._listeners if item is not listener)
            def fire(self, event):
                for listener in self._listeners:
                    listener(event)
        """,
    "a close that nobody races": """
        import threading
        class Log:
            def __init__(self):
                self._lock = threading.Lock()
                self._lines = []
            def write(self, line):
                with self._lock:
                    self._lines.append(line)
            def flush(self):
                with self._lock:
                    self._lines.clear()
            def close(self):
                self._lines = []
        """,
    "a thread and its own helpers": """
        import threading
        class Reader(threading.Thread):
            def __init__(self):
                super().__init__()
                self._lock = threading.Lock()
                self._expected = ()
            def run(self):
                while True:
                    self._step()
            def _step(self):
                if self._expected:
                    self._expected = ()
                self._expect(1)
            def _expect(self, kind):
                self._expected = (kind,)
        """,
    "a callback that another thread is asked to run": """
        from concurrent.futures import ThreadPoolExecutor
        class Worker:
            def __init__(self, later):
                self.pool = ThreadPoolExecutor()
                self.later = later
                self.count = 0
            def take(self, item):
                self.count += 1
                done = self.pool.submit(print, item)
                done.add_done_callback(lambda future: self.later.defer(self.finish, future))
            def finish(self, future):
                self.count -= 1
        """,
    "a lock that only the base class knows": """
        import threading
        class Registry:
            def __init__(self):
                self._lock = threading.RLock()
                self.ready = False
            def populate(self):
                with self._lock:
                    self.ready = True
        class Scratch(Registry):
            def register(self, label, model):
                if label not in self.models:
                    self.models[label] = {}
                self.models[label][model] = model
            def forget(self, label):
                del self.models[label]
            def start(self):
                self.models = {}
        """,
    "a property that is always read under the lock": """
        import threading
        class Storage:
            def __init__(self):
                self.lock = threading.Lock()
                self._conn = None
            @property
            def conn(self):
                if self._conn is None:
                    self._conn = connect()
                return self._conn
            def run(self, text):
                with self.lock:
                    return self.conn.execute(text)
        """,
    "a value that a local variable keeps": """
        import threading
        class Runner:
            def __init__(self):
                self._lock = threading.Lock()
                self._job = None
            def start(self, job):
                with self._lock:
                    self._job = job
            def forget(self):
                with self._lock:
                    self._job = None
            def wake(self):
                with self._lock:
                    job = self._job
                if job is not None:
                    job.wake()
        """,
    "a cast": """
        import threading
        from typing import cast
        class View:
            def __init__(self, kind):
                self._lock = threading.Lock()
                self._kind = kind
            def narrow(self):
                if isinstance(self._kind, int):
                    self._kind = cast(int, self._kind)
        """,
    "a lock that is released on both ways": """
        import threading
        class Future:
            def __init__(self):
                self._lock = threading.Lock()
                self.done = False
                self._callbacks = []
            def add(self, callback):
                lock = self._lock
                lock.acquire()
                if not self.done:
                    self._callbacks.append(callback)
                    lock.release()
                    return self
                lock.release()
                callback(self)
                return self
        """,
    "a lock that is given up inside its own block": """
        import threading
        class Pool:
            def __init__(self):
                self._lock = threading.Lock()
            def add(self, host):
                with self._lock:
                    self._lock.release()
                    if not host.connect():
                        self._lock.acquire()
                        return False
                    self._lock.acquire()
                return True
        """,
    "a branch for the other world": """
        import asyncio
        _IS_SYNC = True
        class Pool:
            def close(self, sockets):
                if not _IS_SYNC:
                    asyncio.gather(*[item.close() for item in sockets])
                else:
                    for item in sockets:
                        item.close()
        """,
    "a field that the function fills itself": """
        import threading
        class Loop:
            def __init__(self):
                self._lock = threading.Lock()
                self._thread = None
            def begin_again(self):
                if self._thread is not None:
                    return
                self._thread = threading.Thread(target=self._serve)
                self._thread.daemon = True
                self._thread.start()
            def _serve(self):
                with self._lock:
                    self._thread = None
        """,
    "what only the thread of the class is seen to do": """
        import threading
        class Link:
            def __init__(self):
                self._count_lock = threading.Lock()
                self._seen = 0
                self.packet = {}
                threading.Thread(target=self._serve).start()
            def _serve(self):
                while True:
                    self.reconnect()
                    self._read()
            def _read(self):
                self.packet["left"] -= 1
            def reconnect(self):
                self.packet = {"left": 3}
            def count(self):
                with self._count_lock:
                    self._seen += 1
        """,
    "an answer that is fetched twice and is the same": """
        import asyncio
        class Typing:
            def __init__(self, place):
                self.place = place
                self.channel = None
            async def _find(self):
                if self.channel is None:
                    self.channel = await self.place._get_channel()
                return self.channel
            async def begin(self):
                self.search = asyncio.create_task(self._find())
                self.search.add_done_callback(print)
        """,
    "a lock that was asked for before": """
        import threading
        class Client:
            def __init__(self):
                self._busy = threading.Lock()
            def answer(self):
                with self._busy:
                    self._send()
            def _send(self):
                if self._busy.acquire(False):
                    self._busy.release()
                    self._write()
            def _write(self):
                with self._busy:
                    print()
        """,
    "a policy that is filled before anybody asks it": """
        import threading
        class Policy:
            def __init__(self):
                self._hosts_lock = threading.Lock()
                self._hosts = frozenset()
            def populate(self, hosts):
                self._hosts = frozenset(hosts)
            def up(self, host):
                with self._hosts_lock:
                    self._hosts = self._hosts | {host}
            def down(self, host):
                with self._hosts_lock:
                    self._hosts = self._hosts - {host}
        """,
    "a result that is worked out twice, outside the lock": """
        import threading
        class Memo:
            def __init__(self, work):
                self._lock = threading.Lock()
                self._work = work
                self._known = {}
            def ask(self, key):
                with self._lock:
                    if key in self._known:
                        return self._known[key]
                result = self._work(key)
                with self._lock:
                    self._known[key] = result
                return result
        """,
    "a child that is asked for, not waited for": """
        import asyncio, os
        async def reap(pids):
            for pid in pids:
                os.waitpid(pid, os.WNOHANG)
        async def main():
            await asyncio.gather(reap([]), reap([]))
        """,
    "one look beside others at what is changed by itself": """
        import threading
        class Transport:
            def __init__(self):
                self._lock = threading.Lock()
                self._seen = {}
                self._open = {}
            def open(self, key):
                with self._lock:
                    self._seen[key] = True
            def hold(self, key):
                with self._lock:
                    self._open[key] = True
            def handle(self, key):
                if self._open.get(key):
                    return None
                return key in self._seen
        """,
    "a primitive that there is only where there is a loop": """
        import asyncio
        from concurrent.futures import ThreadPoolExecutor
        class Stream:
            def __init__(self):
                self._event = None
            async def body(self):
                self._event = asyncio.Event()
                await self._event.wait()
            def receive(self):
                if self._event:
                    self._event.set()
        def serve(stream: Stream):
            with ThreadPoolExecutor() as pool:
                pool.submit(stream.receive).result()
        """,
    "what a thread leaves to another one": """
        import queue
        from concurrent.futures import ThreadPoolExecutor
        class Later:
            def __init__(self):
                self._jobs = queue.Queue()
            def defer(self, job):
                self._jobs.put(job)
        class Worker:
            def __init__(self):
                self.count = 0
                self._later = Later()
                self._pool = ThreadPoolExecutor()
            def accept(self, connection):
                self.count += 1
                future = self._pool.submit(connection.handle)
                future.add_done_callback(lambda done: self._later.defer(self.finish))
            def finish(self):
                self.count -= 1
        """,
    "a public step that only the thread of the object takes": """
        import threading
        class Monitor:
            def __init__(self):
                self._lock = threading.Lock()
                self._factor = 0
                self._thread = None
            def start(self):
                with self._lock:
                    self._thread = threading.Thread(target=self._loop)
                    self._thread.start()
            def _loop(self):
                while True:
                    self.lower()
            def lower(self):
                self._factor += 1
        """,
    "a buffer that is emptied after it was sent": """
        class File:
            def __init__(self, chunks):
                self._chunks = chunks
                self._buffer = []
            async def _flush(self, force):
                if force or len(self._buffer) > 9:
                    await self._chunks.insert(self._buffer)
                    self._buffer = []
            async def write(self, data):
                await self._flush(False)
            async def write_all(self, data):
                await self._flush(True)
        """,
    "a loop of the end": """
        class Handler:
            def __init__(self):
                self._clients = {}
            def client(self, key):
                self._clients[key] = key
                return key
            async def close(self):
                for client in self._clients.values():
                    await client.aclose()
        """,
    "work that is put there before the thread is told": """
        import threading
        class Worker(threading.Thread):
            def __init__(self):
                super().__init__()
                self.job = None
                self._there = threading.Event()
            def process(self, job):
                self.job = job
                self._there.set()
            def run(self):
                while True:
                    self._there.wait()
                    if self.job is None:
                        break
                    print(self.job)
                    self.job = None
        """,
    "a property that is set before the work begins": """
        import threading
        class Jobs:
            def __init__(self):
                self._lock = threading.Lock()
                self._count = 0
            @property
            def count(self):
                return self._count
            @count.setter
            def count(self, value):
                self._count = value
            def less(self):
                with self._lock:
                    self._count -= 1
                    return self._count
        """,
    "taking what is there while others add": """
        import threading
        class Sender(threading.Thread):
            def __init__(self):
                super().__init__()
                self._topics = set()
            def add(self, topic):
                self._topics.add(topic)
            def run(self):
                while self._topics:
                    print(self._topics.pop())
        """,
    "a loop that ends by what its handler notes": """
        import asyncio
        async def reconnect(abort_event):
            while True:
                abort = False
                try:
                    await asyncio.wait_for(abort_event.wait(), 1)
                except asyncio.CancelledError:
                    abort = True
                if abort:
                    break
        """,
    "the lock of one corner of a large class": """
        import threading
        class Manager:
            def __init__(self):
                self._lock = threading.Lock()
                self._errors = []
                self._sort = self._state = self._epoch = self._node = self._tries = 0
            def fail(self, error):
                with self._lock:
                    self._errors.append(error)
            def next_sort(self):
                self._sort += 1
                return self._sort
            def move(self, state):
                self._state = state
            def advance(self, epoch):
                self._epoch = epoch
            def choose(self, node):
                self._node = node
            def retry(self):
                self._tries = self._tries + 1
        """,
    "a text about the object": """
        import threading
        class Connection:
            def __init__(self):
                self._lock = threading.Lock()
                self._user = self._password = None
            def rebind(self, user, password):
                with self._lock:
                    self._user = user
                    self._password = password + self._user
            def repr_stripped(self):
                return f"{self._user} {self._password and len(self._password)}"
        """,
    "stores of something whole": """
        import threading
        class Server:
            def __init__(self):
                self._lock = threading.Lock()
                self._schema = object()
            def refresh(self, answer):
                with self._lock:
                    self._schema = None
                    self._schema = answer
            def again(self, answer):
                with self._lock:
                    self._schema = answer
            def attach(self, schema):
                self._schema = schema
        """,
    "an entry that its one caller takes out": """
        import threading
        class Responses:
            def __init__(self):
                self._lock = threading.Lock()
                self._found = {}
            def put(self, number, value):
                with self._lock:
                    self._found[number] = value
            def get(self, number):
                if number in self._found:
                    return self._found.pop(number)
                return None
        """,
    "an answer that is asked for twice": """
        class Client:
            def __init__(self, manager):
                self._manager = manager
                self._controller = None
            async def _send(self, request):
                if self._controller is None:
                    self._controller = await self._manager.find()
                return await self._manager.send(self._controller, request)
            async def create(self):
                await self._send(1)
            async def drop(self):
                await self._send(2)
        """,
    "an end that comes twice": """
        class Protocol:
            def __init__(self, stream):
                self.stream = stream
            async def _close_stream(self):
                if self.stream is not None:
                    await self.stream.handle()
                    self.stream = None
            async def fail(self):
                await self._close_stream()
            async def end(self):
                await self._close_stream()
        """,
}


@pytest.mark.parametrize("name", QUIET)
def test_nothing_is_said_of(name: str) -> None:
    findings, _, _ = hunt_text(dedent(QUIET[name]).encode(), "quiet.py")

    assert [f"{finding.rule} {finding.location.line} {finding.message}" for finding in findings] == []


LOUD = {
    "two fields that are read one after the other": (
        "RH107",
        """
        import threading
        class Rate:
            def __init__(self):
                self._lock = threading.Lock()
                self._hits = self._misses = 0
            def hit(self):
                with self._lock:
                    self._hits += 1
            def reset(self):
                with self._lock:
                    self._hits = self._misses = 0
            def miss(self):
                with self._lock:
                    self._misses += 1
            def rate(self):
                return self._hits / (self._hits + self._misses)
        """,
    ),
    "a flag of the module that a function sets": (
        "RH305",
        """
        import asyncio
        _READY = False
        def start():
            global _READY
            if not _READY:
                asyncio.get_running_loop().create_task(serve())
                _READY = True
        async def serve():
            await asyncio.sleep(1)
        """,
    ),
}


@pytest.mark.parametrize("name", LOUD)
def test_its_near_twin_is_accused(name: str) -> None:
    rule, text = LOUD[name]
    findings, _, _ = hunt_text(dedent(text).encode(), "loud.py")

    assert rule in {finding.rule for finding in findings}
