"""Paths on which a function that takes a lock by hand does not give it back."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from racehound.analysis.flow.branches import final_block, fork_at
from racehound.analysis.flow.failing_steps import may_raise
from racehound.analysis.locking.given_back import is_given_back_by_others
from racehound.analysis.locking.half_kept import is_left_on_one_way
from racehound.analysis.locking.lock_attempts import attempts
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
                if not held & lock & released & ~kept or self._is_stored(acquired, index):
                    continue
                if not is_given_back_by_others(self._program, self._function, acquired):
                    yield Leak(self._function, lock, acquired, index, is_exception=False)
        if not any(held & released & ~kept for _, held in early):
            yield from self._exceptions(released & ~kept)
        yield from self._left_at_end(released & kept)

    def _left_at_end(self, locks: int) -> Iterator[Leak]:
        for lock, acquired in self._acquired.items():
            if locks & lock and is_left_on_one_way(self._program, self._function, acquired):
                yield Leak(self._function, lock, acquired, acquired, is_exception=False)

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
        for lock, start in self._acquired.items():
            leak = self._exception(lock, start) if locks & lock else None
            if leak is not None:
                yield leak

    def _exception(self, lock: int, start: int) -> Leak | None:
        """Steps between the taking and the release, with no `finally` for the release, or one that begins late."""
        called = awaiting = may_fail = False
        refused = self._attempts[start].refused if start in self._attempts else range(0)
        for index in range(start + 1, len(self._events)):
            event = self._events[index]
            if index in refused or not self._program.awaits.paths(self._function).reaches(start, index):
                continue
            if event is Flow.TRY:
                late = self._released_at_last(index, lock) if may_fail else None
                return None if late is None else Leak(self._function, lock, start, late, True, awaiting, may_fail)
            if event is Flow.FINALLY:
                return None
            if self._given_back(index) & lock:
                return Leak(self._function, lock, start, index, True, awaiting, may_fail) if called else None
            fails = self._is_entered_by_others(event) or (
                may_raise(self._program, self._function, event) and not self._is_own_wait(event, lock)
            )
            awaiting = awaiting or (called and isinstance(event, Pause) and not event.yields)
            called = called or fails or (isinstance(event, Call) and event.method not in {"release", "acquire"})
            may_fail = may_fail or fails
        return None

    def _is_own_wait(self, event: Event, lock: int) -> bool:
        """True for `condition.wait()` on the lock itself: it comes back with the lock, as a rule."""
        if not isinstance(event, Call) or event.method != "wait" or event.receiver is None:
            return False
        return bool(self._taken(self._function, event.receiver) & lock)

    def _released_at_last(self, start: int, lock: int) -> int | None:
        """Where the `finally` of the TRY at `start` gives the lock back, and none around it does."""
        last, end = final_block(self._events, start)
        released = (index for index in range(last, end) if self._given_back(index) & lock)
        around = any(self._given_back(index) & lock for index in range(end, len(self._events)))
        return None if around else next(released, None)

    def _is_entered_by_others(self, event: Event) -> bool:
        """True where a context manager stands still: whatever the block inside raises comes out there."""
        return isinstance(event, Pause) and event.yields and self._function.is_context_manager


def _joined(ends: list[int | None]) -> int | None:
    going = [end for end in ends if end is not None]
    if not going:
        return None
    held = 0
    for end in going:
        held |= end
    return held
