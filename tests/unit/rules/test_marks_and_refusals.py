"""States that have a name are steps of whoever writes them, and who refuses a second caller is used by one."""

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


def confidences(rule: str, text: str) -> set[Confidence]:
    module = SourceModule.from_text(dedent(text).lstrip(), "package/module.py")
    return {finding.confidence for finding in rule_named(rule).check(Program.of(module))}


@pytest.mark.parametrize(
    ("rule", "text", "quiet", "racy"),
    [
        pytest.param("RH302", LINK, "self._state = State.OPEN", "self._state = connect()", id="a state"),
        pytest.param("RH105", STREAM, 'raise ValueError("open already")', "return", id="a refusal"),
    ],
)
def test_weak_form_is_possible_and_its_twin_is_accused(rule: str, text: str, quiet: str, racy: str) -> None:
    assert quiet in text

    assert confidences(rule, text) == {Confidence.POSSIBLE}
    assert confidences(rule, text.replace(quiet, racy)) - {Confidence.POSSIBLE}
