"""What to change in a tool so that the next audit gives a better score."""

from collections.abc import Iterator, Sequence

from racehound.model.audit import Advice, Check, Harm, Violation

LOST = frozenset({Harm.LOST_UPDATE, Harm.LOST_ENTRY, Harm.MIXED})
BY_CHECK = {
    "attribution": "Decide whether the call succeeded before anything is written, or take back what was written.",
    "refusal": "Give the wait for the lock a limit, and print LOCK_HELD with retry_after_ms when it is over "
    "(racehound.guard.Lock raises LockHeld, whose envelope() is that answer).",
    "release": "Let the kernel hold the lock (flock on a file that stays), not the existence of a file: "
    "the kernel releases it however the process ends (racehound.guard.Lock).",
    "retry-hint": "Estimate retry_after_ms from how long the lock is usually held (racehound.guard.Lock does so).",
    "isolation": "Put temporary files below a directory of the session (racehound.guard.Session, --session-id), "
    "and replace files whole: write beside the target, sync, rename (racehound.guard.atomic_write).",
    "cancellation": "Catch SIGTERM and SIGINT while waiting: print CANCELLED and exit with 143 or 130 "
    "(racehound.guard.cli.Tool runs a function that way, and has flags and envelope).",
}


def advice_of(
    checks: Sequence[Check], violations: Sequence[Violation], *, locked: bool, places: tuple[str, ...] = ()
) -> tuple[Advice, ...]:
    """One piece of advice per kind of trouble; `places` are where the source does what the first one is about."""
    texts = [*_against_harm(violations, locked=locked)]
    texts += [BY_CHECK[check.id] for check in checks if not check.passed and check.id in BY_CHECK]
    return tuple(
        Advice(text=text, places=places if number == 0 else ()) for number, text in enumerate(dict.fromkeys(texts))
    )


def _against_harm(violations: Sequence[Violation], *, locked: bool) -> Iterator[str]:
    kinds = {violation.what for violation in violations}
    lost = [violation for violation in violations if violation.what in LOST]
    if lost and locked and all(violation.held for violation in lost):
        yield (
            "Do not go on without the lock when the wait for it is over, nor take it from a holder that lives: "
            "print LOCK_HELD and end (racehound.guard.Lock raises LockHeld)."
        )
    elif lost and locked:
        yield "Read the file again after the lock is taken: what was read before may be stale when it is written."
    elif lost:
        yield (
            "Hold one lock from reading the file to replacing it; renaming alone prevents torn files, not lost "
            "updates (racehound.guard.ConfigStore.update does all of it)."
        )
    elif Harm.CRASH in kinds and not locked:
        yield "Hold one lock from looking for a file to acting on it: another call may remove it meanwhile."
    if kinds & {Harm.TORN, Harm.CRASH}:
        yield "Never empty a file that others read: write beside it and rename (racehound.guard.atomic_write)."
    if Harm.STUCK in kinds:
        yield "Find out what the two calls wait for: each of them may hold what the other one needs."
    if Harm.LEFTOVER in kinds:
        yield "Give temporary files names of their own (tempfile.mkstemp) and remove them on every way out."
    if Harm.BOTH_FAILED in kinds:
        yield "Let one of two calls win: take the lock before looking for signs of the other one."
