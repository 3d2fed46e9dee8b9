"""What stands in for functions that are registered and called back later."""

import asyncio
from pathlib import Path
from textwrap import dedent

import pytest

from racehound.model.proof import Verdict
from racehound.pipeline.prove import prove_target
from racehound.scenario.listeners import called_back_as, has_listener, listener
from racehound.scenario.usage import AWAITED, FUNCTION

BUS = """
    import threading

    class Bus:
        def __init__(self):
            self._handlers = {{}}
            self._lock = threading.Lock()

        def on(self, event, handler):
            with self._lock:
                self._handlers.setdefault(event, []).append(handler)

        def off(self, event, handler):
            with self._lock:
                handlers = self._handlers.get(event, [])
                if handler in handlers:
                    handlers.remove(handler)

        def emit(self, event, *args):
            with self._lock:
                handlers = {taken}
            for handler in handlers:
                handler(*args)
"""
ONCE = """
    import threading

    class Done:
        def __init__(self):
            self._waiting = []
            self._is_done = False
            self._lock = threading.Lock()

        def when_done(self, tell):
            {look}
            tell()

        def finish(self):
            with self._lock:
                self._is_done = True
                waiting, self._waiting = self._waiting, []
            for each in waiting:
                each()
"""
LOOKED_FIRST = """if not self._is_done:
                with self._lock:
                    self._waiting.append(tell)
                    return"""
LOOKED_INSIDE = """with self._lock:
                if not self._is_done:
                    self._waiting.append(tell)
                    return"""
AWAITING = """
    class Feed:
        def __init__(self):
            self._readers = []

        def follow(self, reader):
            self._readers.append(reader)

        def leave(self, reader):
            if reader in self._readers:
                self._readers.remove(reader)

        async def publish(self, item):
            for reader in {taken}:
                await reader(item)
"""


class Hooks:
    def __init__(self) -> None:
        self.hooks: list = []  # type: ignore[type-arg]  # no types
        self.named: dict = {}  # type: ignore[type-arg]
        self.kept: tuple = ()  # type: ignore[type-arg]  # no types
        self.seen: list = []  # type: ignore[type-arg]

    def add(self, priority, hook) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 - no types
        self.hooks.append((priority, hook))

    def name(self, key, action) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 - no types
        self.named[key] = action

    def keep(self, task) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 - no types
        self.kept = (*self.kept, task)

    def see(self, value) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 - no types
        self.seen.append(value)

    def remove(self, hook) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 - no types
        self.hooks = [item for item in self.hooks if item[1] is not hook]

    async def run(self, pool, loop) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001 - no types
        for _, hook in self.hooks:
            hook()
        self.named["a"]()
        for task in self.kept:
            await task()
        for value in self.seen:
            pool.submit(print, value)


@pytest.mark.parametrize(
    ("method", "parameter", "use"),
    [
        (Hooks.add, "hook", FUNCTION),
        (Hooks.remove, "hook", FUNCTION),
        (Hooks.add, "priority", None),
        (Hooks.name, "action", FUNCTION),
        (Hooks.name, "key", None),
        (Hooks.keep, "task", AWAITED),
        (Hooks.run, "loop", None),
    ],
)
def test_what_is_kept_and_called_later_is_a_function(method: object, parameter: str, use: str | None) -> None:
    assert called_back_as(method, parameter, Hooks) == use  # type: ignore[arg-type]  # a method of it


def test_a_listener_keeps_account_of_its_calls() -> None:
    text = listener("a", {"asyncio": asyncio}, awaited=False, fails=False)
    told = eval(text)  # noqa: S307 - text of ours
    told(1, key=2)
    told()

    assert has_listener(text)
    assert told.told == ["a", "a"]


def test_one_that_is_awaited_can_be_and_one_that_fails_tells_before() -> None:
    awaited = eval(listener("a", {"asyncio": asyncio}, awaited=True, fails=False))  # noqa: S307 - text of ours
    failing = eval(listener("b", {}, awaited=True, fails=True))  # noqa: S307 - text of ours

    assert asyncio.run(awaited()) is None
    with pytest.raises(ZeroDivisionError):
        failing()
    assert failing.told == ["b"]


@pytest.mark.slow
@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(
    ("code", "name", "verdict"),
    [
        (BUS.format(taken="self._handlers.get(event, [])"), "Bus", Verdict.RACE),
        (BUS.format(taken="list(self._handlers.get(event, []))"), "Bus", Verdict.SAFE),
        (ONCE.format(look=LOOKED_FIRST), "Done", Verdict.RACE),
        (AWAITING.format(taken="self._readers"), "Feed", Verdict.RACE),
        (AWAITING.format(taken="tuple(self._readers)"), "Feed", Verdict.SAFE),
    ],
)
def test_who_is_told_counts(tmp_path: Path, code: str, name: str, verdict: Verdict) -> None:
    (tmp_path / "told.py").write_text(dedent(code))

    assert prove_target(f"{tmp_path}/told.py::{name}", budget=40).verdict is verdict


def test_who_joins_once_all_is_done_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "told.py").write_text(dedent(ONCE.format(look=LOOKED_INSIDE)))

    assert prove_target(f"{tmp_path}/told.py::Done", budget=40).verdict is not Verdict.RACE
