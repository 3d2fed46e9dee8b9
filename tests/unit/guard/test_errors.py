from __future__ import annotations

import pickle

import pytest

from drivers.envelopes import assert_is_failure_envelope
from racehound.guard.errors import (
    ConcurrentModification,
    ConfigInvalid,
    GuardError,
    LockHeld,
    LockUnavailable,
    SessionRefused,
    WriteFailed,
)
from racehound.guard.holder import Holder

ALL = [ConcurrentModification, ConfigInvalid, GuardError, LockHeld, LockUnavailable, SessionRefused, WriteFailed]


@pytest.mark.parametrize("kind", ALL)
def test_every_error_has_an_envelope_of_the_specification(kind: type[GuardError]) -> None:
    error = kind("what happened", suggestion="what to do", detail="a=1", duration_ms=12)

    assert_is_failure_envelope(error.envelope())
    assert error.envelope()["meta"] == {"duration_ms": 12}


def test_envelope_takes_meta_and_warnings_of_the_caller() -> None:
    envelope = GuardError("x").envelope(meta={"duration_ms": 5, "request_id": "r"}, warnings=["careful"])

    assert envelope["meta"] == {"duration_ms": 5, "request_id": "r"}
    assert envelope["warnings"] == ["careful"]


def test_error_leaves_out_what_it_does_not_know() -> None:
    assert GuardError("x").envelope()["error"] == {"code": "GUARD_ERROR", "message": "x", "retryable": False}


@pytest.mark.parametrize("kind", ALL)
def test_errors_survive_the_way_to_another_process(kind: type[GuardError]) -> None:
    error = kind("what happened", retry_after_ms=70, suggestion="wait")

    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes

    assert type(copy) is kind
    assert str(copy) == "what happened"
    assert copy.envelope() == error.envelope()


def test_lock_held_keeps_its_holder_through_pickling() -> None:
    error = LockHeld("held", holder=Holder(pid=7), lock_file="x", retry_after_ms=1)

    assert pickle.loads(pickle.dumps(error)).holder == Holder(pid=7)  # noqa: S301 - our own bytes


@pytest.mark.parametrize(
    ("kind", "code", "status", "retryable"),
    [
        (LockHeld, "LOCK_HELD", 4, True),
        (ConcurrentModification, "CONCURRENT_MODIFICATION", 6, True),
        (ConfigInvalid, "CONFIG_INVALID", 2, False),
        (SessionRefused, "SESSION_REFUSED", 2, False),
        (WriteFailed, "WRITE_FAILED", 1, False),
        (LockUnavailable, "LOCK_UNAVAILABLE", 1, False),
    ],
)
def test_codes_and_exit_statuses_are_stable(
    kind: type[GuardError], code: str, status: int, *, retryable: bool
) -> None:
    assert (kind.code, kind.exit_status, kind.retryable) == (code, status, retryable)
