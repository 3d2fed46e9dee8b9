import os
import re
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from racehound.guard.cancelled import Cancelled
from racehound.guard.lock import Lock
from racehound.guard.places import LONGEST_NAME
from racehound.guard.runner.backoff import Backoff
from racehound.guard.runner.child import Child
from racehound.guard.runner.nesting import is_held_above, marked
from racehound.guard.runner.refusal import Refusal, read_refusal
from racehound.guard.runner.relay import STDERR, STDOUT, Relay, Sink
from racehound.guard.runner.run import Attempt, Run
from racehound.guard.runner.session_handover import session_variables
from racehound.guard.runner.signals import SignalRelay
from racehound.guard.runner.stdin import Stdin, watch_stdin


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """Runs commands one at a time per lock name, and again when they say that it was too early.

    Args:
        lock: Commands of one lock name never overlap, whichever process runs them. The default is
            the name of the program.
        lock_timeout: Seconds to wait for the command before; `LockHeld` after that.
        retries: How often a command that refused to work is run again.
        session_id: Handed to the command in its environment; the default is a fresh one per call.
        session_flag: Option of the command, such as `--session-id`, that takes the session id too.
        backoff: How long to wait where the command gives no hint.
        pause: What waits.
    """

    lock: str | None = None
    lock_timeout: float | None = 60.0
    retries: int = 5
    session_id: str | None = None
    session_flag: str | None = None
    backoff: Backoff = field(default_factory=Backoff)
    pause: Callable[[float], object] = time.sleep

    def run(self, argv: Sequence[str], *, sinks: Sequence[Sink] | None = None) -> Run:
        """Run the command to its end.

        Its output goes to the two `sinks`, stdout and stderr; without them it is in the result.
        """
        with self._child(argv) as (child, run):
            return self._repeat(child, run, sinks)

    def run_attached(self, argv: Sequence[str]) -> Run:
        """Run the command once on our own terminal and pipes, without a look at its output."""
        with self._child(argv) as (child, run):
            return replace(run, attempts=(_timed(child.run_attached),))

    @contextmanager
    def _child(self, argv: Sequence[str]) -> Iterator[tuple[Child, Run]]:
        session_id = self.session_id or uuid.uuid4().hex
        command = [*argv, self.session_flag, session_id] if self.session_flag else list(argv)
        name = self.lock or default_lock(argv)
        with SignalRelay() as signals, self._serialised(name) as environment:
            child = Child(command, {**environment, **session_variables(argv, session_id)}, signals)
            yield child, Run(argv=command, session_id=session_id, lock=name)

    @contextmanager
    def _serialised(self, name: str) -> Iterator[Mapping[str, str]]:
        lock = Lock(name, timeout=self.lock_timeout)
        if is_held_above(os.environ, lock):
            yield os.environ
            return
        with lock:
            yield marked(os.environ, lock, os.getpid())

    def _repeat(self, child: Child, run: Run, sinks: Sequence[Sink] | None) -> Run:
        stdin = watch_stdin()
        while True:
            relay = Relay(sinks)
            attempt = _attempt(child, relay)
            run = replace(run, attempts=(*run.attempts, attempt))
            if attempt.refusal is None:
                return _finished(run, relay, None)
            obstacle = self._obstacle(run, stdin, child.signals)
            if obstacle is not None:
                return _finished(run, relay, obstacle)
            run = self._wait(run, attempt.refusal, relay)

    def _obstacle(self, run: Run, stdin: Stdin, signals: SignalRelay) -> str | None:
        if len(run.attempts) > self.retries:
            return f"the limit of {self.retries} retries is reached"
        if signals.received:
            return "a signal asked the command to end"
        return stdin.obstacle()

    def _wait(self, run: Run, refusal: Refusal, relay: Relay) -> Run:
        *earlier, last = run.attempts
        delay = self.backoff.delay(len(run.attempts), refusal.retry_after_ms)
        try:
            self.pause(delay)
        except Cancelled:
            relay.deliver()
            raise
        return replace(run, attempts=(*earlier, replace(last, waited_ms=round(delay * 1000))))


def default_lock(argv: Sequence[str]) -> str:
    """Commands of one program go one after the other; so may those of two whose long names begin alike."""
    name = "run-" + re.sub(r"[^A-Za-z0-9._-]", "_", PurePath(argv[0]).name)
    return name[:LONGEST_NAME]


def _attempt(child: Child, relay: Relay) -> Attempt:
    attempt = _timed(lambda: child.run(relay))
    refusal = read_refusal(child.argv, attempt.exit_status, relay.content(STDOUT), relay.content(STDERR))
    return replace(attempt, refusal=refusal)


def _timed(run: Callable[[], int]) -> Attempt:
    start = time.monotonic()
    status = run()
    return Attempt(exit_status=status, duration_ms=round((time.monotonic() - start) * 1000))


def _finished(run: Run, relay: Relay, obstacle: str | None) -> Run:
    stdout, stderr = relay.content(STDOUT), relay.content(STDERR)
    relay.deliver()
    return replace(run, stdout=stdout, stderr=stderr, not_retried=obstacle)
