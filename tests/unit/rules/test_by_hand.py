"""What people run by hand, what belongs to one, what nothing hangs on: each beside its twin that is accused."""

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
    path: str = "package/module.py"


PULL = """
    import os
    def ensure_folder(args):
        if not os.path.exists(args.folder):
            os.makedirs(args.folder)
    """

TYPED = """
    import os
    def ensure_folder(args):
        folder = args.folder
        if not os.path.exists(folder):
            os.makedirs(folder)
    """

ASKED = """
    import os
    def store(cache_dir):
        answer = ask_user("Where?")
        if not os.path.isdir(cache_dir):
            os.makedirs(cache_dir)
        return answer
    """

PAGES = """
    import os
    def generate_pages(place):
        if not os.path.isdir(place):
            os.makedirs(place)
    """

HELPER = """
    import os
    from concurrent.futures import ThreadPoolExecutor
    def clear(path):
        if os.path.isdir(path):
            os.rmdir(path)
    def build(name):
        clear(name)
    def main(names):
        with ThreadPoolExecutor() as pool:
            pool.map(build, names)
    """

LOCKED = """
    import os, portalocker
    def take(lock_path):
        if not os.path.exists(lock_path):
            open(lock_path, "w").close()
        file = open(lock_path, "r+")
        portalocker.lock(file)
        return file
    """

OFFLOADED = """
    import json, os
    def save(index, folder):
        place = os.path.join(folder, "index.json")
        with open(place, "w") as file:
            json.dump(index, file)
    class Loader:
        def __init__(self, folder):
            with open(os.path.join(folder, "index.json")) as file:
                self.index = json.load(file)
    """

KINDS = """
    import threading
    class Totals:
        '''Thread-safe.'''
        def __init__(self):
            self._by_kind = {"sent": {}, "lost": {}}
        def add(self, kind, name, value):
            self._by_kind[kind][name] = value
        def all(self):
            return [dict(names) for names in self._by_kind.values() if names]
    """

SESSION = """
    import threading
    class Shell:
        def __init__(self):
            self._lock = threading.Lock()
            self._process = None
        def start(self):
            if self._process is None:
                self._process = spawn_process()
        def send(self, text):
            with self._lock:
                self._process.write(text)
    """

READER = """
    import threading
    from rules import Grammar
    class Reader:
        def __init__(self):
            self._lock = threading.Lock()
            self._grammar = None
            self._seen = {}
        def see(self, name):
            with self._lock:
                self._seen[name] = name
        def grammar(self):
            if self._grammar is None:
                self._grammar = Grammar.create()
            return self._grammar
    """

NAMED = """
    import threading
    class Page:
        def __init__(self):
            self._lock = threading.Lock()
            self._name = ""
        def download(self, answer):
            with self._lock:
                self._name = answer.name()
        def guess(self, answer):
            self._name = answer.title()
            return self._name
        def name(self):
            with self._lock:
                return self._name
    """

CONTENT = """
    import threading
    class Output:
        def __init__(self):
            self._lock = threading.Lock()
            self._content = bytearray()
        def add(self, data):
            with self._lock:
                self._content.extend(data)
        def content(self):
            with self._lock:
                return self._content
    """

POOLED = """
    import queue
    class Links:
        def __init__(self):
            self._free = queue.Queue(4)
        def link(self):
            if not self._free.full():
                self._free.put(1)
    """

STREAM = """
    class Stream:
        def __init__(self, source):
            self._source = source
            self._rest = b""
        async def read(self, size):
            await self._fill(size)
            return self._rest[:size]
        async def peek(self, size):
            await self._fill(size)
            return self._rest[:size]
        async def _fill(self, size):
            if len(self._rest) < size:
                part = await self._source.get()
                self._rest += part
    """

JOBS = """
    class Job:
        def __init__(self, function):
            self.function = function
            self.result = None
        def __call__(self, *args):
            self.result = self.function(*args)
            return self.checked()
        def checked(self):
            return self.result
    def run(function, items):
        return [job for job in made(function, items)]
    def made(function, items):
        for item in items:
            yield Job(function)
    """

JUDGE = """
    class Judge:
        def __init__(self, name, limit, function):
            self.name = name
            self.limit = limit
            self.function = function
        def __call__(self, model):
            self.scores = model.scores()
            return self.function(self.scores)
    """

WRITTEN = """
    import json, os
    def write_all(parts, target):
        if not os.path.exists(target):
            os.makedirs(target)
        for name, part in parts.items():
            with open(os.path.join(target, name), "w") as file:
                json.dump(part, file)
                file.write("\\n")
    """

USERS = """
    def drop(users, name):
        users = list(users)
        for user in users:
            if user.get("name") == name:
                users.remove(user)
    """

CLONED = """
    def split(rows):
        cloned = False
        for key, row in rows.items():
            if row.empty():
                if not cloned:
                    rows = dict(rows)
                    cloned = True
                del rows[key]
        return rows
    """

WATCHED = """
    def watch(is_running):
        threads = []
        while is_running():
            for thread in threads:
                if not thread.is_alive():
                    threads.remove(thread)
    """

LIMITED = """
    import threading
    LIMIT = 100
    class Recent:
        '''Thread-safe.'''
        def __init__(self):
            self._times = {}
        def note(self, key, now):
            if len(self._times) >= LIMIT:
                self._times.popitem()
    """

BOUND = """
    import threading
    class Registry:
        def __init__(self):
            self._lock = threading.Lock()
            self._names = set()
        def add(self, name):
            with self._lock:
                self._names.add(name)
        def rename(self, old, new):
            with self._lock:
                self._names.discard(old)
                self._names.add(new)
        def has(self, name):
            with (lock := self._lock):
                return name in self._names
    """

ENTERED = """
    import functools
    class Capture:
        def __init__(self):
            self._depth = 0
        def __call__(self, function):
            @functools.wraps(function)
            def inner(*args):
                with self:
                    return function(*args)
            return inner
        def __enter__(self):
            self._depth += 1
        def __exit__(self, *exc):
            self._depth -= 1
    """

SLOT = """
    import threading
    class Slots:
        def __init__(self):
            self.lock = None
        def take(self, free):
            lock = threading.Lock()
            lock.acquire()
            self.lock = lock
            if free:
                return True
            lock.release()
            return False
    """

ANSWER = """
    import asyncio
    from schemas import Info
    class Client:
        def __init__(self):
            self._info = None
        async def info(self):
            if self._info is None:
                answer = await self.ask()
                self._info = Info(answer)
            return self._info
        async def both(self):
            await asyncio.gather(self.info(), self.info())
        async def ask(self):
            await asyncio.sleep(1)
    """

REFRESH = """
    import asyncio, threading
    class Tokens:
        def start(self):
            threading.Thread(target=self.refresh).start()
        def refresh(self):
            try:
                asyncio.get_running_loop().call_soon(print)
            except RuntimeError:
                print("no loop")
    """

EMPTY_FILE = """
    import os
    class Writer:
        def __init__(self, config_path):
            self.config_path = config_path
        def create(self):
            with os.fdopen(os.open(self.config_path, os.O_WRONLY | os.O_CREAT), "w") as file:
                pass
        def read(self):
            with open(self.config_path) as file:
                return file.read()
    """

SAVED = """
    import pickle
    class Search:
        def __init__(self, folder):
            self.folder = folder
        def save_local(self, index):
            with open(self.folder / "index.pkl", "wb") as file:
                pickle.dump(index, file)
        def load_local(self):
            with open(self.folder / "index.pkl", "rb") as file:
                return pickle.load(file)
    """

NUMBERED = """
    import threading
    class Calls:
        def __init__(self):
            self._answers = {}
            for _ in range(3):
                threading.Thread(target=self.ask).start()
        def ask(self):
            call_id = self.draw()
            if call_id in self._answers:
                print("answered")
                del self._answers[call_id]
    """

LAZY = """
    from flask import Flask
    app = Flask(__name__)
    hook = None
    @app.route("/<name>")
    def show(name):
        global hook
        if hook is None:
            hook = found(name)
        log(name)
        return hook
    """

NAMED_PIPE = """
    import tempfile
    def address():
        return tempfile.mktemp(prefix="listener-", dir=own_place())
    """


CASES = {
    "a directory that a command names": Case("RH401", PULL, "args", "place"),
    "a directory that a command names, by way of a variable": Case("RH401", TYPED, "args", "place"),
    "a person at the keyboard": Case("RH401", ASKED, "ask_user(", "find_place("),
    "pages that are generated": Case("RH401", PAGES, "generate_pages", "prepare"),
    "a helper with a path of its own": Case(
        "RH401", HELPER, "clear(name)", "if os.path.isdir(name): os.rmdir(name)"
    ),
    "a file that is there to be locked": Case("RH404", LOCKED, "portalocker.lock(file)", "print(file)"),
    "a file in a folder that the caller names": Case(
        "RH403", OFFLOADED, "os.path.join(folder,", "os.path.join(HOME,"
    ),
    "a table of tables that stay": Case("RH103", KINDS, "[kind][name]", "[name]"),
    "what starts its object": Case("RH105", SESSION, "def start(", "def process("),
    "a thing of others without a life": Case("RH105", READER, "Grammar.create()", "Connection.create()"),
    "a name on which nothing counts": Case("RH107", NAMED, "answer.name()", "answer.name(self._name)"),
    "bytes that are handed out": Case("RH110", CONTENT, "bytearray()", "[]"),
    "a look for room": Case(
        "RH101",
        POOLED,
        "not self._free.full():\n                self._free.put(1)",
        "not self._free.empty():\n                self._free.get()",
    ),
    "a stream that is read on": Case("RH302", STREAM, "self._rest += part", "self._rest = make_buffer(part)"),
    "a job for each item": Case("RH108", JOBS, "for item in items:", "if items:"),
    "a place that the caller names": Case("RH401", WRITTEN, "write_all", "write_cache"),
    "a place that is restored": Case("RH401", WRITTEN.replace("write_all", "restore_all"), "restore", "store"),
    "one item of that name": Case("RH104", USERS, "== name", "!= name"),
    "a copy inside the loop": Case("RH104", CLONED, "rows = dict(rows)", "print(rows)"),
    "a loop that comes back": Case("RH104", WATCHED, "while is_running():", "if is_running():"),
    "a table that is too full": Case("RH101", LIMITED, ">= LIMIT", "> 0"),
    "a lock with a name of its own": Case("RH107", BOUND, "with (lock := self._lock)", "if name"),
    "how often it is entered": Case("RH108", ENTERED, "self._depth += 1", "self._depth = clock()"),
    "a lock that is kept": Case("RH204", SLOT, "self.lock = lock", "print(lock)"),
    "a record made of an answer": Case("RH302", ANSWER, "Info(answer)", "Connection(answer)"),
    "a thread that may have no loop": Case("RH309", REFRESH, "except RuntimeError", "except KeyError"),
    "a file that is only made": Case("RH403", EMPTY_FILE, "pass", "file.write('1')"),
    "what is saved when somebody asks": Case("RH403", SAVED, "def save_local", "def sync"),
    "a number drawn for one call": Case("RH101", NUMBERED, "call_id = self.draw()", "call_id = CALL"),
    "a name in a place of its own": Case("RH402", NAMED_PIPE, ", dir=own_place()", ""),
    "what is found by the first": Case("RH108", LAZY, "if hook is None:", "if name:"),
    "a detail of something else": Case("RH108", JUDGE, "name, limit, function", "function, name, limit"),
}


def accused(case: Case, text: str) -> bool:
    module = SourceModule.from_text(dedent(text).lstrip(), case.path)
    found = rule_named(case.rule).check(Program.of(module))
    return any(finding.confidence is not Confidence.POSSIBLE for finding in found)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_hurts_nobody_is_quiet_and_its_twin_is_accused(case: Case) -> None:
    assert case.quiet in case.text

    assert not accused(case, case.text)
    assert accused(case, case.text.replace(case.quiet, case.racy))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("site/management/commands/new_app.py", False),
        ("package/docs/__init__.py", False),
        ("package/sphinxext.py", False),
        ("package/cli.py", False),
        ("package/storage.py", True),
    ],
)
def test_modules_of_commands_are_run_by_hand(path: str, *, expected: bool) -> None:
    text = """
        import os
        def prepare(place):
            if not os.path.exists(place):
                os.makedirs(place)
        """
    assert accused(Case("RH401", text, "", "", path), text) is expected
    assert accused(Case("RH401", text, "", "", path), text.replace("place", "config_dir"))
