import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from racehound.audit.complaining import first_line, is_breakdown, speaks_of_a_lock
from racehound.audit.envelope import complaints, demands, find_envelope

HELD = """
import json, subprocess, sys
from racehound.guard import Lock, LockHeld
if len(sys.argv) == 2:
    with Lock(sys.argv[1], timeout=5):
        print(subprocess.check_output([sys.executable, "-c", open("/proc/self/cmdline").read().split(chr(0))[2],
                                       sys.argv[1], "second"], text=True))
else:
    try:
        Lock(sys.argv[1], timeout=0.05).acquire()
    except LockHeld as held:
        print(json.dumps(held.envelope()))
"""


def refusal(**error: object) -> dict[str, Any]:
    return {
        "ok": False,
        "data": None,
        "error": {
            "code": "LOCK_HELD",
            "message": "held by PID 9001",
            "retryable": True,
            "retry_after_ms": 10,
            **error,
        },
        "warnings": [],
        "meta": {"duration_ms": 1},
    }


def complaints_about(document: dict[str, Any], status: int = 4) -> str:
    envelope = find_envelope(json.dumps(document), "")
    assert envelope is not None
    return "; ".join(complaints(envelope, status))


def test_the_answer_of_the_specification_conforms() -> None:
    assert complaints_about(refusal()) == ""
    assert complaints_about(refusal(code="CONCURRENT_MODIFICATION"), 6) == ""


def test_the_answer_of_our_own_lock_conforms(tmp_path: Path) -> None:
    held = subprocess.run(
        [sys.executable, "-c", HELD, str(tmp_path / "x.lock")],
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )

    assert complaints_about(json.loads(held.stdout)) == ""


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"ok": True}, "`ok` is not false"),
        ({"data": {}}, "`data` is not null"),
        ({"warnings": [{}]}, "no list of texts"),
        ({"meta": {}}, "duration_ms"),
        ({"extra": 1}, "`extra` is not part"),
    ],
)
def test_each_fault_of_the_shape_is_named(change: dict[str, object], word: str) -> None:
    assert word in complaints_about(refusal() | change)


@pytest.mark.parametrize(
    ("error", "word"),
    [
        ({"code": "EBUSY"}, "EBUSY, not LOCK_HELD"),
        ({"message": 7}, "`error.message` is no text"),
        ({"retry_after_ms": "10"}, "retry_after_ms"),
        ({"retry_after_ms": True}, "retry_after_ms"),
        ({"retryable": False}, "retryable"),
        ({"retry_strategy": "soon"}, "'soon' is unknown"),
        ({"message": "somebody"}, "nothing names the process"),
    ],
)
def test_each_fault_of_the_error_is_named(error: dict[str, object], word: str) -> None:
    assert word in complaints_about(refusal(**error))


def test_a_wrong_exit_status_and_missing_keys_are_named() -> None:
    assert "exit status is 1, not 4" in complaints_about(refusal(), 1)
    assert "`data` is missing" in complaints_about({"error": refusal()["error"]})


def test_the_envelope_is_found_among_other_lines_and_on_the_wrong_stream() -> None:
    found = find_envelope("working\n" + json.dumps(refusal()), "")
    wrong = find_envelope("[1]", json.dumps(refusal()))

    assert found is not None
    assert wrong is not None
    assert "it is on standard error" in complaints(wrong, 4)
    assert find_envelope("no json", "none here") is None


@pytest.mark.parametrize(
    "text",
    [
        '{"error": {"code": "LOCK_HELD", "retry_after_ms": 5}}',
        'Error: {\n  "code": "LOCK_HELD",\n  "retry_after_ms": 5\n}\n',
        '{"step": 1}\n{"ok": false, "error": "LOCK_HELD", "retry_after_ms": 5}\nbye {',
    ],
)
@pytest.mark.parametrize("on_errors", [False, True])
def test_a_structured_refusal_needs_a_code_and_a_hint_alone(text: str, *, on_errors: bool) -> None:
    envelope = find_envelope(*(("", text) if on_errors else (text, "")))

    assert envelope is not None
    assert (demands(envelope, 1), envelope.retry_after_ms) == ([], 5)
    assert complaints(envelope, 1)


@pytest.mark.parametrize(
    ("document", "status", "word"),
    [
        (refusal(code="EBUSY"), 4, "EBUSY"),
        (refusal(retry_after_ms=-1), 4, "retry_after_ms"),
        (refusal() | {"ok": True}, 4, "`ok`"),
        (refusal(), 0, "exit status is 0, not 4"),
    ],
)
def test_what_a_caller_cannot_do_without_is_demanded(document: dict[str, Any], status: int, word: str) -> None:
    envelope = find_envelope(json.dumps(document), "")

    assert envelope is not None
    assert word in "; ".join(demands(envelope, status))


def test_an_error_that_is_no_object_has_no_hint() -> None:
    envelope = find_envelope('{"error": "x"}', "")

    assert envelope is not None
    assert (envelope.code, envelope.retry_after_ms) == ("x", None)


@pytest.mark.parametrize(
    "text",
    [
        "fatal: Unable to create '.git/index.lock': File exists",
        "Error: database is locked (5)",
        "error: could not lock config file .gitconfig: File exists",
        "Resource temporarily unavailable",
    ],
)
def test_what_real_tools_say_about_locks_is_understood(text: str) -> None:
    assert speaks_of_a_lock(text)
    assert not is_breakdown(text, 1)


@pytest.mark.parametrize(
    "text", ["npm error code EJSONPARSE", "panic: nil map", "Traceback (most recent call last):\nX"]
)
def test_a_breakdown_is_told_from_a_refusal(text: str) -> None:
    assert is_breakdown(text, 1)


def test_a_deadly_signal_is_a_breakdown() -> None:
    assert is_breakdown("", -11)
    assert not is_breakdown("usage: tool", 2)


def test_the_line_that_says_most_is_chosen() -> None:
    assert first_line("a\nb") == "a"
    assert first_line("Using configuration from c\nError: no such serial") == "Error: no such serial"
    assert first_line("Traceback (most recent call last):\n  x\nKeyError: 'k'") == "KeyError: 'k'"
    assert first_line("\n") == ""
    assert first_line("\nthread 'main' (7) panicked at r.rs:3:1:\nNotFound\nnote: x") == "NotFound"
    assert (
        first_line("node:fs:1\n ^\nError: ENOENT: no file\n    at open (node:fs:1:1)") == "Error: ENOENT: no file"
    )
    assert first_line("x" * 200).endswith("…")
