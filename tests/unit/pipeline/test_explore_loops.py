"""Event loops that one thread makes and another one runs."""

import types
from collections.abc import Callable

import pytest

from racehound import explore

Load = Callable[[str], types.ModuleType]

BRIDGE = """
    import asyncio
    import threading

    class Bridge:
        def __init__(self):
            self.count = 0
            self.loop = asyncio.new_event_loop()
            threading.Thread(target=self.loop.run_forever, daemon=True).start()

        async def _late(self):
            count = self.count
            await asyncio.sleep(0)
            self.count = count + 1

        async def _at_once(self):
            await asyncio.sleep(0)
            self.count += 1

        def _on_the_loop(self, coroutine):
            return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()

        def raise_late(self):
            self._on_the_loop(self._late())

        def raise_at_once(self):
            self._on_the_loop(self._at_once())

    class Counter:
        def __init__(self):
            self.count = 0

        async def _raise(self):
            self.count += 1

        def on_two_threads(self):
            loop = asyncio.new_event_loop()
            loop.run_until_complete(self._raise())
            thread = threading.Thread(target=loop.run_until_complete, args=(self._raise(),))
            thread.start()
            thread.join()
            loop.close()

        def left_to_another(self):
            loop = asyncio.new_event_loop()
            loop.call_soon(self._raise_and_stop, loop)
            threading.Thread(target=loop.run_forever).start()

        def _raise_and_stop(self, loop):
            self.count += 1
            loop.stop()

        def never_run(self):
            loop = asyncio.new_event_loop()
            loop.call_soon(print)
            loop.call_later(1, print)
"""


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(
    ("kind", "method", "verdict"),
    [
        ("Bridge", "raise_late", "race"),
        ("Bridge", "raise_at_once", "safe"),
        ("Counter", "on_two_threads", "race"),
        ("Counter", "left_to_another", "race"),
        ("Counter", "never_run", "safe"),
    ],
)
@pytest.mark.slow
def test_loop_is_carried_by_who_runs_it(load: Load, kind: str, method: str, verdict: str) -> None:
    made = getattr(load(BRIDGE), kind)

    assert explore(setup=made, workers=[getattr(made, method)] * 2, budget=30).verdict == verdict


TOLD = """
    import asyncio
    import threading

    class Feed:
        def __init__(self):
            self.seen = 0

        async def run(self):
            loop = asyncio.get_running_loop()
            told = asyncio.Event()
            teller = threading.Thread(target=self._tell, args=(loop, told))
            teller.start()
            await told.wait()
            self.seen += 1

        def _tell(self, loop, told):
            loop.{call}(told.set)
"""


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(("call", "verdict"), [("call_soon_threadsafe", "safe"), ("call_soon", "sampled")])
def test_a_callback_of_another_thread_is_safe_if_the_loop_is_woken(load: Load, call: str, verdict: str) -> None:
    made = load(TOLD.replace("{call}", call)).Feed

    assert explore(setup=made, workers=[made.run], budget=30).verdict == verdict
