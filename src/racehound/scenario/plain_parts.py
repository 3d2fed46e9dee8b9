"""Parts of operations on the plain interpreter, each of which is run when its turn has come."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from racehound.scenario.parts import InParts, parts_of, run_on_loop, run_whole
from racehound.scenario.plan import Operation

Result = tuple[str, object]
"""How an operation ended, and with what."""
Part = Callable[[object], object]
HostedPart = Callable[[object], Coroutine[Any, Any, None]]


def failed(results: list[Result]) -> bool:
    """What an operation raises ends its task."""
    return any(kind == "raised" for kind, _ in results)


def parts_on_a_thread(operation: Operation, results: list[Result]) -> list[Part]:
    """What to run one after the other on one thread; the last part has the result."""
    whole, count = InParts(operation), parts_of(operation)
    last = whole.finish if count > 1 else partial(run_whole, operation)
    return [*(partial(_pass, whole.go_on, results) for _ in range(count - 1)), partial(_end, last, results)]


def _pass(part: Part, results: list[Result], subject: object) -> None:
    if failed(results):
        return
    try:
        part(subject)
    except Exception as error:  # noqa: BLE001 - whatever the code under proof raises is its result
        results.append(("raised", error))


def _end(last: Part, results: list[Result], subject: object) -> None:
    _pass(lambda it: results.append(("returned", last(it))), results, subject)


def parts_on_a_loop(operation: Operation, results: list[Result]) -> list[HostedPart]:
    """The same for an operation on an event loop."""
    gated = _Gated(operation, results)
    return [*(gated.go_on for _ in range(parts_of(operation) - 1)), gated.finish]


class _Gated:
    """One run of an operation that stands still between its parts until it is told to go on."""

    def __init__(self, operation: Operation, results: list[Result]) -> None:
        self._operation = operation
        self._results = results
        self._task: asyncio.Task[None] | None = None
        self._gate: asyncio.Future[None] | None = None
        self._stands: asyncio.Future[None] | None = None
        self._is_open = False

    async def go_on(self, subject: object) -> None:
        """Run the next part."""
        self._stands = asyncio.get_running_loop().create_future()
        if self._task is None:
            self._task = asyncio.create_task(self._run(subject))
        elif self._gate is not None and not self._gate.done():
            self._gate.set_result(None)
        await asyncio.wait({self._stands, self._task}, return_when=asyncio.FIRST_COMPLETED)

    async def finish(self, subject: object) -> None:
        """Run all that is left."""
        self._is_open = True
        await self.go_on(subject)
        if self._task is not None:
            await self._task

    async def _run(self, subject: object) -> None:
        if failed(self._results):
            return
        try:
            self._results.append(("returned", await run_on_loop(self._operation, subject, self._hold)))
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - whatever the code under proof raises
            self._results.append(("raised", error))

    async def _hold(self) -> None:
        if self._is_open or self._stands is None:
            return
        self._gate = asyncio.get_running_loop().create_future()
        self._stands.set_result(None)
        await self._gate
