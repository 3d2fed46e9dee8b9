"""What is looked at last before the act counts, and what only a shutdown waits for hurts nobody who is left."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule


def findings(code: str, text: str) -> list[Finding]:
    return list(rule_named(code).check(Program.of(SourceModule.from_text(dedent(text).lstrip(), "app.py"))))


TAKER = """
    import asyncio
    import queue

    class Results:
        def __init__(self):
            self._results = queue.Queue()
            self._more = asyncio.Event()

        async def take(self):
            if self._results.empty() and self.is_over():
                raise StopAsyncIteration
            {look} self._results.empty():
                await self._more.wait()
            return self._results.get()
    """


@pytest.mark.parametrize(("look", "confidence"), [("while", Confidence.POSSIBLE), ("if not", Confidence.LIKELY)])
def test_a_loop_looks_again_behind_its_await(look: str, confidence: Confidence) -> None:
    (found,) = findings("RH101", TAKER.format(look=look))

    assert found.confidence is confidence


THREAD = """
    import asyncio
    import threading

    async def {name}(loop, pool):
        future = loop.create_future()

        def work():
            pool.run()
            loop.call_soon_threadsafe(future.set_result, None)

        threading.Thread(target=work).start()
        return await future
    """


@pytest.mark.parametrize(
    ("name", "confidence"), [("compute", Confidence.LIKELY), ("shutdown_pool", Confidence.POSSIBLE)]
)
def test_a_future_of_a_shutdown_is_seldom_given_up(name: str, confidence: Confidence) -> None:
    (found,) = findings("RH313", THREAD.format(name=name))

    assert found.confidence is confidence
