"""What a finding rests on: who comes there at the same time, and what is lost. Each ground beside its twin."""

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
    """A part of the text that keeps the rule quiet."""
    racy: str
    """What stands there in the twin."""


ITEMS = """
    from concurrent.futures import ThreadPoolExecutor
    class Parcel:
        def __init__(self):
            self._lid = None
        def open(self):
            if self._lid is None:
                self._lid = Connection(self)
            return self._lid
    def open_it(parcel: Parcel):
        parcel.open()
    def open_all(parcels: list[Parcel], first: Parcel):
        with ThreadPoolExecutor() as pool:
            pool.map(open_it, parcels)
    """

MONITOR = """
    from concurrent.futures import ThreadPoolExecutor
    class Runner:
        def __init__(self):
            self.control = None
            self.pool = ThreadPoolExecutor(max_workers=1)
        def ask(self):
            return self.pool.submit(self._control), self.pool.submit(self._control)
        def _control(self):
            if self.control is None:
                self.control = connect()
            return self.control.ask()
    """

MEMORY = """
    import asyncio
    class Memory:
        def __init__(self):
            self.tokens = 0
        def get(self):
            self.tokens += count(self)
            if self.tokens > 9: stop()
        async def aget(self):
            return await asyncio.to_thread(self.get)
    """

USERS = """
    import threading
    class Users:
        def __init__(self):
            self._lock = threading.Lock()
            self._count = 0
        def __enter__(self):
            self._lock.acquire()
        def __exit__(self, *args):
            self._lock.release()
        def enter(self):
            self._count += 1
        def leave(self):
            self._count -= 1
        def is_last(self):
            return self._count < 1
    """

CLIENT = """
    import threading
    _client = None
    _lock = threading.Lock()
    def connect(url=None):
        global _client
        if _client is None:
            with _lock:
                _client = Client(url)
        return _client
    DEFAULT = connect()
    """

DELEGATE = """
    import threading
    class Window:
        _delegate = None
        @classmethod
        def delegate(cls):
            if cls._delegate is None:
                cls._delegate = Delegate()
            return cls._delegate
    """

VARIABLES = """
    import sysconfig
    from concurrent.futures import ThreadPoolExecutor
    _found = None
    def variables(name):
        global _found
        if _found is None:
            _found = sysconfig.get_config_vars().copy()
        return _found.get(name)
    def build(names):
        with ThreadPoolExecutor() as pool:
            return list(pool.map(variables, names))
    """

PENDING = """
    from twisted.internet import reactor
    class Subscriptions:
        '''Thread-safe.'''
        def __init__(self):
            self._pending = 0
        def begin(self):
            self._pending += 1
            if self._pending > 9: stop()
        def end(self):
            self._pending -= 1
    """

CACHE = """
    import json
    class Cache:
        def _read(self):
            with open(self.cache_file) as file:
                try:
                    return json.load(file)
                except ValueError:
                    return {}
        def _write(self, found):
            with open(self.cache_file, "w") as file:
                json.dump(found, file)
    """

VERSION = """
    import json
    class Version:
        def _load(self):
            with open(self.cache_file) as file:
                return json.load(file)
        def _save(self, found):
            with open(self.cache_file, "w") as file:
                json.dump(found, file)
        def _check(self):
            return self._load()
        def check(self):
            try:
                return self._check()
            except Exception:
                return None
    """

SYSTEM = """
    class Store:
        def read(self, name):
            return self.settings_files.read_text(name, encoding="utf-8")
        def write(self, name, text):
            self.settings_files.write_text(name, text, encoding="utf-8")
    """

MAPPING = """
    import os
    import pickle
    def concat(folder, name):
        return os.path.join(folder, name)
    class Store:
        def sync(self, folder):
            path = concat(folder, "store")
            with open(path, "wb") as file:
                pickle.dump(self, file)
        def restore(self, folder):
            path = concat(folder, "store")
            with open(path, "rb") as file:
                return pickle.load(file)
    """

BUILD = """
    import os
    from setuptools import Command
    class Wheel(Command):
        def prepare(self):
            if not os.path.exists(self.place):
                os.makedirs(self.place)
    """

FETCH = """
    import os
    def download_album(folder, name, songs):
        place = folder + "/" + name
        for song in songs:
            notes = song.notes()
            print(name, notes, song, place)
            song.check(notes)
            song.prepare(notes)
        if not os.path.exists(place):
            os.mkdir(place)
        return place
    """

SYNC = """
    import argparse, os
    class Sync:
        def prepare(self):
            if not os.path.exists(self.folder):
                os.makedirs(self.folder)
    if __name__ == "__main__":
        Sync().run(argparse.ArgumentParser().parse_args())
    """

FLATTENED = """
    def flatten(rows: list):
        for at, row in enumerate(rows):
            if isinstance(row, tuple):
                rows.pop(at)
                rows.insert(at, row[0])
    """

MOMENT = """
    import time
    async def begin(task):
        time.sleep(1e-6)
        await task
    async def main(tasks):
        for task in tasks:
            asyncio.create_task(begin(task))
    """

BEGUN = """
    import threading
    class Run:
        def __init__(self):
            self.begun = threading.Event()
    def begin(run: Run):
        run.begun = threading.Event()
        thread = threading.Thread(target=run.work)
        thread.start()
        run.begun.wait()
    async def main(run: Run):
        begin(run)
    """

RETRIED = """
    import sys
    class Retry:
        async def call(self, function):
            while True:
                try:
                    return await function()
                except BaseException:
                    self.state.note(sys.exc_info())
    """

TRACE = """
    def log(text):
        with open("/tmp/trace.txt", "a") as file:
            file.write(text)
    """

ABORTED = """
    import asyncio
    async def batch_failed(jobs):
        await asyncio.gather(*[job.undo() for job in jobs], return_exceptions=True)
    """

REVIEW = """
    import asyncio
    class Flow:
        async def review(self, reply):
            before = self.last
            await self.tell(reply)
            try:
                await self.store(reply)
            except OSError:
                self.last = before
                raise
        async def store(self, reply):
            self.last = reply
        async def main(self, replies):
            await asyncio.gather(*(self.review(reply) for reply in replies))
    """

LISTENERS = """
    import asyncio
    class Flow:
        def __init__(self):
            self._done = set()
        async def listen(self, name):
            if name in self._done:
                if self.resuming:
                    return
                self._done.discard(name)
            await self._run(name)
        async def _run(self, name):
            await work(name)
            self._done.add(name)
        async def main(self, names):
            await asyncio.gather(*(self.listen(name) for name in names))
    """

NAMED = """
    import tempfile
    class Folder:
        def name(self, suffix):
            return tempfile.mktemp(suffix, "own-", self._folder)
    """

USAGE = """
    import threading
    class Tool:
        def __init__(self):
            self._lock = threading.Lock()
            self.used = 0
        def claim(self):
            with self._lock:
                if self.used >= 9:
                    return False
                self.used += 1
                return True
        def reset_usage(self):
            self.used = 0
    """

CACHED = """
    class Cached:
        '''Thread-safe.'''
        def __init__(self, name=None):
            self._name = name
        def __call__(self, function):
            self._name += function.__name__
            return self
        def __get__(self, instance, owner):
            return getattr(instance, self._name), self._name
    """

SWEPT = """
    class Jobs:
        def __init__(self):
            self._jobs = []
        def sweep(self):
            for job in self._jobs:
                if job.done():
                    self._jobs.remove(job)
    """

METADATA = """
    import os
    def prepare_metadata_for_build_wheel(place):
        if not os.path.isdir(place):
            os.mkdir(place)
    """

ASKED = """
    import os
    import pickle
    class Results:
        def persist(self, output):
            with open(os.path.join(self.place, "output"), "wb") as file:
                pickle.dump(output, file)
        def restore(self):
            with open(os.path.join(self.place, "output"), "rb") as file:
                return pickle.load(file)
    """

RAISED_AGAIN = """
    import threading
    class Routes:
        def __init__(self):
            self._lock = threading.Lock()
            self._routes = {}
        def add(self, name, route):
            with self._lock:
                self._routes[name] = route
        def drop(self, name):
            try:
                if name in self._routes:
                    return self._routes.pop(name)
            except Exception:
                print("not there")
                return None
"""
CASES = {
    "an item of its own for each run": Case(
        "RH105", ITEMS, "pool.map(open_it, parcels)", "[pool.submit(open_it, first) for _ in parcels]"
    ),
    "a pool of one thread": Case("RH105", MONITOR, "max_workers=1", "max_workers=2"),
    "a method that loops may call as well": Case("RH102", MEMORY, "async def aget", "async def refresh"),
    "a lock that is taken for something else": Case("RH102", USERS, "self._lock.acquire()", "print(1)"),
    "what is there when the module is imported": Case("RH106", CLIENT, "DEFAULT = connect()", "DEFAULT = None"),
    "one as good as another": Case("RH106", DELEGATE, "Delegate()", "cls()"),
    "data made twice by known threads": Case(
        "RH106", VARIABLES, "sysconfig.get_config_vars().copy()", "open_connection()"
    ),
    "steps of a reactor": Case("RH102", PENDING, "from twisted.internet import reactor", "import logging"),
    "half a file, expected once it is open": Case("RH403", CACHE, "except ValueError", "except KeyError"),
    "half a file, expected by callers of callers": Case("RH403", VERSION, "except Exception", "except KeyError"),
    "a store that is told the name": Case("RH403", SYSTEM, "name, ", ""),
    "a store below the folder that is given": Case("RH403", MAPPING, "concat(", "cached("),
    "what persists when somebody asks": Case("RH403", ASKED, "def persist(", "def save("),
    "a step of a build": Case("RH401", BUILD, "Wheel(Command)", "Wheel(Server)"),
    "what is fetched to where the caller says": Case("RH401", FETCH, "download_album", "cache_album"),
    "a result that is kept where the caller says": Case("RH401", FETCH, "download_album", "persistence"),
    "a program that reads its arguments": Case("RH401", SYNC, "argparse", "logging"),
    "an item that others take the place of": Case("RH104", FLATTENED, "rows.insert(at, row[0])", "print(at)"),
    "a moment": Case("RH310", MOMENT, "1e-6", "0.5"),
    "a wait until the thread has begun": Case("RH311", BEGUN, "thread.start()", "print(thread)"),
    "a cancellation that is kept": Case("RH312", RETRIED, "sys.exc_info()", "1"),
    "outcomes where something has failed before": Case("RH306", ABORTED, "batch_failed", "batch"),
    "what is undone where it fails": Case("RH301", REVIEW, "                raise\n", ""),
    "what is taken back before it waits": Case("RH302", LISTENERS, "self._done.discard(name)", "print(name)"),
    "a name in a folder that is given": Case("RH402", NAMED, ', "own-", self._folder', ""),
    "a count that begins anew": Case("RH107", USAGE, "def reset_usage", "def give_back"),
    "a decorator while a class is made": Case("RH107", CACHED, "return self\n", "return function\n"),
    "what is still done the next time": Case("RH104", SWEPT, "job.done()", "job.matches(1)"),
    "a hook of a build": Case("RH401", METADATA, "prepare_metadata_for_build_wheel", "prepare_metadata"),
    "an error that is told and goes on": Case("RH101", RAISED_AGAIN, "return None\n", "raise\n"),
    "what others have written stays": Case("RH402", TRACE, '"a"', '"w"'),
}


def accused(case: Case, text: str) -> bool:
    module = SourceModule.from_text(dedent(text).lstrip(), "package/module.py")
    found = rule_named(case.rule).check(Program.of(module))
    return any(finding.confidence is not Confidence.POSSIBLE for finding in found)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_weak_ground_is_quiet_and_its_twin_is_accused(case: Case) -> None:
    assert case.quiet in case.text

    assert not accused(case, case.text)
    assert accused(case, case.text.replace(case.quiet, case.racy))
