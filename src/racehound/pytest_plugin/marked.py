"""A test marked `race`: its body is run again and again, each time under another schedule.

The threads and tasks that the body starts become tasks under control. Every execution begins like the first one:
fixtures of the test are torn down and set up anew, and output that earlier executions left is thrown away, so that
what pytest shows is that of the failing schedule alone.
"""

import inspect
import logging
import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from racehound.engine.execution import Abort
from racehound.pipeline.explore import Exploration
from racehound.pytest_plugin import searching
from racehound.pytest_plugin.memory import Memory
from racehound.pytest_plugin.progress import Progress
from racehound.pytest_plugin.settings import Settings

PROVER = str(Path(__file__).parents[1])

Test = Callable[..., Any]


def run_marked(item: pytest.Function) -> None:
    """Takes the place of `item.runtest`."""
    _refuse(item)
    settings = searching.settled(item)
    handle = getattr(item.obj, "hypothesis", None)
    if handle is None:
        _judge(item, Body(item, _current_test(item), renew=True), settings)
    else:
        _race_each_example(item, handle, settings)


def _refuse(item: pytest.Function) -> None:
    if type(item).__name__ == "TestCaseFunction":
        pytest.fail(
            "racehound: a method of unittest.TestCase cannot be marked race; write a function", pytrace=False
        )


def _race_each_example(item: pytest.Function, handle: Any, settings: Settings) -> None:
    """Hypothesis chooses the arguments, and each choice is searched."""
    inner: Test = handle.inner_test

    @wraps(inner)
    def every_schedule(*args: object, **kwargs: object) -> None:
        _judge(item, Body(item, lambda: (inner, args, kwargs), renew=False), settings)

    handle.inner_test = every_schedule
    try:
        item.obj(**_arguments(item))
    finally:
        handle.inner_test = inner


Call = tuple[Test, tuple[object, ...], dict[str, object]]


def _arguments(item: pytest.Function) -> dict[str, object]:
    return {name: item.funcargs[name] for name in item._fixtureinfo.argnames}  # noqa: SLF001 - as `runtest` does


def _current_test(item: pytest.Function) -> Callable[[], Call]:
    return lambda: (item.obj, (), _arguments(item))


class Body:
    """The body of a test as a worker, and what its last execution raised."""

    def __init__(self, item: pytest.Function, call: Callable[[], Call], *, renew: bool) -> None:
        self._item = item
        self._call = call
        self._renews = renew and _has_own_fixtures(item)
        self._progress = Progress(item)
        self._is_first = True
        self.error: BaseException | None = None

    def race(self) -> searching.Race:
        """The functions look like the test, so that its module is the one that is observed."""
        test = self._call()[0]

        @wraps(test)
        def set_up() -> None:
            self._set_up()

        worker = self._coroutine if inspect.iscoroutinefunction(test) else self._function
        return searching.Race(set_up, [worker(test)], lambda _: True)

    def close(self) -> None:
        self._progress.close()

    def _set_up(self) -> None:
        self._progress.count()
        self.error = None
        if self._renews and not self._is_first:
            _renew(self._item)
        self._is_first = False
        _forget_output(self._item)

    def _function(self, test: Test) -> Test:
        @wraps(test)
        def worker(state: object) -> None:
            del state
            body, args, kwargs = self._call()
            with self._watching():
                body(*args, **kwargs)

        return worker

    def _coroutine(self, test: Test) -> Test:
        @wraps(test)
        async def worker(state: object) -> None:
            del state
            body, args, kwargs = self._call()
            with self._watching():
                await body(*args, **kwargs)

        return worker

    @contextmanager
    def _watching(self) -> Iterator[None]:
        try:
            yield
        except Abort:  # the end of an execution in which nobody could go on
            raise
        except BaseException as error:
            self.error = error
            raise


def _judge(item: pytest.Function, body: Body, settings: Settings) -> None:
    memory = Memory(item)
    try:
        found = searching.search(body.race(), settings, memory)
    finally:
        body.close()
    if isinstance(body.error, pytest.skip.Exception | pytest.xfail.Exception):
        raise body.error
    searching.note(item, found)
    if searching.is_failure(found, settings):
        pytest.fail(searching.complaint(item, _named(found, body.error)), pytrace=False)
    if settings.replay is None:
        memory.forget()


def _named(found: Exploration, error: BaseException | None) -> Exploration:
    """Says which line of the test, or of what it calls, ended the failing execution."""
    if error is None or found.token is None:
        return found
    frames = traceback.extract_tb(error.__traceback__)
    last = next((frame for frame in reversed(frames) if not frame.filename.startswith(PROVER)), frames[-1])
    said = str(error) or last.line or ""
    reason = f"{type(error).__name__}: {said} ({os.path.relpath(last.filename)}:{last.lineno})"
    return replace(found, proof=replace(found.proof, reason=reason, outcome=None))


def _has_own_fixtures(item: pytest.Function) -> bool:
    """Whether something is made for this test alone."""
    known = item._fixtureinfo.name2fixturedefs  # noqa: SLF001 - pytest tells nobody else
    return any(definitions[-1].scope == "function" for definitions in known.values())


def _renew(item: pytest.Function) -> None:
    """Tear down what belongs to this test alone, and set it up again."""
    state = item.session._setupstate  # noqa: SLF001 - plugins that run a test again have no other way
    notes = dict(item.stash._storage)  # noqa: SLF001 - what pytest notes once per test, and fixtures take away
    state.teardown_exact(item.parent)  # type: ignore[arg-type]  # any node will do
    item.stash._storage = notes | item.stash._storage  # noqa: SLF001 - likewise
    for name in ("_instance", "_obj"):
        item.__dict__.pop(name, None)
    item._initrequest()  # noqa: SLF001 - likewise
    state.setup(item)


def _forget_output(item: pytest.Function) -> None:
    capture = item.config.pluginmanager.getplugin("capturemanager")
    if capture is not None and capture.is_globally_capturing():
        capture.read_global_capture()
    for handler in logging.getLogger().handlers:
        if type(handler).__name__ == "LogCaptureHandler":
            handler.reset()  # type: ignore[attr-defined]  # a class that pytest does not export
