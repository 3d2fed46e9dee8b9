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
