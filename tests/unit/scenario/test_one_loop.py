"""Classes that are meant for one event loop."""

import asyncio

import pytest

from racehound.scenario.one_loop import is_of_one_loop


class Updates:
    """Has no coroutine, but makes futures and asks for the loop that runs."""

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Future[str]] = {}

    def begin(self, key: str) -> None:
        self._waiting[key] = asyncio.Future()
        asyncio.get_event_loop().call_later(5, self._waiting.pop, key, None)

    def end(self, key: str) -> None:
        self._waiting.pop(key).set_result(key)


class Bridge:
    """Runs a loop of its own for whoever calls."""

    def ask(self) -> None:
        asyncio.get_event_loop().run_until_complete(asyncio.sleep(0))


class Named:
    """Has something of that name, and nothing of asyncio."""

    def __init__(self) -> None:
        self.ensure_future = 1

    def more(self) -> None:
        self.ensure_future += 1


@pytest.mark.parametrize(("kind", "is_meant"), [(Updates, True), (Bridge, False), (Named, False)])
def test_whoever_asks_for_the_loop_that_runs_belongs_on_it(kind: type, is_meant: bool) -> None:
    assert is_of_one_loop([kind]) is is_meant
