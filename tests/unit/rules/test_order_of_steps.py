"""How sure the hunt is of faults in the order of steps: what their near twins lack."""

from textwrap import dedent

import pytest

from racehound.model.finding import Confidence
from racehound.pipeline.hunt import hunt_text

CASES = {
    ("RH302", "a lock is there, and the look is before it"): (
        Confidence.LIKELY,
        """
        import asyncio
        class Client:
            def __init__(self):
                self._link = None
                self._lock = asyncio.Lock()
            async def _open(self):
                async with self._lock:
                    self._link = await connect()
            async def get(self):
                if self._link is None:
                    await self._open()
                return self._link
        """,
    ),
    ("RH408", "nothing may ever be in the file"): (
        Confidence.POSSIBLE,
        """
        import fcntl, os
        def acquire(path):
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            return descriptor
        """,
    ),
    ("RH407", "a directory of its own, perhaps"): (
        Confidence.POSSIBLE,
        """
        class BlockStorage:
            def refresh(self):
                for child in self.destination.iterdir():
                    child.unlink()
        """,
    ),
    ("RH317", "one task reads, and the class says so"): (
        Confidence.POSSIBLE,
        """
        import asyncio
        class Inbox:
            def __init__(self):
                self._waiter = None
            def put(self, item):
                if self._waiter is not None and not self._waiter.done():
                    self._waiter.set_result(item)
            async def get(self):
                assert self._waiter is None
                self._waiter = asyncio.Future()
                return await self._waiter
        async def main():
            inbox = Inbox()
            await asyncio.gather(inbox.get(), inbox.get())
        """,
    ),
    ("RH317", "nothing says that two wait"): (
        Confidence.POSSIBLE,
        """
        import asyncio
        class Inbox:
            def __init__(self):
                self._waiter = None
            def put(self, item):
                self._waiter.set_result(item)
            async def get(self):
                self._waiter = asyncio.Future()
                return await self._waiter
        """,
    ),
    ("RH406", "warnings of others are taken for its own"): (
        Confidence.LIKELY,
        """
        import warnings
        async def told(step):
            with warnings.catch_warnings(record=True) as caught:
                await step()
            return caught
        """,
    ),
    ("RH406", "a warning too many or too few"): (
        Confidence.POSSIBLE,
        """
        import warnings
        async def quietly(step):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                await step()
        """,
    ),
    ("RH120", "a step that others begin with"): (
        Confidence.LIKELY,
        """
        import threading
        class Worker:
            def __init__(self):
                self._running = False
                self._thread = threading.Thread(target=self._work)
            def start(self):
                if not self._running:
                    self._thread.start()
            def submit(self, job):
                self.start()
            def _work(self):
                self._running = True
                serve()
        """,
    ),
    ("RH120", "whoever owns it starts it, once"): (
        Confidence.POSSIBLE,
        """
        import threading
        class Worker:
            def __init__(self):
                self._running = False
                self._thread = threading.Thread(target=self._work)
            def start(self):
                if not self._running:
                    self._thread.start()
            def _work(self):
                self._running = True
                serve()
        """,
    ),
    ("RH314", "nothing says that the two run side by side"): (
        Confidence.POSSIBLE,
        """
        import asyncio
        class Session:
            def __init__(self):
                self._writer = None
            async def reply(self, part):
                if self._writer is not None:
                    await asyncio.sleep(0)
                    self._writer.write(part)
            async def forget(self):
                self._writer = None
        """,
    ),
    ("RH302", "a pool is no lock, whatever its methods are called"): (
        Confidence.POSSIBLE,
        """
        class Pool:
            def __init__(self):
                self._ready = False
            async def acquire(self):
                return await self._holder.acquire()
            async def release(self, connection):
                await connection.release()
            async def prepare(self):
                if not self._ready:
                    await self._connect()
                    self._ready = True
        """,
    ),
}


@pytest.mark.parametrize(("case", "expected"), CASES.items(), ids=[" ".join(case) for case in CASES])
def test_says_how_sure_it_is(case: tuple[str, str], expected: tuple[Confidence, str]) -> None:
    confidence, text = expected

    found, _, _ = hunt_text(dedent(text).encode(), "case.py", select=[case[0]], confidence=Confidence.POSSIBLE)

    assert [finding.confidence for finding in found] == [confidence]
