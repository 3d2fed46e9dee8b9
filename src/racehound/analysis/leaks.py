"""Paths on which a function that takes a lock by hand does not give it back."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from racehound.analysis.branches import final_block, fork_at
from racehound.analysis.lock_attempts import attempts
from racehound.analysis.program import Program
from racehound.source.events import Acquire, Action, Call, Decision, Event, Exit, Flow, Pause, Release, Touch
from racehound.source.facts import FunctionFacts


class Leak(NamedTuple):
    function: FunctionFacts
    lock: int
    acquired: int
    """Index of the taking."""
    left: int
    """Where it is left with the lock, by `return` or `raise`; the release where an exception may come before."""
    is_exception: bool
    is_awaiting: bool = False
    """A task that waits meanwhile may be cancelled there."""
    may_fail: bool = False
    """Something is called meanwhile that is more than a look or a note in a container."""


_SURE = frozenset(
    {
        *("add", "append", "appendleft", "clear", "copy", "discard", "extend", "get", "items", "keys", "pop"),
        *("popleft", "put", "put_nowait", "setdefault", "update", "values"),
        *(
            "bool",
            "deque",
            "dict",
            "enumerate",
            "id",
            "isinstance",
            "len",
            "list",
            "max",
            "min",
            "range",
            "reversed",
        ),
        *("set", "sorted", "str", "super", "tuple", "zip"),
        *("acquire", "is_set", "locked", "notify", "notify_all", "release"),
        *("currentThread", "current_thread", "get_ident", "getpid", "monotonic", "perf_counter", "time"),
        *("debug", "error", "exception", "info", "log", "print", "warning"),
    }
)
"""What hardly ever raises: counts, notes in containers, clocks, messages."""

_DEPTH = 3
"""Steps of the program that are followed."""

_OURSELVES = frozenset({"currentThread", "current_thread", "current_task", "get_ident"})


class Leaks:
    def __init__(self, program: Program, function: FunctionFacts) -> None:
        self._function = function
        self._events: Sequence[Event] = function.events
        self._program = program
        self._taken = program.locksets.taken
        self._asked = {at for event in function.events if isinstance(event, Decision) for at in event.sources}
        """What decisions hang on: who asks whether he got the lock knows when to give it back."""
        self._attempts = attempts(function)
        self._kept = program.locksets.kept(function)
        self._acquired: dict[int, int] = {}
        self._returns: list[tuple[int, int]] = []
        self._raises: list[tuple[int, int]] = []
        self._rounds: list[tuple[int, int]] = []
        """Where the next round of a loop is begun early, with locks that were taken in this one."""
        self._loop = 0
        """Where the loop begins that is being looked at."""

    def find(self) -> Iterator[Leak]:
        """Nothing where no path gives the lock back, or where the last one keeps it, for then that is meant."""
        if not self._kept and not any(self._is_by_hand(index) for index in range(len(self._events))):
            return
        end = self._scan(0, len(self._events), 0, 0)
        released = self._released(0, len(self._events)) & ~self._entered()
        kept = end or 0
        if self._returns and end is None:
            kept = self._returns[-1][1]
        early = (*self._returns, *self._raises, *self._rounds)
        for index, held in early:
            for lock, acquired in self._acquired.items():
                if held & lock & released & ~kept and not self._is_stored(acquired, index):
                    yield Leak(self._function, lock, acquired, index, is_exception=False)
        if not any(held & released & ~kept for _, held in early):
            yield from self._exceptions(released & ~kept)

    def _is_stored(self, acquired: int, left: int) -> bool:
        """True for `self.lock = lock` before the function is left: whoever has the object gives it back."""
        taken = self._events[acquired]
        place = taken.value.place if isinstance(taken, Acquire) else None
        return place is not None and any(
            isinstance(event, Touch)
            and event.action is Action.WRITE
            and any(item.place == place for item in event.values)
            for event in self._events[acquired:left]
        )

    def _entered(self) -> int:
        """Locks that a `with` takes, too: it gives them back, whatever is done by hand inside."""
        found = 0
        for index, event in enumerate(self._events):
            if isinstance(event, Acquire) and not self._is_by_hand(index):
                found |= self._taken(self._function, event.value)
        return found

    def _is_by_hand(self, index: int) -> bool:
        """True for `lock.acquire()` that cannot fail, and for one that is the test of an `if` itself.

        A `with` gives back by itself.
        """
        call = self._events[index - 1] if index else None
        if not isinstance(self._events[index], Acquire) or not isinstance(call, Call):
            return False
        if index in self._attempts:
            return True
        if index - 1 in self._asked:
            return False
        return call.method == "acquire" and not call.arguments and not call.keywords

    def _scan(self, start: int, end: int, held: int, finals: int) -> int | None:
        """The locks that may be held at the end; None where no path gets there."""
        index = start
        state: int | None = held
        while index < end and state is not None:
            event = self._events[index]
            if index in self._kept:
                state = self._helped(index, state)
            elif isinstance(event, Acquire) and self._is_by_hand(index):
                lock = self._taken(self._function, event.value)
                self._acquired.setdefault(lock, index)
                state |= lock
            elif isinstance(event, Release):
                state &= ~self._taken(self._function, event.value)
            elif isinstance(event, Exit):
                self._leave(event, index, state & ~finals)
                return None
            elif event is Flow.FORK:
                state, index = self._forked(index, state, finals)
            elif event is Flow.TRY:
                state, index = self._protected(index, state, finals)
            index += 1
        return state

    def _leave(self, event: Exit, index: int, held: int) -> None:
        if event.kind == "return":
            self._returns.append((index, held))
        elif event.kind == "raise" and not self._is_caught(index):
            self._raises.append((index, held))
        elif event.kind == "continue":
            self._rounds.append((index, held & self._taken_in_round()))

    def _forked(self, start: int, held: int, finals: int) -> tuple[int | None, int]:
        fork, outer = fork_at(self._events, start), self._loop
        if self._events[start + 1] is Flow.LOOP:
            self._loop = start
        state = _joined([self._scan(*branch, held, finals) for branch in fork.branches])
        self._loop = outer
        return state, fork.join

    def _taken_in_round(self) -> int:
        found = 0
        for lock, acquired in self._acquired.items():
            found |= lock if acquired > self._loop else 0
        return found

    def _helped(self, index: int, state: int) -> int:
        """After a helper that returns with the lock, or gives it back."""
        taken, given = self._kept[index]
        if taken:
            self._acquired.setdefault(taken, index)
        return (state | taken) & ~given

    def _is_caught(self, index: int) -> bool:
        """True if a handler of the function itself may take what is raised there, and give the lock back."""
        return any(item.begin <= index < item.end and item.handlers for item in self._function.attempts)

    def _protected(self, start: int, held: int, finals: int) -> tuple[int | None, int]:
        last, end = final_block(self._events, start)
        state = self._scan(start + 1, last, held, finals | self._released(last, end))
        if state is None:
            return None, end
        return self._scan(last + 1, end, state, finals), end

    def _released(self, start: int, end: int) -> int:
        found = 0
        for index in range(start, end):
            found |= self._given_back(index)
        return found

    def _given_back(self, index: int) -> int:
        """The lock that is released there; where it was not to be had, there is none to release."""
        event = self._events[index]
        if index in self._kept:
            return self._kept[index][1]
        if not isinstance(event, Release) or any(event.span == item.span for item in self._attempts.values()):
            return 0
        return self._taken(self._function, event.value)

    def _exceptions(self, locks: int) -> Iterator[Leak]:
        """Calls between the taking and the release, with no `finally` for the release."""
        for lock, start in self._acquired.items():
            called = awaiting = may_fail = False
            refused = self._attempts[start].refused if start in self._attempts else range(0)
            for index in range(start + 1, len(self._events)):
                event = self._events[index]
                if index in refused:
                    continue
                if event is Flow.TRY or event is Flow.FINALLY or not locks & lock:
                    break
                if self._given_back(index) & lock:
                    if called:
                        yield Leak(self._function, lock, start, index, True, awaiting, may_fail)
                    break
                awaiting = awaiting or (called and isinstance(event, Pause) and not event.yields)
                called = called or (isinstance(event, Call) and event.method not in {"release", "acquire"})
                may_fail = may_fail or (isinstance(event, Call) and self._may_raise(self._function, event))

    def _may_raise(self, function: FunctionFacts, call: Call, depth: int = _DEPTH) -> bool:
        """True for a call of which nothing says that it comes back: not a plain step of the program itself."""
        if call.method in _SURE or _takes_itself_out(call):
            return False
        target = self._program.calls.target(function, call)
        return (
            not depth
            or target is None
            or any(
                (isinstance(event, Exit) and event.kind == "raise")
                or (isinstance(event, Call) and self._may_raise(target, event, depth - 1))
                for event in target.events
            )
        )


def _takes_itself_out(call: Call) -> bool:
    """True for `threads.remove(current_thread())`: whoever notes itself there takes the note out once."""
    return call.method == "remove" and any(value.name in _OURSELVES for value in call.arguments)


def _joined(ends: list[int | None]) -> int | None:
    going = [end for end in ends if end is not None]
    if not going:
        return None
    held = 0
    for end in going:
        held |= end
    return held
