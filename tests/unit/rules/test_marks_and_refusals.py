"""Marks, refusals, notes of how something ended and steps that come back are weak grounds."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule

LINK = """
    import asyncio
    from enum import Enum

    class State(Enum):
        IDLE = 0
        OPEN = 1
        CLOSED = 2

    class Link:
        def __init__(self):
            self._state = State.IDLE
        async def open(self):
            if self._state is State.IDLE:
                await asyncio.sleep(1)
                self._state = State.OPEN
        async def close(self, state=State.CLOSED):
            self._state = state

    async def main():
        link = Link()
        await asyncio.gather(link.open(), link.close())
    """

STREAM = """
    import threading

    class Stream:
        def __init__(self):
            self._lock = threading.Lock()
            self.call = None
        def open(self):
            if self.call is not None:
                raise ValueError("open already")
            self.call = connect()
        def read(self):
            return self.call

    def main():
        stream = Stream()
        for _ in range(2):
            threading.Thread(target=stream.open).start()
    """

ENDING = """
    import asyncio

    class Socket:
        def __init__(self, reader):
            self._reader = reader
            self.code = None
        async def close(self):
            if self.code is None:
                message = await self._reader.read()
                self.code = message.code
        async def fail(self):
            self.code = 1006

    async def main(reader):
        socket = Socket(reader)
        await asyncio.gather(socket.close(), socket.fail())
    """

WORKERS = """
    import queue, threading

    class Workers:
        def __init__(self):
            self._lock = threading.Lock()
            self._queue = queue.Queue()
            self._threads = set()
        def shutdown(self):
            self._lock.acquire()
            for _ in range(len(self._threads)):
                self._queue.put(None)
            self._lock.release()
    """

BREAKER = """
    import threading, time

    class Breaker:
        def __init__(self):
            self._lock = threading.Lock()
            self._state = "closed"
            self._opened = None
        def fail(self):
            with self._lock:
                self._state = "open"
                self._opened = time.monotonic()
        def succeed(self):
            with self._lock:
                self._state = "closed"
                self._opened = None
        def is_open(self):
            if self._state == "open":
                if time.monotonic() - self._opened > 30:
                    return False
                return True
            return False
    """


def confidences(rule: str, text: str) -> set[Confidence]:
    module = SourceModule.from_text(dedent(text).lstrip(), "package/module.py")
    return {finding.confidence for finding in rule_named(rule).check(Program.of(module))}


@pytest.mark.parametrize(
    ("rule", "text", "quiet", "racy"),
    [
        pytest.param("RH302", LINK, "self._state = State.OPEN", "self._state = connect()", id="a state"),
        pytest.param("RH105", STREAM, 'raise ValueError("open already")', "return", id="a refusal"),
        pytest.param("RH302", ENDING, "message.code", "connect(message)", id="how it ended"),
        pytest.param("RH204", WORKERS, "self._queue.put(None)", "tell(self)", id="steps that come back"),
    ],
)
def test_weak_form_is_possible_and_its_twin_is_accused(rule: str, text: str, quiet: str, racy: str) -> None:
    assert quiet in text

    assert confidences(rule, text) == {Confidence.POSSIBLE}
    assert confidences(rule, text.replace(quiet, racy)) - {Confidence.POSSIBLE}


def test_value_that_another_field_vouches_for_is_likely_to_be_gone() -> None:
    assert confidences("RH107", BREAKER) == {Confidence.LIKELY}
    assert confidences(
        "RH107", BREAKER.replace("self._opened = None\n        def is", "pass\n        def is")
    ) <= {Confidence.POSSIBLE}
