"""Awaits and files: forms in which nothing says that others come, or come to harm, beside their twins."""

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


SHELF = """
    import json
    class Shelf:
        def hold(self, name, values):
            with open(self.place, "w") as file:
                json.dump(values, file)
        def load(self, name):
            with open(self.place) as file:
                return json.load(file)
    """

ARTIFACTS = """
    import os
    class Runner:
        def write(self, text):
            with open(os.path.join(self.config.folder, "output"), "w") as file:
                file.write(text)
        def read(self):
            with open(os.path.join(self.config.folder, "output")) as file:
                return file.read()
    """

STAMP = """
    import json
    PLACE = "stamp"
    def write(values):
        with open(PLACE, "w") as file:
            json.dump(values, file)
    def read():
        with open(PLACE) as file:
            return file.read()
    """

BEGUN = """
    import json
    class Preferences:
        def init_content(self, values):
            with open(self.settings_path, "w") as file:
                json.dump(values, file)
        def load(self):
            with open(self.settings_path) as file:
                return json.load(file)
    """

TOKENS = """
    import json
    from pathlib import Path
    HOME = found() / ".tool"
    PLACE = HOME / "held.json"
    class Store:
        def __init__(self, place=PLACE):
            self.place = place
        def hold(self, values):
            with open(self.place, "w") as file:
                json.dump(values, file)
        def load(self):
            with open(self.place) as file:
                return json.load(file)
    """

PAGES = """
    import os
    class Pages:
        def _place(self, name):
            return os.path.join(self.folder, name)
        def read(self, name):
            place = self._place(name)
            if os.path.exists(place):
                with open(place) as file:
                    return file.read()
        def drop(self, name):
            os.rmdir(self._place(name))
    """

CURSOR = """
    import asyncio
    class Cursor:
        def __init__(self):
            self.rows = None
            self.filled = asyncio.Event()
        async def take(self):
            if self.rows is None:
                await self.filled.wait(self.rows)
            self.rows = self.rows[1:]
        def fill(self, rows):
            self.rows = rows
            self.filled.set()
    """

HANDLER = """
    import asyncio
    class Handler:
        def __init__(self):
            self.link = None
        async def _renew(self):
            await self.settle()
            self.link = None
        async def handle(self):
            if self.link:
                await self._renew()
    async def main():
        handler = Handler()
        await asyncio.gather(handler.handle(), handler.handle())
    """

TOOLS = """
    class Server:
        def __init__(self):
            self.tools = None
        async def _load(self):
            if self.tools is None:
                found = await self.client.list_tools()
                self.tools = found.tools
        async def call(self):
            await self._load()
        async def names(self):
            await self._load()
    """

SWEEP = """
    import os
    from concurrent.futures import ThreadPoolExecutor
    POOL = ThreadPoolExecutor()
    def sweep(paths):
        for path in paths:
            try:
                os.unlink(path)
            except OSError:
                told.append(path)
    def begin(paths):
        POOL.submit(sweep, paths)
    """

ROUNDS = """
    import asyncio
    class Handler:
        def __init__(self):
            self.torn = False
        async def handle(self):
            if not self.torn:
                self.torn = await self.flush()
    def main():
        handler = Handler()
        loop = asyncio.new_event_loop()
        while True:
            loop.run_until_complete(handler.handle())
    """

UPLOADS = """
    import os
    class Uploads:
        def _place(self, name):
            return os.path.join(self.folder, name)
        def read(self, name):
            place = self._place(name)
            if not os.path.isfile(place):
                raise FileNotFoundError(name)
            with open(place) as file:
                return file.read()
        def drop(self, name):
            os.remove(self._place(name))
    """

FIGURES = """
    import os
    class Evaluation:
        def __init__(self, output_dir):
            self.output_dir = output_dir
            if not os.path.exists(self.output_dir):
                os.makedirs(self.output_dir)
    """

BUSY = """
    import asyncio
    class Locks:
        def __init__(self):
            self._lock = asyncio.Lock()
            self._live = {}
            self._busy = set()
        async def take(self, key):
            if key in self._busy:
                return None
            self._busy.add(key)
            return await self._take(key)
        async def _take(self, key):
            if self._live.get(key) is None:
                self._live[key] = await connect(key)
        async def drop(self, key):
            async with self._lock:
                del self._live[key]
    """

CASES = {
    "who comes has noted that": Case("RH302", BUSY, "self._busy.add(key)", "print(key)"),
    "a loop that is run round by round": Case(
        "RH302", ROUNDS, "loop.run_until_complete(handler.handle())", "loop.create_task(handler.handle())"
    ),
    "the error that who finds no file raises": Case("RH401", UPLOADS, "FileNotFoundError", "LookupError"),
    "a directory for results": Case("RH401", FIGURES, "output_dir", "spool_dir"),
    "the one file of an object": Case("RH403", SHELF, "def hold", "def save"),
    "a directory that the configuration knows": Case(
        "RH403", ARTIFACTS, "self.config.folder", "self.config_folder"
    ),
    "a constant file that is read as text": Case("RH403", STAMP, "file.read()", "json.load(file)"),
    "the first content": Case("RH403", BEGUN, "init_content", "change_content"),
    "the one file of an object that all runs have": Case("RH403", TOKENS, "found()", "Path.home()"),
    "an empty directory that is taken away": Case("RH401", PAGES, "os.rmdir", "os.remove"),
    "a wait that gives something back": Case("RH302", CURSOR, "wait(self.rows)", "wait()"),
    "what two put back to nothing": Case(
        "RH302",
        HANDLER,
        "self.link = None\n        async def handle",
        "self.link = connect()\n        async def handle",
    ),
    "a part of an answer": Case("RH302", TOOLS, "client.list_tools", "client.connect"),
    "work that expects the error of each step": Case("RH306", SWEEP, "except OSError", "finally"),
}


def found(case: Case, text: str) -> list[Finding]:
    module = SourceModule.from_text(dedent(text).lstrip(), "package/module.py")
    return list(rule_named(case.rule).check(Program.of(module)))


def accused(case: Case, text: str) -> bool:
    return any(finding.confidence is not Confidence.POSSIBLE for finding in found(case, text))


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_weak_ground_is_quiet_and_its_twin_is_accused(case: Case) -> None:
    assert case.quiet in case.text

    assert not accused(case, case.text)
    assert accused(case, case.text.replace(case.quiet, case.racy))


@pytest.mark.parametrize(("text", "doubt"), [(SHELF, "the one file of its object"), (STAMP, "read as text")])
def test_finding_says_why_it_is_weak(text: str, doubt: str) -> None:
    (finding,) = found(Case("RH403", text, "", ""), text)

    assert doubt in finding.doubt
