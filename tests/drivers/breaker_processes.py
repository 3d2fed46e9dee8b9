"""Several processes that share circuits: the parent's side, and as a script the child's.

A child is told on standard input what to do and answers on standard output, one line each, so that the parent
decides about every order of events and nothing depends on pauses.
"""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol

from drivers.breaker import PATIENCE, Broken, Refused, together
from racehound.guard import (
    CircuitBreaker,
    CircuitOpen,
    PostgresBreakerStore,
    RedisBreakerStore,
    SqliteBreakerStore,
)
from racehound.guard.breaker.store import BreakerStore

TESTS = Path(__file__).resolve().parents[1]
NAME = "backend"
OPEN_SECONDS = 300.0
THRESHOLD = 3


def store_at(address: str, refresh_seconds: float = 0.0) -> BreakerStore:
    if address.startswith(("redis:", "unix:")):
        return RedisBreakerStore(address, timeout=5.0, refresh_seconds=refresh_seconds)
    if address.startswith("postgresql:"):
        return PostgresBreakerStore(address, timeout=10.0, refresh_seconds=refresh_seconds)
    return SqliteBreakerStore(address, refresh_seconds=refresh_seconds)


def breaker_on(store: BreakerStore) -> CircuitBreaker:
    return CircuitBreaker(THRESHOLD, open_seconds=OPEN_SECONDS, store=store)


def break_open(store: BreakerStore) -> None:
    """Trip the circuit, then let its open time be over by the store's own clock."""
    breaker = breaker_on(store)
    breaker.reset(NAME)
    for _ in range(THRESHOLD):
        breaker.record_failure(NAME)
    assert breaker.is_open(NAME)
    expire(store)


def expire(store: BreakerStore) -> None:
    store.change(NAME, lambda period, now: (period.but(until=now - 1), None))


class Crew:
    """Child processes with some threads each; `argv` starts one."""

    def __init__(self, argv: list[str], processes: int, threads: int) -> None:
        self._threads = threads
        pipe = subprocess.PIPE
        self._children = [
            subprocess.Popen([*argv, str(threads)], stdin=pipe, stdout=pipe, text=True, cwd=TESTS)
            for _ in range(processes)
        ]

    def herd(self) -> int:
        """How many callers reach the backend when all ask at once; none of them leaves it before all asked."""
        self._tell("herd")
        said = {child: self._answers_of_all(child) for child in self._children}
        self._tell("leave")
        for child, lines in said.items():
            while lines.count("left") < lines.count("reached"):
                lines.extend(self._lines(child, 1))
        return sum(lines.count("reached") for lines in said.values())

    def _answers_of_all(self, child: "subprocess.Popen[str]") -> list[str]:
        said: list[str] = []
        while len(said) - said.count("left") < self._threads:
            said += self._lines(child, 1)
        return said

    def count(self, failures: int) -> None:
        """Every thread makes that many calls that fail."""
        self._tell(f"count {failures}")
        for child in self._children:
            assert self._lines(child, 1) == ["counted"]

    def total(self) -> int:
        """The failures that the shared circuit has counted."""
        self._tell("total")
        totals = {int(self._lines(child, 1)[0]) for child in self._children}
        return min(totals)

    def end(self) -> None:
        for child in self._children:
            child.communicate()

    def _tell(self, command: str) -> None:
        for child in self._children:
            assert child.stdin is not None
            child.stdin.write(command + "\n")
            child.stdin.flush()

    @staticmethod
    def _lines(child: "subprocess.Popen[str]", number: int) -> list[str]:
        assert child.stdout is not None
        lines = [child.stdout.readline().strip() for _ in range(number)]
        assert all(lines), "a child has ended"
        return lines


@contextmanager
def crew(argv: list[str], processes: int = 8, threads: int = 4) -> Iterator[Crew]:
    made = Crew(argv, processes, threads)
    try:
        yield made
    finally:
        made.end()


def our_child(address: str) -> list[str]:
    return [sys.executable, "-m", "drivers.breaker_processes", address]


class SharedCircuit(Protocol):
    def call(self, function: Callable[[], None]) -> None:
        """Make a guarded call; raises `Refused` where the circuit does not admit it."""

    def record_failure(self) -> None: ...
    def failures(self) -> int: ...


class OurSharedCircuit:
    def __init__(self, store: BreakerStore) -> None:
        self._breaker = breaker_on(store)

    def call(self, function: Callable[[], None]) -> None:
        try:
            self._breaker.guard(NAME)(function)()
        except CircuitOpen as error:
            raise Refused from error

    def record_failure(self) -> None:
        self._breaker.record_failure(NAME)

    def failures(self) -> int:
        return self._breaker.failures(NAME)


class Child:
    """Does what it is told on standard input, with a circuit of whatever library."""

    def __init__(self, circuit: SharedCircuit, threads: int, patience: float = PATIENCE) -> None:
        self._circuit = circuit
        self._patience = patience  # whoever is in the backend leaves it then, in case calls are serialised
        self._threads = threads
        self._leave = threading.Event()

    def serve(self) -> None:
        for order in sys.stdin:
            self.run(order)

    def run(self, order: str) -> None:
        match order.split():
            case ["herd"]:
                self._leave = threading.Event()
                for _ in range(self._threads):
                    threading.Thread(target=self._ask, args=(self._leave,)).start()
            case ["leave"]:
                self._leave.set()
            case ["count", number]:
                together(*[partial(self._fail, int(number))] * self._threads)
                say("counted")
            case ["total"]:
                say(str(self._circuit.failures()))

    def _ask(self, leave: threading.Event) -> None:
        def backend() -> None:
            say("reached")
            leave.wait(self._patience)
            raise Broken

        try:
            self._circuit.call(backend)
        except Refused:
            say("refused")
        except Broken:
            say("left")

    def _fail(self, number: int) -> None:
        for _ in range(number):
            self._circuit.record_failure()


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    with closing(store_at(sys.argv[1])) as store:
        Child(OurSharedCircuit(store), int(sys.argv[2])).serve()
