"""What settles a meeting before it hurts: each form is quiet, and its twin is accused."""

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
    """A part of the text that is the reason."""
    racy: str
    """What stands there in the twin."""
    path: str = "package/module.py"


FORMS = """
    import threading
    class Forms:
        def __init__(self):
            self._lock = threading.Lock()
            self._known = {}
        def learn(self, name):
            if name not in self._known:
                self._known[name] = 1
        def forget(self):
            with self._lock:
                self._known.clear()
        def size(self):
            with self._lock:
                return len(self._known)
        def drop(self, name):
            with self._lock:
                self._known.pop(name, None)
    """

BROWSER = """
    class Browser:
        def __init__(self):
            self._page = None
        async def first(self):
            return await self._opened()
        async def second(self):
            return await self._opened()
        async def _opened(self):
            async with await self._page_lock():
                if self._page is None:
                    self._page = await open_page()
            return self._page
    """

PAGES = """
    class Browser:
        def __init__(self):
            self._page = None
        async def new_page(self):
            if self._page is not None:
                raise RuntimeError("there is one")
            self._page = await open_page()
            return self._page
    """

PRICES = """
    class Prices:
        def __init__(self, link):
            self._link = link
            self._loaded = False
        async def of(self, name):
            await self._ensure_loaded()
            return name
        async def all(self):
            await self._ensure_loaded()
        async def _ensure_loaded(self):
            if not self._loaded:
                await self._link.read_all()
                self._loaded = True
    """

EDITION = """
    import threading
    class Edition:
        def __init__(self):
            self._lock = threading.Lock()
            self._number = 0
        def renew(self):
            seen = self._number
            with self._lock:
                if self._number == seen:
                    self._number = seen + 1
        def skip(self):
            with self._lock:
                self._number += 1
    """

MAIL = """
    import copy
    def stripped(message):
        inner = copy.deepcopy(message)
        for name, _ in inner.items():
            if not name.startswith("content-"):
                del inner[name]
        return inner
    """

ROOM = """
    import asyncio
    class Loader:
        def __init__(self):
            self._has_room = asyncio.Event()
            self._has_room.set()
            self._rows = []
        async def load(self, rows):
            while True:
                await self._has_room.wait()
                self._rows.append(await rows.next())
                self._has_room.clear()
    """

ANSWERING = """
    class Responder:
        def __init__(self, app):
            self.app = app
        async def __call__(self, receive, send):
            self.send = send
            if receive is None:
                return await self.app(receive, self.send)
            await self.app(receive, self.send_once)
        async def send_once(self, message):
            await self.send(message)
    class Middleware:
        def __init__(self, app):
            self.app = app
        async def __call__(self, receive, send):
            await Responder(self.app)(receive, send)
    """

SHELVES = """
    import threading
    class Shelf:
        def __init__(self):
            self._shelf = threading.RLock()
            self._book = threading.RLock()
        def take(self):
            with self._shelf:
                with self._book:
                    pass
        def give(self):
            with self._book:
                with self._shelf:
                    pass
    class Reader:
        def __init__(self):
            self.shelf = Shelf()
        def read(self):
            with self.shelf._shelf:
                self.shelf.give()
    """

PAUSED = """
    import asyncio
    class Pause:
        def __init__(self):
            self._ended = asyncio.get_running_loop().create_future()
        async def run(self, work):
            if self._ended.done():
                await self._ended
            await work
        def end(self, error):
            self._ended.set_exception(error)
    """

FOLDER = """
    import os
    def prepared():
        settings = os.path.join(os.getcwd(), "settings")
        if not os.path.exists(settings):
            os.makedirs(settings)
    """

SWEEP = """
    import os
    class Store:
        def __init__(self, directory):
            self._directory = directory
        def is_cached(self):
            for name in os.listdir(self._directory):
                os.remove(os.path.join(self._directory, name))
    """

CARD = """
    import json, os
    def save_cache(target):
        with open(os.path.join(target, "cache.json"), "w") as file:
            json.dump({}, file)
    def load_cache(found_in):
        with open(os.path.join(found_in, "cache.json")) as file:
            return json.load(file)
    """

ORDERS = """
    import threading
    import pytest
    FIRST = threading.Lock()
    SECOND = threading.Lock()
    def one():
        with FIRST:
            with SECOND:
                pass
    def other():
        with SECOND:
            with FIRST:
                pass
    """

TASKS = """
    import asyncio
    import pytest
    def begin(work):
        asyncio.create_task(work.run())
    """

DRAWN = """
    import threading
    class Board:
        def __init__(self):
            self._drawn = set()
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
        def _run(self):
            while True:
                self.draw()
        def add_callback(self, callback):
            self._drawn.add(callback)
        def draw(self):
            for callback in self._drawn:
                callback()
    """

LEAVING = """
    import atexit
    import threading
    LOCK = threading.Lock()
    def begin(work):
        LOCK.acquire()
        atexit.register(work)
        LOCK.release()
    """

OWN = """
    import threading
    class Stacks:
        '''Thread-safe.'''
        def __init__(self):
            self._stacks = {}
        def stack(self):
            key = threading.get_ident()
            if key not in self._stacks:
                self._stacks[key] = open_stack()
            return self._stacks[key]
        def drop(self, key):
            del self._stacks[key]
    """

BOX = """
    import threading
    class Box:
        def __init__(self):
            self._lock = threading.Lock()
            self._rows = None
        def rows(self):
            with self._lock:
                if self._rows is None:
                    self._rows = []
                return self._rows
        def add(self, row):
            with self._lock:
                self._rows.append(row)
        def aclose(self):
            rows = self._rows
            self._rows = None
            return rows
    """

CASES = {
    "what is done when all are gone": Case("RH107", BOX, "aclose", "taken"),
    "an entry of the thread itself": Case("RH101", OWN, "threading.get_ident()", "common_key()"),
    "an entry that is only added": Case("RH107", FORMS, "= 1", "= len(self._known)"),
    "a lock that is awaited": Case(
        "RH302", BROWSER, "async with await self._page_lock():", "async with await self._page_room():"
    ),
    "a second one that is refused": Case(
        "RH302", PAGES, 'raise RuntimeError("there is one")', "return self._page"
    ),
    "what is only read twice": Case("RH302", PRICES, "self._link.read_all()", "self._link.create_all()"),
    "a look that is repeated under the lock": Case("RH102", EDITION, "if self._number == seen:", "if seen:"),
    "a copy of mail": Case("RH104", MAIL, "copy.deepcopy(message)", "dict(message)"),
    "an event that only the constructor sets": Case(
        "RH122", ROOM, "def __init__(self):", "def __init__(self): self.take()\n        def take(self):"
    ),
    "an object that is called at once": Case(
        "RH108", ANSWERING, "await Responder(self.app)(receive, send)", "await RESPONDER(receive, send)"
    ),
    "a caller that has the second lock": Case(
        "RH201", SHELVES, "with self.shelf._shelf:\n                self", "if self.shelf:\n                self"
    ),
    "a future that is done": Case("RH313", PAUSED, "if self._ended.done():", "if work:"),
    "the directory where somebody works": Case("RH401", FOLDER, "os.getcwd()", "HOME"),
    "a function that clears nothing by its name": Case("RH407", SWEEP, "is_cached", "clear_cache"),
    "directories that are called differently": Case("RH403", CARD, "found_in", "target"),
    "locks of a test": Case("RH201", ORDERS, "import pytest", "import os", "package/test_orders.py"),
    "a task of a test": Case("RH305", TASKS, "import pytest", "import os", "package/test_tasks.py"),
    "callbacks that are added first": Case("RH103", DRAWN, "add_callback", "attach"),
    "a step that comes back": Case("RH204", LEAVING, "atexit.register(work)", "work.register()"),
}


def is_accused(case: Case, text: str) -> bool:
    module = SourceModule.from_text(dedent(text).lstrip(), case.path)
    return any(finding.confidence.is_shown for finding in rule_named(case.rule).check(Program.of(module)))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_is_settled_is_quiet_and_its_twin_is_accused(case: Case) -> None:
    assert case.quiet in case.text

    assert not is_accused(case, case.text)
    assert is_accused(case, case.text.replace(case.quiet, case.racy))


COUNTED = """
    class Rows:
        def __init__(self):
            self.number = 0
        def add(self):
            self.number += 1
            self.flush()
        def flush(self):
            if self.number > 10:
                self.number = 0
    """
FED = """
    import threading
    from rows import Rows
    class Feed(threading.Thread):
        def __init__(self, rows: Rows):
            super().__init__()
            self.rows = rows
        def run(self):
            self.rows.add()
    def feed():
        rows = Rows()
        for _ in range(3):
            Feed(rows).start()
    """


@pytest.mark.parametrize(("path", "accused"), [("tests/feed.py", False), ("feed.py", True)])
def test_threads_of_a_test_say_nothing_of_the_program(path: str, accused: bool) -> None:
    texts = {"rows.py": COUNTED, path: FED}
    modules = (SourceModule.from_text(dedent(text).lstrip(), where) for where, text in texts.items())
    findings = rule_named("RH102").check(Program.of(*modules))

    assert any(finding.confidence.is_shown for finding in findings) is accused


@pytest.mark.parametrize(("path", "accused"), [("package/testing.py", False), ("package/tasks.py", True)])
def test_what_serves_tests_is_taken_for_a_part_of_them(path: str, accused: bool) -> None:
    case = Case("RH305", TASKS, "", "", path)

    assert is_accused(case, case.text) is accused


def test_decorator_that_is_called_at_once_is_kept_by_what_it_hands_out() -> None:
    text = """
        class Sending:
            def __init__(self, link):
                self.link = link
            def __call__(self, function):
                def wrapper(*args):
                    self.args = args
                    function(self.link)
                    return self.args
                return wrapper
        def sending(link, function):
            return Sending(link)(function)
        """

    assert is_accused(Case("RH108", text, "", ""), text)
