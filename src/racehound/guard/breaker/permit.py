from types import TracebackType
from typing import Self

from racehound.guard.breaker.circuit import Circuit
from racehound.guard.breaker.offload import in_thread
from racehound.guard.breaker.period import Admission


class Permit:
    """The right to make one call, and the duty to say how it ended.

    As a context manager it does so by itself, for `with` and `async with`: leaving normally is a success,
    an exception is judged by the settings, cancellation gives the permit back. The first verdict counts,
    later ones are ignored, from whatever thread they come. A verdict that comes after the circuit went
    on to another period is stale and ignored too.
    """

    __slots__ = ("_admissions", "_circuit", "_started")

    def __init__(self, circuit: Circuit, admission: Admission | None = None) -> None:
        self._circuit = circuit
        # At most one. Whoever pops it gives the verdict: popping is atomic.
        self._admissions: list[Admission] = []
        self._started = 0.0
        if admission is not None:
            self._start(admission)

    @property
    def name(self) -> str:
        return self._circuit.name

    def success(self) -> None:
        for admission in self._spent():
            self._circuit.succeed(admission, self._seconds())

    def failure(self, error: object = None) -> None:
        for admission in self._spent():
            self._circuit.fail(admission, error, self._seconds())

    def cancel(self) -> None:
        """Give the permit back without a verdict."""
        for admission in self._spent():
            self._circuit.cancel(admission)

    def result(self, value: object) -> None:
        """A success, or what `failure_result` makes of the value."""
        for admission in self._spent():
            self._circuit.end_with_result(admission, value, self._seconds())

    async def aresult(self, value: object) -> None:
        """The same, for a coroutine: waits for a shared store without blocking the event loop."""
        if self._circuit.keeper.blocking:
            await in_thread(lambda: self.result(value))
        else:
            self.result(value)

    def error(self, error: BaseException) -> None:
        """A failure, or what `failure_on` and `ignore` make of the exception."""
        for admission in self._spent():
            self._circuit.end_with_error(admission, error, self._seconds())

    def __enter__(self) -> Self:
        if not self._admissions:
            self._start(self._circuit.admit())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if error is None:
            self.success()
        else:
            self.error(error)

    async def __aenter__(self) -> Self:
        if not self._circuit.keeper.blocking:
            return self.__enter__()
        if not self._admissions:
            self._start(await in_thread(self._circuit.admit, undo=self._circuit.cancel))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._circuit.keeper.blocking:
            await in_thread(lambda: self.__exit__(kind, error, traceback))
        else:
            self.__exit__(kind, error, traceback)

    def _start(self, admission: Admission) -> None:
        self._started = self._circuit.clock()
        self._admissions.append(admission)

    def _seconds(self) -> float:
        return self._circuit.clock() - self._started

    def _spent(self) -> list[Admission]:
        try:
            return [self._admissions.pop()]
        except IndexError:
            return []
