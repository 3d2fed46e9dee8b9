"""A signal that asks the program to end, as an exception that lets every block clean up."""

import signal
from collections.abc import Iterable, Mapping


class Cancelled(BaseException):
    """Passes through code that catches `Exception`, hence the base class."""

    code = "CANCELLED"

    def __init__(self, signal_number: int) -> None:
        super().__init__(signal_number)
        self.signal_number = signal_number
        self.message = f"Cancelled by {self.signal_name}"

    @property
    def signal_name(self) -> str:
        return signal.Signals(self.signal_number).name

    @property
    def exit_status(self) -> int:
        return 128 + self.signal_number

    def envelope(
        self, *, meta: Mapping[str, object] | None = None, warnings: Iterable[str] = ()
    ) -> dict[str, object]:
        """`partial` stands in `meta`: the schema of the envelope allows no further key at its top."""
        return {
            "ok": False,
            "data": None,
            "error": {
                "code": self.code,
                "message": self.message,
                "retryable": False,
                "suggestion": "Run the command again if it is still wanted",
                "signal": self.signal_name,
            },
            "warnings": list(warnings),
            "meta": {"duration_ms": 0, **(meta or {}), "partial": True},
        }
