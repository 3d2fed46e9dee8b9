"""What suffices for a finding that is told, and what comes near it and does not."""

from textwrap import dedent

import pytest

from racehound.model.finding import Confidence
from racehound.pipeline.hunt import hunt_text

PAGES = """
    import asyncio

    import httpx

    class Pages:
        def __init__(self, port):
            self._lock = asyncio.Lock()
            self._port = port
            self._pages = {{}}
            self.sent = 0

        async def load(self, url):
            async with self._lock:
                {before}
                {wait}
                {after}

    async def main(pages, urls):
        await asyncio.gather(*(pages.load(url) for url in urls))
    """
REFRESH = """
    import threading

    class Tokens:
        def __init__(self, client):
            self._lock = threading.RLock()
            self._client = client
            self._token = None

        async def token(self):
            with self._lock:
                {before}
                self._token = await self._client.log_in()
                return self._token
    """
SHELF = """
    import json

    class Shelf:
        def {name}(self, values):
            with open(self.place, "w") as file:
                {content}

        def load(self):
            with open(self.place) as file:
                return json.load(file)
    """
CLIENT = """
    import asyncio

    class Client:
        def __init__(self, transport):
            self._lock = asyncio.Lock()
            self._transport = transport

        async def _ask(self, path):
            async with self._lock:
                return await self._transport.ask(path)

        async def _ask_all(self, paths):
            return await asyncio.gather(*(self._ask(path) for path in paths))

        def {name}(self{given}):
            {result}asyncio.run(self._ask_all({paths}))
    """
CONVERTED = """
    import threading
    from functools import cached_property

    class Settings:
        def __init__(self, given):
            self._given = given

        {decorator}
        def all(self):
            self._given = read(self._given)
            return self._given

    settings = Settings("here")

    def main():
        for _ in range(3):
            threading.Thread(target=lambda: settings.all{call}).start()
    """
FOUND = "if url in self._pages: return self._pages[url]"
STORED = "self._pages[url] = answer"


def told(rule: str, text: str) -> bool:
    findings, _, _ = hunt_text(dedent(text).encode(), "app.py", confidence=Confidence.LIKELY)
    return rule in {finding.rule for finding in findings}


@pytest.mark.parametrize(
    ("before", "wait", "after", "expected"),
    [
        ("self.sent += 1", "answer = await httpx.get(url)", "pass", True),
        ("pass", "answer = await httpx.get(url)", STORED, True),
        (FOUND, "answer = await httpx.get(url)", STORED, False),
        ("pass", "answer = await httpx.get(url)", "pass", False),
        ("pass", "answer = await self._port.read(url)", STORED, False),
        ("pass", "answer = await self._port.get(url)", STORED, True),
    ],
)
def test_lock_over_a_wait_is_told_of_where_only_one_side_needs_it(
    before: str, wait: str, after: str, expected: bool
) -> None:
    assert told("RH304", PAGES.format(before=before, wait=wait, after=after)) is expected


@pytest.mark.parametrize(
    ("before", "expected"), [("if self._token: return self._token", True), ("print('asked')", False)]
)
def test_reentrant_lock_matters_where_a_look_decides_about_the_wait(before: str, expected: bool) -> None:
    assert told("RH303", REFRESH.format(before=before)) is expected


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("save", "json.dump(values, file)", True),
        ("save", "file.write(values)", False),
        ("render", "json.dump(values, file)", False),
    ],
)
def test_one_file_that_an_object_saves_in_a_form_is_read_by_the_next_start(
    name: str, content: str, expected: bool
) -> None:
    assert told("RH403", SHELF.format(name=name, content=content)) is expected


@pytest.mark.parametrize(
    ("name", "given", "result", "paths", "expected"),
    [
        ("ask_all", ", paths", "return ", "paths", True),
        ("_ask_now", ", paths", "return ", "paths", False),
        ("main", "", "return ", "['/']", False),
        ("send_all", ", paths", "", "paths", False),
    ],
)
def test_method_that_answers_by_a_loop_of_its_own_is_called_again(
    name: str, given: str, result: str, paths: str, expected: bool
) -> None:
    text = CLIENT.format(name=name, given=given, result=result, paths=paths)

    assert told("RH308", text) is expected


@pytest.mark.parametrize(("decorator", "call", "expected"), [("@cached_property", "", False), ("", "()", True)])
def test_what_a_cached_property_converts_is_converted_alike(decorator: str, call: str, expected: bool) -> None:
    assert told("RH102", CONVERTED.format(decorator=decorator, call=call)) is expected
