"""What the specification says about the answers of a command-line tool."""

from typing import Any

TOP_LEVEL = {"ok", "data", "error", "warnings", "meta"}
ERROR_FIELDS: dict[str, type | tuple[type, ...]] = {
    "code": str,
    "message": str,
    "detail": str,
    "retryable": bool,
    "retry_after_ms": int,
    "suggestion": str,
}


def assert_is_failure_envelope(envelope: dict[str, Any]) -> None:
    """The facts of the specification's response envelope."""
    assert set(envelope) == TOP_LEVEL
    assert envelope["ok"] is False
    assert envelope["data"] is None
    assert all(isinstance(warning, str) for warning in envelope["warnings"])
    assert type(envelope["meta"]["duration_ms"]) is int
    assert {"code", "message"} <= set(envelope["error"]) <= set(ERROR_FIELDS)
    for name, value in envelope["error"].items():
        assert isinstance(value, ERROR_FIELDS[name])
    assert envelope["error"].get("retry_after_ms", 0) >= 0
