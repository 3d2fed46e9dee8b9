import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, ParamSpec, TypeVar, Unpack

from racehound.guard.breaker.circuit import Circuit
from racehound.guard.breaker.events import Announcer, Listener
from racehound.guard.breaker.fork import renew_locks_after_fork
from racehound.guard.breaker.keeper import Clock, Keeper, LocalKeeper
from racehound.guard.breaker.period import State
from racehound.guard.breaker.permit import Permit
from racehound.guard.breaker.settings import CommonOptions, Options, Settings
from racehound.guard.breaker.snapshot import Snapshot
from racehound.guard.breaker.wrappers import wrap

if TYPE_CHECKING:
    from racehound.guard.breaker.store import BreakerStore

P = ParamSpec("P")
R = TypeVar("R")


class CircuitBreaker:
    """Circuits by name: a name that fails too often is not called for a while.

    What is guaranteed, and how. Every circuit has one current period, a frozen value in one attribute.
    It is replaced as a whole, under a `threading.Lock` that belongs to that circuit alone; reading it
    takes no lock. Therefore

    * concurrent `record_failure` calls are all counted: `failures` is exact, for any number of threads;
    * concurrent `record_success`, `record_failure` and `reset` give the result of some serial order;
      whether a name is open and how often it failed are parts of one value and cannot disagree;
    * in half-open no more than `half_open_probes` calls are admitted, however many ask at once;
    * the result of a call counts only in the period that admitted it.

    No lock is held while a guarded function, a predicate, a listener or the clock runs, and none is ever
    taken while another is held: the breaker cannot deadlock and does not serialise the calls it guards.
    Threads, asyncio tasks and forked children may use the same object. With a `store` the period is
    shared by processes or hosts, and the same holds for all of them together; while the store is down
    each process goes on alone, and says so by an event.

    Args:
        failure_threshold: failures in a row that open a circuit; 3 unless a `window` decides.
        clock: monotonic seconds.
        listeners: called with each `BreakerEvent`, after all locks are released.
        store: where circuits are shared; None keeps them in this process.
        per_name: settings for single names, in place of the common ones.
        options: see `Settings`: `open_seconds`, `half_open_probes`, `window` and so on.
    """

    def __init__(
        self,
        failure_threshold: int | None = None,
        *,
        clock: Clock = time.monotonic,
        listeners: Iterable[Listener] = (),
        store: "BreakerStore | None" = None,
        per_name: Mapping[str, Settings] | None = None,
        **options: Unpack[CommonOptions],
    ) -> None:
        self.settings = Settings(failure_threshold=failure_threshold, **options)
        self._lock = threading.Lock()
        self._circuits: dict[str, Circuit] = {}
        self._per_name = dict(per_name or {})
        self._clock = clock
        self._announcer = Announcer(listeners)
        self._store = store
        renew_locks_after_fork(self)

    def configure(self, name: str, **options: Unpack[Options]) -> None:
        """Give one name settings of its own: the common ones, with these changes. Before its first use."""
        settings = replace(self.settings, **options)
        with self._lock:
            if name in self._circuits:
                raise ValueError(f"circuit {name!r} is in use: configure it before its first call")
            self._per_name[name] = settings

    def record_failure(self, name: str, error: object = None) -> None:
        """Count a failure, and open the circuit where that was one too many.

        While the circuit admits nobody the failure is counted and changes nothing else.
        """
        self.circuit(name).record_failure(error)

    def record_success(self, name: str) -> None:
        """End the streak of failures; in half-open, count as a probe that succeeded.

        While the circuit admits nobody the success can only be stale, and is ignored.
        """
        self.circuit(name).record_success()

    def is_open(self, name: str) -> bool:
        """Whether a call would be refused now. Changes nothing and admits nobody: to call, ask `allow`."""
        return self.circuit(name).is_open()

    def failures(self, name: str) -> int:
        """The exact number of failures since the last success that counted, or the last reset."""
        return self.circuit(name).keeper.current().failures

    def reset(self, name: str) -> None:
        """Close the circuit and forget its failures. Calls under way belong to the past, and count no more."""
        self.circuit(name).force(State.CLOSED)

    def reset_all(self) -> None:
        for name in self.names():
            self.reset(name)

    def force_open(self, name: str) -> None:
        """Refuse every call until `reset`."""
        self.circuit(name).force(State.FORCED_OPEN)

    def disable(self, name: str) -> None:
        """Admit every call and count nothing until `reset`."""
        self.circuit(name).force(State.DISABLED)

    def only_measure(self, name: str) -> None:
        """Count, but admit every call until `reset`."""
        self.circuit(name).force(State.METRICS_ONLY)

    def allow(self, name: str) -> Permit | None:
        """A permit to make one call, or None. Whoever gets one must say how the call ended."""
        circuit = self.circuit(name)
        admission = circuit.try_admit()
        return None if admission is None else Permit(circuit, admission)

    def permit(self, name: str) -> Permit:
        """For `with` and `async with`: asks on entry, raises `CircuitOpen` where refused."""
        return Permit(self.circuit(name))

    def guard(self, name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Decorate a function or coroutine function; a call that is refused raises `CircuitOpen`."""
        circuit = self.circuit(name)
        return lambda function: wrap(circuit, function)

    def snapshot(self, name: str) -> Snapshot:
        return self.circuit(name).snapshot()

    def names(self) -> list[str]:
        """The names used so far, in alphabetical order."""
        with self._lock:
            return sorted(self._circuits)

    def circuit(self, name: str) -> Circuit:
        """The circuit of that name: always the same object, however many threads ask first."""
        found = self._circuits.get(name)
        if found is not None:
            return found
        made = self._made(name)  # outside the lock, because it reads the clock
        with self._lock:
            return self._circuits.setdefault(name, made)

    def _made(self, name: str) -> Circuit:
        settings = self._per_name.get(name, self.settings)
        keeper: Keeper = LocalKeeper(name, settings, self._clock, self._announcer)
        if self._store is not None:
            from racehound.guard.breaker.shared import SharedKeeper  # noqa: PLC0415 - most never share

            keeper = SharedKeeper(self._store, keeper.local, self._announcer)
        return Circuit(keeper, self._announcer)

    def renew_locks(self) -> None:
        """For a forked child."""
        self._lock = threading.Lock()
        for circuit in self._circuits.values():
            circuit.keeper.renew_locks()
