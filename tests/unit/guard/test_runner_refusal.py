import json
from random import Random

import pytest

from racehound.guard.runner.backoff import Backoff
from racehound.guard.runner.refusal import Refusal, read_refusal

SEED = 1
HELD = {"code": "LOCK_HELD", "message": "held", "retryable": True, "retry_after_ms": 3000}


def envelope(error: object, **more: object) -> bytes:
    base = {"ok": False, "data": None, "error": error, "warnings": [], "meta": {"duration_ms": 1}}
    return json.dumps(base | more).encode()


def refusal_of(stdout: bytes = b"", stderr: bytes = b"", status: int = 4) -> Refusal | None:
    return read_refusal(["tool"], status, stdout, stderr)


@pytest.mark.parametrize(
    ("stdout", "stderr"),
    [
        (envelope(HELD), b""),
        (b"some progress\n" + envelope(HELD) + b"\n", b""),
        (b"building {x}\n" + envelope(HELD) + b"\n", b""),
        (b"", envelope(HELD)),
        (json.dumps(HELD).encode(), b""),
        (b"", b"Error: " + json.dumps(HELD, indent=2).encode()),
    ],
    ids=["stdout", "after text", "after a brace", "stderr", "error only", "seed form"],
)
def test_lock_held_is_read_wherever_tools_put_it(stdout: bytes, stderr: bytes) -> None:
    assert refusal_of(stdout, stderr) == Refusal(code="LOCK_HELD", retry_after_ms=3000, source="envelope")


def test_concurrent_modification_is_a_refusal() -> None:
    refusal = refusal_of(envelope({"code": "CONCURRENT_MODIFICATION", "message": "m"}), status=6)

    assert refusal == Refusal(code="CONCURRENT_MODIFICATION", source="envelope")


@pytest.mark.parametrize(
    "stdout",
    [
        b"",
        b"plain text",
        b"{broken",
        b"[1, 2]",
        b'"LOCK_HELD"',
        envelope({"code": "NOT_FOUND", "message": "m", "retryable": True}),
        envelope({"code": "LOCK_HELD", "message": "m", "retryable": False}),
        envelope(HELD, partial=True),
        envelope(HELD, meta={"duration_ms": 1, "partial": True}),
        envelope(HELD, ok=True),
        envelope(None),
        envelope({"code": 4}),
        b"\xff\xfe{}",
        b'{"a":' * 100_000,
    ],
)
def test_everything_else_is_final(stdout: bytes) -> None:
    assert refusal_of(stdout) is None


def test_what_a_successful_command_prints_is_its_result_and_no_refusal() -> None:
    assert refusal_of(envelope(HELD), status=0) is None


@pytest.mark.parametrize(
    "earlier",
    [
        b'{"ok": true, "data": null}\n',
        b'{\n  "ok": true,\n  "data": {\n    "key": 1\n  }\n}\n',
        b'some progress\n{broken\n  {"ok": true}\n',
    ],
    ids=["one line", "indented", "after other text"],
)
def test_a_command_of_which_a_part_succeeded_is_not_run_again(earlier: bytes) -> None:
    assert refusal_of(earlier + envelope(HELD)) is None
    assert refusal_of(earlier, envelope(HELD)) is None


@pytest.mark.parametrize("hint", [-1, True, "3000", 1.5, None])
def test_hint_that_is_no_count_of_milliseconds_is_not_taken(hint: object) -> None:
    assert refusal_of(envelope(HELD | {"retry_after_ms": hint})) == Refusal(code="LOCK_HELD", source="envelope")


def test_hint_may_be_written_as_a_number_with_a_point() -> None:
    assert refusal_of(envelope(HELD | {"retry_after_ms": 3000.0})) == refusal_of(envelope(HELD))


def test_hint_outweighs_the_blanket_rule_that_preconditions_are_not_retryable() -> None:
    refusal = refusal_of(envelope(HELD | {"retryable": False}))

    assert refusal is not None
    assert refusal.retry_after_ms == 3000


def test_hint_is_waited_out_in_full_and_little_longer() -> None:
    backoff = Backoff(random=Random(SEED))  # noqa: S311 - jitter, not a secret
    delays = [backoff.delay(1, 3000) for _ in range(200)]

    assert 3.0 <= min(delays) < max(delays) <= 3.3


def test_absurd_hint_is_bounded() -> None:
    assert Backoff(random=Random(SEED)).delay(1, 10**9) <= 66  # noqa: S311 - jitter, not a secret
    assert Backoff(random=Random(SEED)).delay(1, 10**999) <= 66  # noqa: S311 - jitter, not a secret


def test_wait_stays_below_its_bound_however_many_attempts_there_were() -> None:
    assert Backoff(random=Random(SEED)).delay(10_000, None) <= 10  # noqa: S311 - jitter, not a secret


@pytest.mark.parametrize("hint", [None, 0])
def test_without_a_hint_the_delay_is_drawn_from_zero_to_a_growing_bound(hint: int | None) -> None:
    backoff = Backoff(first_seconds=0.1, longest_seconds=1.0, random=Random(SEED))  # noqa: S311 - jitter, not a secret
    bounds = [max(backoff.delay(attempt, hint) for _ in range(300)) for attempt in range(1, 7)]

    assert bounds == pytest.approx([0.2, 0.4, 0.8, 1.0, 1.0, 1.0], rel=0.05)
    assert min(backoff.delay(5, hint) for _ in range(300)) < 0.05
