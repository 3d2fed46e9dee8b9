"""Doubts that a sign in the code takes away, and the same code without the sign."""

from textwrap import dedent

import pytest

from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.rules.registry import rule_named
from racehound.source.module import SourceModule


def findings(code: str, text: str) -> list[Finding]:
    return list(rule_named(code).check(Program.of(SourceModule.from_text(dedent(text).lstrip(), "app.py"))))


POOL = """
    class Pool:
        def __init__(self):
            self._in_use = {{}}

        def take(self, link):
            self._in_use[link] = True

        {back}

        async def close(self):
            for link in self._in_use:
                await link.close()
    """


@pytest.mark.parametrize(
    ("back", "confidence"),
    [
        ("def give_back(self, link): del self._in_use[link]", Confidence.LIKELY),
        ("def forget(self, link): self._in_use.pop(link)", Confidence.LIKELY),
        ("def _forget(self, link): del self._in_use[link]", Confidence.POSSIBLE),
        ("def disconnect(self, link): del self._in_use[link]", Confidence.POSSIBLE),
        ("def clear(self): self._in_use.clear()", Confidence.POSSIBLE),
        ("def size(self): return len(self._in_use)", Confidence.POSSIBLE),
    ],
)
def test_shutdown_meets_those_who_give_back(back: str, confidence: Confidence) -> None:
    (found,) = findings("RH103", POOL.format(back=back))

    assert found.confidence is confidence


LAZY = """
    import asyncio

    class Client:
        def __init__(self, address):
            self._address = address
            self._link = None

        async def {name}(self):
            if self._link is None:
                self._link = await {made}
            return self._link
    """


@pytest.mark.parametrize(
    ("name", "made", "confidence"),
    [
        ("ask", "asyncio.open_connection(self._address)", Confidence.LIKELY),
        ("ask", "create_link(self._address)", Confidence.LIKELY),
        ("start", "create_link(self._address)", Confidence.POSSIBLE),
        ("ask", "self.read_owner()", Confidence.POSSIBLE),
    ],
)
def test_what_is_made_on_demand_may_be_made_twice(name: str, made: str, confidence: Confidence) -> None:
    (found,) = findings("RH302", LAZY.format(name=name, made=made))

    assert found.confidence is confidence


def test_state_that_is_noted_after_making_something_is_no_lazy_object() -> None:
    (found,) = findings(
        "RH302",
        """
        import asyncio

        class Answer:
            def __init__(self, link):
                self._link = link
                self._kind = None

            async def pong(self):
                if self._kind:
                    return
                await self._link.create_answer()
                self._kind = Kinds.PONG
        """,
    )

    assert found.confidence is Confidence.POSSIBLE


BORROWER = """
    class Borrower:
        def __init__(self, pool):
            self._pool = pool

        async def ask(self, question):
            link = await self._pool.acquire()
            try:
                return await link.ask(question)
            finally:
                {first}
                {then}
    """


@pytest.mark.parametrize(
    ("first", "then", "confidence"),
    [
        ("await link.disconnect()", "self._pool.release(link)", Confidence.LIKELY),
        ("await link.aclose()", "self._pool.release(link)", Confidence.LIKELY),
        ("await link.rollback()", "self._pool.release(link)", Confidence.POSSIBLE),
        ("await link.disconnect()", "link.close()", Confidence.POSSIBLE),
        ("await link.disconnect()", "self._lock.release()", Confidence.POSSIBLE),
    ],
)
def test_place_in_a_pool_is_lost_to_any_limit_of_time(first: str, then: str, confidence: Confidence) -> None:
    (found,) = findings("RH312", BORROWER.format(first=first, then=then))

    assert found.confidence is confidence


def test_function_that_calls_itself_may_return_before_it_takes_the_lock() -> None:
    (found,) = findings(
        "RH203",
        """
        import asyncio

        class Pool:
            def __init__(self):
                self._lock = asyncio.Lock()
                self._free = asyncio.Queue()
                self._made = 0

            async def take(self):
                if self._made > 3:
                    return await self._free.get()
                async with self._lock:
                    if self._made > 3:
                        return await self.take()
                    self._made += 1
                    return object()
        """,
    )

    assert found.confidence is Confidence.POSSIBLE


TRIES = """
    import asyncio

    class Client:
        async def reconnect(self):
            tries = 1
            while True:
                try:
                    return await dial()
                except BaseException as error:
                    print(error)
                    {ends}
                    await asyncio.sleep(tries)
                    tries += 1
    """


@pytest.mark.parametrize(
    ("ends", "confidences"),
    [
        ("if tries > 5: raise ConnectionError('too many')", [Confidence.LIKELY]),
        ("if not isinstance(error, OSError): raise", []),
        ("if self.closed: raise", []),
        ("raise", []),
    ],
)
def test_handler_that_raises_after_so_many_tries_swallows_the_first(
    ends: str, confidences: list[Confidence]
) -> None:
    assert [found.confidence for found in findings("RH312", TRIES.format(ends=ends))] == confidences
