"""Errors that say what to do next, to people and to programs.

Each carries a stable `code`, an `exit_status` for the tool that gives up because of it, and
`envelope()`: the response envelope of the command-line agent specification.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from racehound.guard.holder import Holder

GENERAL_ERROR = 1
ARGUMENT_ERROR = 2
PRECONDITION = 4
CONFLICT = 6
PERMISSION_DENIED = 7


class GuardError(Exception):
    """Something the caller can act on.

    Keyword arguments become attributes of the same name and end up in the envelope.
    """

    code = "GUARD_ERROR"
    exit_status = GENERAL_ERROR
    retryable = False
    suggestion = ""
    detail = ""
    retry_after_ms: int | None = None
    duration_ms = 0

    def __init__(self, message: str, **facts: object) -> None:
        super().__init__(message)
        self.message = message
        self._facts = facts
        for name, value in facts.items():
            setattr(self, name, value)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.message, self._facts)

    def envelope(
        self, *, meta: Mapping[str, object] | None = None, warnings: Iterable[str] = ()
    ) -> dict[str, object]:
        """The JSON object to print on stdout; `meta` adds to or replaces `duration_ms`."""
        return {
            "ok": False,
            "data": None,
            "error": self._error(),
            "warnings": list(warnings),
            "meta": {"duration_ms": self.duration_ms, **(meta or {})},
        }

    def _error(self) -> dict[str, object]:
        error: dict[str, object] = {"code": self.code, "message": self.message, "retryable": self.retryable}
        optional = {
            "retry_after_ms": self.retry_after_ms,
            "suggestion": self.suggestion or None,
            "detail": self.detail or None,
        }
        return error | {name: value for name, value in optional.items() if value is not None}


def _rebuild(kind: type[GuardError], message: str, facts: dict[str, object]) -> GuardError:
    return kind(message, **facts)


class LockHeld(GuardError):
    """Somebody else holds the lock, and the time to wait for it is over."""

    code = "LOCK_HELD"
    exit_status = PRECONDITION
    retryable = True
    retry_after_ms: int = 0
    lock_file: str
    holder: Holder


class LockUnavailable(GuardError):
    """The lock file cannot be opened or locked, whoever holds it."""

    code = "LOCK_UNAVAILABLE"


class ConcurrentModification(GuardError):
    """A writer that does not take the lock changed the file; nothing was overwritten."""

    code = "CONCURRENT_MODIFICATION"
    exit_status = CONFLICT
    retryable = True
    retry_after_ms: int = 100
    path: str


class ConfigInvalid(GuardError):
    """The configuration cannot be read, or a value cannot be written in its format."""

    code = "CONFIG_INVALID"
    exit_status = ARGUMENT_ERROR
    path: str


class SessionRefused(GuardError):
    """The session id, or the directory it would live in, is not safe to use."""

    code = "SESSION_REFUSED"
    exit_status = ARGUMENT_ERROR


class WriteFailed(GuardError):
    """The file system refused the write; the old file is as it was."""

    code = "WRITE_FAILED"
    path: str
    errno: int | None = None
