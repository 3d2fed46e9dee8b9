"""Several processes that share circuits: the parent's side, and as a script the child's.

A child is told on standard input what to do and answers on standard output, one line each, so that the parent
decides about every order of events and nothing depends on pauses.
"""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from racehound.guard import (
    CircuitBreaker,
    CircuitOpen,
    PostgresBreakerStore,
    RedisBreakerStore,
    SqliteBreakerStore,
)
from racehound.guard.breaker.store import BreakerStore

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
    """Child processes, each with some threads, all on the store at one address."""

    def __init__(self, address: str, processes: int, threads: int) -> None:
        self.callers = processes * threads
        argv = [sys.executable, str(Path(__file__)), address, str(threads)]
        self._children = [
            subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for _ in range(processes)
        ]

    def herd(self) -> int:
        """How many callers reach the backend when all ask at once; none of them leaves it before all asked."""
        self._tell("herd")
        share = self.callers // len(self._children)
        reached = {child: self._lines(child, share).count("reached") for child in self._children}
        self._tell("leave")
        for child, number in reached.items():
            assert self._lines(child, number) == ["left"] * number
        return sum(reached.values())

    def count(self, failures: int) -> None:
        """Every thread records that many failures."""
        self._tell(f"count {failures}")
        for child in self._children:
            assert self._lines(child, 1) == ["counted"]

    def end(self) -> None:
        for child in self._children:
            child.communicate("end\n")

    def _tell(self, command: str) -> None:
        for child in self._children:
            assert child.stdin is not None
            child.stdin.write(command + "\n")
            child.stdin.flush()

    @staticmethod
    def _lines(child: "subprocess.Popen[str]", number: int) -> list[str]:
        assert child.stdout is not None
        return [child.stdout.readline().strip() for _ in range(number)]


@contextmanager
def crew(address: str, processes: int = 8, threads: int = 4) -> Iterator[Crew]:
    made = Crew(address, processes, threads)
    try:
        yield made
    finally:
        made.end()


class Child:
    def __init__(self, address: str, threads: int) -> None:
        self._store = store_at(address)
        self._breaker = breaker_on(self._store)
        self._threads = threads
        self._leave = threading.Event()

    def run(self, command: str) -> None:
        match command.split():
            case ["herd"]:
                self._leave = threading.Event()
                for _ in range(self._threads):
                    threading.Thread(target=self._ask, args=(self._leave,)).start()
            case ["leave"]:
                self._leave.set()
            case ["end"]:
                self._store.close()
            case ["count", number]:
                workers = [threading.Thread(target=self._fail, args=(int(number),)) for _ in range(self._threads)]
                for worker in workers:
                    worker.start()
                for worker in workers:
                    worker.join()
                say("counted")

    def _ask(self, leave: threading.Event) -> None:
        def backend() -> None:
            say("reached")
            leave.wait()
            raise OSError("still broken")

        try:
            self._breaker.guard(NAME)(backend)()
        except CircuitOpen:
            say("refused")
        except OSError:
            say("left")

    def _fail(self, number: int) -> None:
        for _ in range(number):
            self._breaker.record_failure(NAME)


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    child = Child(sys.argv[1], int(sys.argv[2]))
    for order in sys.stdin:
        child.run(order)
