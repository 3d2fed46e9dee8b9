from __future__ import annotations

from typing import TYPE_CHECKING, Any

from racehound.guard.executor.outcome import Status

if TYPE_CHECKING:
    from racehound.guard.executor.admission import Circuit
    from racehound.guard.executor.outcome import Outcome


class Permit:
    """An admission by a circuit, and the one verdict that is owed for it."""

    __slots__ = ("_admission", "_circuit")

    def __init__(self, circuit: Circuit, admission: object) -> None:
        self._circuit = circuit
        self._admission = admission

    def judge(self, outcome: Outcome[Any]) -> None:
        """A timeout is a failure; what was cancelled or rejected says nothing about the strategy."""
        if outcome.status is Status.OK:
            self._circuit.end_with_result(self._admission, outcome.value, outcome.duration)
        elif outcome.status is Status.TIMED_OUT:
            self._circuit.fail(self._admission, outcome.error, outcome.duration)
        elif outcome.status is Status.FAILED and outcome.error is not None:
            self._circuit.end_with_error(self._admission, outcome.error, outcome.duration)
        else:
            self.give_back()

    def give_back(self) -> None:
        self._circuit.cancel(self._admission)
