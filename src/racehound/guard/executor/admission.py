"""What the executor needs of a breaker; `CircuitBreaker` has it, and so may others."""

from __future__ import annotations

from typing import Protocol


class Permit(Protocol):
    """Leave to run once. Only the first verdict counts; verdicts of an earlier period are ignored."""

    def result(self, value: object, /) -> None:
        """It returned: a success, unless the settings say otherwise of such a value."""

    def error(self, error: BaseException, /) -> None:
        """It raised: a failure, unless the settings say otherwise of such an error."""

    def failure(self, error: object, /) -> None:
        """A failure, whatever the settings say."""

    def cancel(self) -> None:
        """Given back without a verdict."""


class Circuit(Protocol):
    def refusal(self) -> Exception:
        """Why the circuit admits nobody now."""
        ...


class Breaker(Protocol):
    def allow(self, name: str, /) -> Permit | None: ...

    def circuit(self, name: str, /) -> Circuit: ...
