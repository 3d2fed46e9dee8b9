"""What became of a command, attempt by attempt."""

from collections.abc import Sequence
from dataclasses import dataclass

from racehound.guard.runner.refusal import Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    exit_status: int
    duration_ms: int
    refusal: Refusal | None = None
    waited_ms: int | None = None  # before the next attempt; None for the last one

    def as_json(self) -> dict[str, object]:
        return {
            "exit_status": self.exit_status,
            "duration_ms": self.duration_ms,
            "code": self.refusal and self.refusal.code,
            "source": self.refusal and self.refusal.source,
            "retry_after_ms": self.refusal and self.refusal.retry_after_ms,
            "waited_ms": self.waited_ms,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    argv: Sequence[str]
    session_id: str
    lock: str
    attempts: tuple[Attempt, ...] = ()
    stdout: bytes = b""
    stderr: bytes = b""
    not_retried: str | None = None  # why a refused command was not run again

    @property
    def exit_status(self) -> int:
        return self.attempts[-1].exit_status

    def envelope(self) -> dict[str, object]:
        """The response envelope: what came out in `data` or `error`, how it came about in `meta`."""
        succeeded = self.exit_status == 0
        outcome: dict[str, object] = {
            "exit_status": self.exit_status,
            "stdout": self.stdout.decode(errors="replace"),
            "stderr": self.stderr.decode(errors="replace"),
        }
        return {
            "ok": succeeded,
            "data": outcome if succeeded else None,
            "error": None if succeeded else self._error() | outcome,
            "warnings": [],
            "meta": self._circumstances(),
        }

    def _error(self) -> dict[str, object]:
        refusal = self.attempts[-1].refusal
        error: dict[str, object] = {
            "code": refusal.code if refusal else "COMMAND_FAILED",
            "message": f"{self.argv[0]} ended with exit status {self.exit_status}",
            "retryable": refusal is not None,
        }
        if refusal and refusal.retry_after_ms is not None:
            error["retry_after_ms"] = refusal.retry_after_ms
        return error

    def _circumstances(self) -> dict[str, object]:
        return {
            "duration_ms": sum(attempt.duration_ms + (attempt.waited_ms or 0) for attempt in self.attempts),
            "command": list(self.argv),
            "lock": self.lock,
            "session_id": self.session_id,
            "attempts": [attempt.as_json() for attempt in self.attempts],
            "not_retried": self.not_retried,
        }
