"""What the executor needs of a breaker; `CircuitBreaker` has it, and so may others.

An admission is opaque here. The executor gives exactly one verdict on each it was given, whatever happens.
"""

from __future__ import annotations

from typing import Any, Protocol


class Circuit(Protocol):
    def try_admit(self) -> Any:
        """An admission to run once, or `None`."""

    def refusal(self) -> Exception:
        """Why nobody is admitted now."""
        ...

    def end_with_result(self, admission: Any, result: object, seconds: float, /) -> None:
        """It returned: a success, unless the settings say otherwise of such a value."""

    def end_with_error(self, admission: Any, error: BaseException, seconds: float, /) -> None:
        """It raised: a failure, unless the settings say otherwise of such an error."""

    def fail(self, admission: Any, error: object, seconds: float, /) -> None:
        """A failure, whatever the settings say."""

    def cancel(self, admission: Any, /) -> None:
        """Given back without a verdict."""


class Breaker(Protocol):
    def circuit(self, name: str, /) -> Circuit:
        """The circuit of that name, the same one each time."""
        ...


def waits_for_a_store(breaker: Breaker, name: str) -> bool:
    """Whether asking the breaker may take as long as a disk or a server does: not on an event loop, then."""
    keeper = getattr(breaker.circuit(name), "keeper", None)
    return bool(getattr(keeper, "blocking", False))
