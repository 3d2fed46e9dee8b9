"""Signs of sharing that say less than they seem to: quiet; their near twins are accused."""

from textwrap import dedent

import pytest

from racehound.pipeline.hunt import hunt_text

QUIET = {
    "two stores, one of them in a thread of the class, where no lock is known": """
        import threading
        class Telemetry:
            def __init__(self):
                self.info = {}
                threading.Thread(target=self._wait).start()
            def _wait(self):
                while not self.info.get("url"):
                    self.info["url"] = look_up()
            def update(self, tags):
                self.info.update(tags)
        """,
    "a class that asks others to be thread-safe": """
        class Members:
            '''Tells who is there. Callers should ensure that their callbacks are thread-safe.'''
            def __init__(self):
                self.callbacks = []
            def remove(self, callback):
                if callback in self.callbacks:
                    self.callbacks.remove(callback)
            def forget(self):
                self.callbacks = []
        """,
    "a lock that is taken by those who use the object": """
        import threading
        class Warehouse:
            def __init__(self):
                self.stock = {}
                self.lock = threading.Lock()
            def take(self, item):
                self.stock[item] = self.stock.get(item, 0) - 1
        def move(source, item):
            with source.lock:
                source.take(item)
        """,
    "a list that grows in place": """
        class Reader:
            '''Collects; thread-safe.'''
            def __init__(self):
                self.lines = []
            def feed(self, lines):
                self.lines += lines
            def count(self):
                return len(self.lines)
        """,
    "a socket that only a new start takes away": """
        import threading
        class Client:
            def __init__(self):
                self._socket = None
            def start(self):
                self._thread = threading.Thread(target=self._loop)
                self._thread.start()
            def _loop(self):
                while True:
                    if self._socket:
                        self._socket.send(b"1")
            def reconnect(self):
                self._reset_sockets()
                self._socket = open_socket()
            def _reset_sockets(self):
                self._socket = None
        """,
    "a class method that empties what all have in common": """
        import threading
        class Registry:
            _lock = threading.Lock()
            _counts = {}
            @classmethod
            def add(cls, name):
                with cls._lock:
                    cls._counts[name] = cls._counts.get(name, 0) + 1
            @classmethod
            def drop(cls, name):
                with cls._lock:
                    if name in cls._counts:
                        del cls._counts[name]
            @staticmethod
            def clear_counts():
                Registry._counts = {}
        """,
    "the state of what is at work, which is now this and now that": """
        import threading
        class Runner:
            def __init__(self):
                self._lock = threading.Lock()
                self._current = None
            def step(self, task):
                with self._lock:
                    self._current = task
                    if self._current.state == READY:
                        self._current.state = RUNNING
                    self._current.state = WAITING
            def cancel(self, task):
                if self._current.state == RUNNING:
                    self._current.state = task.state
        """,
    "a pool that is over when the method returns": """
        from concurrent.futures import ThreadPoolExecutor
        class Files:
            def __init__(self):
                self._entries = {}
            def add_all(self, names):
                with ThreadPoolExecutor() as pool:
                    return [future.result() for future in [pool.submit(self._add, name) for name in names]]
            def _add(self, name):
                self._entries[name] = measure(name)
            def sizes(self):
                return [entry.size() for entry in self._entries.values()]
        """,
    "threads that the method joins": """
        import threading
        class Files:
            def __init__(self):
                self._entries = {}
            def add_all(self, names):
                threads = [threading.Thread(target=self._add, args=(name,)) for name in names]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
            def _add(self, name):
                self._entries[name] = measure(name)
            def sizes(self):
                return [entry.size() for entry in self._entries.values()]
        """,
    "an item that is in the set already": """
        def fill(shown, groups):
            members = set(groups)
            for group in members:
                shown.insert(group)
                members.add(group)
        """,
    "what is asserted before a wait": """
        import asyncio
        class Machine:
            def __init__(self):
                self.state = None
                self._lock = asyncio.Lock()
            async def advance(self):
                assert self.state == States.IDLE
                try:
                    await self._lock.acquire()
                    if self.ready:
                        self.state = States.RUNNING
                        self.ready = await self._begin()
                finally:
                    self._lock.release()
            async def fall_back(self):
                async with self._lock:
                    self.state = States.IDLE
        """,
    "a call on the loop by whoever is on it": """
        import asyncio, threading
        class Client:
            def __init__(self):
                self._queue = asyncio.Queue()
            def start(self):
                threading.Thread(target=self.put, args=(1,)).start()
            def put(self, item):
                running = asyncio.get_running_loop()
                if running is self._loop:
                    self._queue.put_nowait(item)
        """,
    "a file that is made, with nothing in it": """
        class Marks:
            def __init__(self, path):
                self.path = path
            def touch(self):
                open(self.path, "w").close()
            def read(self):
                with open(self.path) as file:
                    return file.read()
        """,
    "a count that begins anew after a wait": """
        import asyncio
        class Cluster:
            def __init__(self):
                self.moved = 0
            async def ask(self):
                self.moved += 1
                if self.moved > 10:
                    await self.look_again()
                    self.moved = 0
        async def main():
            cluster = Cluster()
            await asyncio.gather(*(cluster.ask() for _ in range(9)))
        """,
    "what is closed, and then gone": """
        import asyncio
        class Client:
            def __init__(self):
                self.link = None
            async def _drop(self):
                if self.link:
                    await self.link.close()
                    self.link = None
            async def fail(self):
                await self._drop()
            async def leave(self):
                await self._drop()
        """,
    "a count of one thread, which a schedule hands on": """
        import sched, threading
        class Agent:
            def __init__(self):
                self._lock = threading.Lock()
                self._schedule = sched.scheduler()
                self._count = 0
                self._names = []
            def add(self, name):
                with self._lock:
                    self._names.append(name)
            def start(self):
                threading.Thread(target=self._loop).start()
            def _loop(self):
                self._schedule.enter(1, 1, self._harvest)
                self._schedule.run()
            def _harvest(self):
                self._schedule.enter(1, 1, self._harvest)
                self._count += 1
            def shown(self):
                return self._count
        """,
    "a state that is claimed before the lock is let go of": """
        import threading
        class Once:
            def __init__(self):
                self._cond = threading.Condition()
                self._state = None
            def run(self, function):
                with self._cond:
                    if self._state is None:
                        self._state = "running"
                        self._cond.release()
                        try:
                            done = function()
                        finally:
                            self._cond.acquire()
                            self._state = done
                            self._cond.notify_all()
        """,
    "a condition whose lock the object takes when it is entered": """
        import threading
        class Session:
            def __init__(self):
                self.lock = make_lock()
                self._changed = threading.Condition(self.lock)
            def __enter__(self):
                self.lock.acquire()
                return self
            def __exit__(self, *exc):
                self.lock.release()
            def notify(self):
                with self:
                    self._changed.notify_all()
        """,
    "a lock that is awaited elsewhere": """
        class Condition:
            def __init__(self, lock):
                self._lock = lock
            async def enter(self):
                if self.is_cooperative:
                    self._lock.acquire()
                else:
                    await self._lock.acquire()
            async def wait(self, future):
                with self._lock:
                    await future
        """,
    "a loop that the thread runs itself": """
        import asyncio, threading
        class Dispatcher:
            def __init__(self, loop: asyncio.AbstractEventLoop):
                self.loop = loop
            def start(self):
                task = self.loop.create_task(self._poll())
                self.loop.run_until_complete(task)
            async def _poll(self):
                await asyncio.sleep(1)
        def serve(address):
            dispatcher = Dispatcher(make_loop(address))
            dispatcher.start()
        def main(address):
            threading.Thread(target=serve, args=(address,)).start()
        """,
    "tasks that others have started": """
        import asyncio
        class Worker:
            def __init__(self):
                self._running = {}
            async def all_done(self):
                running = [item.task for item in self._running.values()]
                await asyncio.gather(*running, return_exceptions=True)
                self.report()
        """,
    "a file that gets its name as it is written": """
        import pickle
        class Handler:
            def __init__(self, name, file):
                self._name, self._file = name, file
            def save(self, model):
                self._file = f"{self._name}.pkl"
                with open(self._file, "wb") as file:
                    pickle.dump(model, file)
            def load(self):
                with open(self._file, "rb") as file:
                    return pickle.load(file)
        """,
    "a step that a table of the same class runs": """
        class Engine:
            def __init__(self):
                self._runs = {}
                self._commands = {"open": self._open_run}
            async def run(self, plan):
                for command in plan:
                    await self._commands[command](command)
                for run in self._runs.values():
                    await run.finish()
            async def _open_run(self, key):
                self._runs[key] = Run(key)
        """,
    "a public step that only locked steps call": """
        import threading
        class Sampler:
            def __init__(self):
                self._lock = threading.Lock()
                self.count = self.last = 0
            def reset_if_required(self):
                if required():
                    self._reset()
            def sample(self):
                with self._lock:
                    self.reset_if_required()
                    self.count += 1
            def _reset(self):
                self.last = max(self.count, 1)
                self.count = 0
        """,
    "what changes below an entry": """
        import asyncio
        class Triggers:
            def __init__(self):
                self.triggers = {}
            async def make(self, ident):
                if ident in self.triggers:
                    return
                await asyncio.sleep(0)
                self.triggers[ident] = {"task": asyncio.create_task(self.run(ident)), "events": 0}
            async def run(self, ident):
                async for event in stream(ident):
                    self.triggers[ident]["events"] += 1
        triggers = Triggers()
        async def main():
            await triggers.make(1)
        asyncio.run(main())
        """,
    "a queue that a coroutine has just looked at": """
        import queue
        class Client:
            def __init__(self):
                self._jobs = queue.Queue()
            def add(self, job):
                self._jobs.put(job)
            def first(self):
                return self._jobs.get_nowait()
            async def connect(self):
                while not self._jobs.empty():
                    job = self._jobs.get()
                    await job.run()
        """,
    "a set that loses items in place": """
        class Seen:
            '''Thread-safe.'''
            def __init__(self):
                self._names = set()
            def forget(self, names):
                self._names -= names
            def count(self):
                return len(self._names)
        """,
    "a timer that starts the next one": """
        import threading
        def download(socket):
            lock = threading.Lock()
            state = [None, 0]
            def beat():
                state[1] += 1
                socket.send(state[1])
                with lock:
                    state[0] = threading.Timer(30, beat)
                    state[0].start()
            beat()
        """,
    "a wait for one's own pool that ends": """
        from concurrent.futures import ThreadPoolExecutor
        class Renewer:
            def __init__(self):
                self._pool = ThreadPoolExecutor()
            def check(self):
                return self._pool.submit(self._probe).result()
            def _probe(self):
                probe = self._pool.submit(pow, 1, 1)
                return probe.result(timeout=0.1)
        """,
    "a reader that suppresses what half a file raises": """
        import json
        from contextlib import suppress
        class Token:
            def __init__(self, path):
                self.path = path
            def load(self):
                with suppress(FileNotFoundError, json.JSONDecodeError):
                    return json.loads(self.path.read_text())
                return {}
            def save(self, token):
                self.path.write_text(json.dumps(token))
        """,
    "a timer of a loop": """
        class Debounced:
            def __init__(self, function, reactor):
                self.function, self.reactor = function, reactor
            def __call__(self):
                self.timer = self.reactor.callLater(1, self.tick)
                self.function()
                self.timer.reset(2)
        """,
}


@pytest.mark.parametrize("name", QUIET)
def test_nothing_is_said_of(name: str) -> None:
    findings, _, _ = hunt_text(dedent(QUIET[name]).encode(), "quiet.py")

    assert [f"{finding.rule} {finding.location.line} {finding.message}" for finding in findings] == []


def test_a_loop_is_accused_once() -> None:
    text = """
        def prune(names):
            for name in names:
                if name.old:
                    names.remove(name)
                elif name.empty:
                    names.remove(name)
        """
    findings, _, _ = hunt_text(dedent(text).encode(), "twice.py")

    assert [(finding.rule, finding.location.line) for finding in findings] == [("RH104", 5)]


def test_a_command_runs_one_coroutine_to_its_end() -> None:
    text = b"import time\nasync def deploy():\n    time.sleep(1)\n"
    rules = {
        path: [finding.rule for finding in hunt_text(text, path)[0]] for path in ("app/cli/ship.py", "app/io.py")
    }

    assert rules == {"app/cli/ship.py": [], "app/io.py": ["RH310"]}


LOUD = {
    "a class that says of itself that it is thread-safe": (
        "RH101",
        """
        class Members:
            '''Tells who is there. Thread-safe: callers need no lock.'''
            def __init__(self):
                self.callbacks = []
            def remove(self, callback):
                if callback in self.callbacks:
                    self.callbacks.remove(callback)
            def forget(self):
                self.callbacks = []
        """,
    ),
    "a list that grows in place while another one takes its place": (
        "RH102",
        """
        class Reader:
            '''Collects; thread-safe.'''
            def __init__(self):
                self.lines = []
            def feed(self, lines):
                self.lines += lines
            def forget(self):
                self.lines = []
        """,
    ),
    "a method that empties what one object has under a lock": (
        "RH107",
        """
        import threading
        class Registry:
            def __init__(self):
                self._lock = threading.Lock()
                self._counts = {}
            def add(self, name):
                with self._lock:
                    self._counts[name] = self._counts.get(name, 0) + 1
            def drop(self, name):
                with self._lock:
                    if name in self._counts:
                        del self._counts[name]
            def clear_counts(self):
                self._counts = {}
        """,
    ),
    "the state of the one thing there is": (
        "RH107",
        """
        import threading
        class Runner:
            def __init__(self, task):
                self._lock = threading.Lock()
                self._task = task
            def step(self):
                with self._lock:
                    if self._task.state == READY:
                        self._task.state = RUNNING
                    self._task.state = WAITING
            def cancel(self, task):
                if self._task.state == RUNNING:
                    self._task.state = task.state
        """,
    ),
    "a pool at work while the method that started it goes on": (
        "RH103",
        """
        from concurrent.futures import ThreadPoolExecutor
        class Files:
            def __init__(self):
                self._entries = {}
            def add_all(self, names):
                with ThreadPoolExecutor() as pool:
                    for name in names:
                        pool.submit(self._add, name)
                    return [entry.size() for entry in self._entries.values()]
            def _add(self, name):
                self._entries[name] = measure(name)
        """,
    ),
    "a pool that goes on when the method has returned": (
        "RH103",
        """
        from concurrent.futures import ThreadPoolExecutor
        class Files:
            def __init__(self):
                self._entries = {}
                self._pool = ThreadPoolExecutor()
            def add_all(self, names):
                for name in names:
                    self._pool.submit(self._add, name)
            def _add(self, name):
                self._entries[name] = measure(name)
            def sizes(self):
                return [entry.size() for entry in self._entries.values()]
        """,
    ),
    "a queue that a coroutine has looked at before it waited": (
        "RH311",
        """
        import queue
        JOBS = queue.Queue()
        async def drain():
            while not JOBS.empty():
                await pause()
                JOBS.get().run()
        """,
    ),
    "a call on the loop that only looks whether there is one": (
        "RH309",
        """
        import asyncio, threading
        class Client:
            def __init__(self):
                self._queue = asyncio.Queue()
            def start(self):
                threading.Thread(target=self.put, args=(1,)).start()
            def put(self, item):
                if self._loop:
                    self._queue.put_nowait(item)
        """,
    ),
}


@pytest.mark.parametrize("name", LOUD)
def test_its_near_twin_is_accused(name: str) -> None:
    rule, text = LOUD[name]
    findings, _, _ = hunt_text(dedent(text).encode(), "loud.py")

    assert rule in {finding.rule for finding in findings}
