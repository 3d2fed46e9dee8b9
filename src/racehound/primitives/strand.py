"""What a task of the engine has to do on an event loop."""

import asyncio
from asyncio import events
from collections import deque
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution, Task
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.engine.spin import CLOCK, lets_others_go, state_of_coroutine, state_of_sleeper, written_by
from racehound.primitives.asyncio_futures import touch

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

STOP: Final = "stop"
LEAVE: Final = "leave"
"""Parts of a loop: that it was told to stop, and that it has."""
EVER: Final = -1.0
"""The time at which something is due that is due at any time."""
ROUNDS: Final = 2
"""How often a sleeper comes back to where it was before it is left to sleep."""
LONG_BEFORE: Final = 1.0
"""Seconds by which no event loop is expected to be late."""


NOTHING: Final = 0
"""The number of no registration."""


class Registration(NamedTuple):
    """What is to be done in a turn to come."""

    handle: events.Handle
    due: float
    """The time before which that turn must not begin."""
    tick: int
    after: int = NOTHING
    """The registration of a callback of the program that comes first."""


def first_given(handle: events.Handle) -> object:
    """What a callback is to be called with; a future calls its own with itself."""
    return next(iter(handle._args or ()), None)  # noqa: SLF001 - no other way to know


class Admission(Protocol):
    """What a strand asks of its loop."""

    execution: Execution

    def tick(self) -> int:
        """The number of the next registration."""
        ...

    def admits(self, due: float, tick: int) -> bool:
        """Whether a turn that was registered at `tick` and must not begin before `due` may begin now."""
        ...

    def has_called_back(self, tick: int) -> bool:
        """Whether the callback that the program registered then has been called, or never will be."""
        ...

    def note_calling_back(self) -> None:
        """Say that the turn that is going on hangs on what callbacks have been called."""
        ...

    def has_slept_enough(self, strand: "Strand") -> bool:
        """Whether a strand has gone round a loop with sleeps while others could have gone on."""
        ...

    def strands(self) -> "Iterable[Strand]":
        """All that the loop has ever had."""
        ...


class Strand:
    """What a task of the engine has to do on the loop."""

    def __init__(
        self,
        loop: Admission,
        task: Task,
        owner: "asyncio.Task[Any] | None" = None,
        *,
        maker: "Strand | None" = None,
    ) -> None:
        self._loop = loop
        self.task = task
        self.owner = owner
        self.maker = maker  # in whose turn it came about
        self.once = False
        self.site = CONTROL.site
        if owner is not None:
            task.state = lambda: state_of_coroutine(owner.get_coro())
        self._handles: deque[Registration] = deque()
        self.acted = False
        """Whether it has done something in its turn that is no operation on a value: woken or started others."""
        self._rounds = 0
        self._last_round: Hashable | None = None
        self._has_begun = False
        self._first: list[Strand] = []
        self._called_soon = NOTHING
        self.expect()

    def add(self, handle: events.Handle, due: float, after: int = NOTHING) -> None:
        touch(self)
        self._handles.append(Registration(handle, due, self._loop.tick(), max(after, self._called_soon)))

    def starts(self, other: "Strand") -> None:
        """It has made another task in its turn, which has its first one before this has its next."""
        self._first.append(other)

    def calls_soon(self, tick: int) -> None:
        """It has registered a callback in its turn, likewise."""
        self._called_soon = tick

    def hurry(self) -> None:
        """It is not to wait for its time any more, and will not go round its loop again."""
        if self.task.spin is not None:
            self.task.spin.forget()
        self._handles = deque(item._replace(due=EVER) for item in self._handles)

    def last_given(self, future: object) -> int:
        """The last registration of something that is still to be called with this future."""
        return next((item.tick for item in reversed(self._handles) if first_given(item.handle) is future), NOTHING)

    def is_beyond(self, tick: int) -> bool:
        """Whether nothing that was registered until then is left to do."""
        return not self.has_work() or self._handles[0].tick > tick

    def expect(self) -> None:
        """Publish the next turn, whatever it will be."""
        execution = self._loop.execution
        effects = (
            Effect(execution.number(self), WHOLE, writes=True),
            Effect(execution.number(self._loop), STOP, writes=False),
            Effect(execution.number(self._loop), LEAVE, writes=False),
            *(Effect(execution.number(other), WHOLE, writes=False) for other in self._first),
        )
        done = self.task.pending.inner
        label = done[-1].label if done else ""  # what it has used last is what it waits for
        turn = Operation(Kind.AWAIT, effects, site=self.site, label=label, ready=self.is_ready)
        turn.late = True
        self.task.pending = turn

    def handles(self) -> "Iterable[events.Handle]":
        """What it has to do, one after the other."""
        return (item.handle for item in self._handles)

    def has_work(self) -> bool:
        while self._handles and self._handles[0].handle.cancelled():
            self._handles.popleft()
        return bool(self._handles)

    def is_ready(self) -> bool:
        if not self.has_work():
            return False
        _, due, tick, after = self._handles[0]
        if after != NOTHING and not self._loop.has_called_back(after):
            return False
        if any(other.is_yet_to_begin() for other in self._first):
            return False
        return self._loop.admits(due, tick) and not (due > EVER and self._loop.has_slept_enough(self))

    def is_yet_to_begin(self) -> bool:
        return not self._has_begun and not self.task.done and self.has_work()

    def goes_round(self, turn: Operation | None) -> bool:
        """Whether it sleeps in a loop in which it only looks at things, as it did in the rounds before.

        What reads the clock may see another time in the next one.
        """
        if turn is None or self.owner is None or not self.has_work() or not self._is_at_sleep(self.owner):
            return False
        reads_clock = any(part.label == CLOCK for part in turn.parts)
        is_quiet = not (self.acted or reads_clock or written_by(turn))
        state = state_of_sleeper(self.owner.get_coro()) if is_quiet else None
        self._rounds = self._rounds + 1 if state is not None and state == self._last_round else 0
        self._last_round = state
        return self._rounds >= ROUNDS

    def _is_at_sleep(self, owner: "asyncio.Task[Any]") -> bool:
        """Whether it waits for its time, or for nothing; who is not to wait any more goes round no loop."""
        return self._handles[0].due > EVER or lets_others_go(owner.get_coro())

    @property
    def gets_nowhere(self) -> bool:
        """Whether it goes round a loop until somebody else changes something."""
        return self.task.spin is not None and self.task.spin.is_idle

    def take(self) -> tuple[events.Handle, float]:
        item = self._handles.popleft()
        if item.after != NOTHING:
            self._loop.note_calling_back()
        self._has_begun = True
        self._first, self._called_soon = [], NOTHING
        return item.handle, item.due

    def is_made_by(self, other: "Strand") -> bool:
        """Whether it came about in a turn of the other, or of one that did."""
        maker = self.maker
        while maker is not None and maker is not other:
            maker = maker.maker
        return maker is not None

    def goes_on_long_before(self, when: float) -> bool:
        """Whether its next turn does not have to wait for anything until shortly before that time."""
        if self.task.done or not self.has_work():
            return False
        return max(self._loop.execution.now, self._handles[0].due) + LONG_BEFORE <= when


class Alarm(Strand):
    """A callback that the program wants at a certain time.

    An event loop calls them in the order of their times, however late it is. Which of two times is earlier is
    certain if both were set in one turn, or if the one that was set first had less time to wait as well.

    Who has set it and what that has started go on first where its time is still far off: code that cancels a
    callback long before it is due means that there is time enough, as with a timeout.
    """

    def __init__(
        self, loop: Admission, task: Task, timer: events.TimerHandle, turn: int, maker: Strand | None
    ) -> None:
        self.when = timer.when()
        self.wait = self.when - loop.execution.now
        self.turn = turn
        self._after: list[Alarm] = []
        super().__init__(loop, task, maker=maker)
        self.once = True
        self.add(timer, self.when)

    def line_up_with(self, earlier: "Alarm") -> None:
        """Say who comes first, it or one that was set before, if that is certain."""
        if earlier.turn == self.turn and self.when < earlier.when:
            earlier.come_after(self)
        elif self.when > earlier.when and (earlier.turn == self.turn or self.wait > earlier.wait):
            self.come_after(earlier)

    def come_after(self, other: "Alarm") -> None:
        """Do not go off before the other has, unless that is cancelled."""
        self._after.append(other)
        self.expect()

    def expect(self) -> None:
        super().expect()
        number = self._loop.execution.number
        before = (*self._after, *self._makers())
        self.task.pending.effects += tuple(Effect(number(strand), WHOLE, writes=False) for strand in before)

    def is_ready(self) -> bool:
        return self._is_next() and not self._is_far_off()

    def arm(self, *, idle: bool) -> None:
        """Where it is far off, its time comes when nobody else can go on."""
        self.expect()  # who it waits for may have started others
        if idle and self._is_next() and self._is_far_off():
            self.task.pending.deadline = self.when

    def _is_next(self) -> bool:
        return super().is_ready() and not any(alarm.has_work() for alarm in self._after)

    def _is_far_off(self) -> bool:
        if self.maker is None or self.maker.task.done:
            return False
        return any(strand.goes_on_long_before(self.when) for strand in self._makers())

    def _makers(self) -> "list[Strand]":
        """Who has set it, and what that has started."""
        if self.maker is None:
            return []
        started = (strand for strand in self._loop.strands() if strand.is_made_by(self.maker))
        return [self.maker, *(strand for strand in started if not isinstance(strand, Alarm))]


class Timeouts(Strand):
    """Goes off when nobody else can go on."""

    def __init__(self, loop: Admission, task: Task) -> None:
        self._timers: list[events.TimerHandle] = []
        super().__init__(loop, task)

    def add_timer(self, timer: events.TimerHandle) -> None:
        touch(self)
        self._timers.append(timer)

    def forget(self, timer: events.TimerHandle) -> None:
        if timer in self._timers:
            touch(self)
            self._timers.remove(timer)

    def earliest(self) -> float | None:
        return min((timer.when() for timer in self._timers), default=None)

    def arm(self, *, idle: bool) -> None:
        """It can go off only while nobody has a turn on the loop."""
        self.task.pending.deadline = self.earliest() if idle else None

    def is_ready(self) -> bool:
        return False

    def take(self) -> tuple[events.Handle, float]:
        timer = min(self._timers, key=lambda item: item.when())
        self._timers.remove(timer)
        return timer, timer.when()
