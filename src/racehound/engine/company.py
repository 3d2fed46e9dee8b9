"""The tasks of an execution that are not done: who could go on, and whether it is over."""

from collections.abc import Callable, Iterator

from racehound.engine.control import CONTROL
from racehound.engine.operation import WHOLE, Effect, Kind, ObjectId
from racehound.engine.spin import SLEEP
from racehound.engine.trace import Ending, Task
from racehound.model.schedule import TaskId

TIMED_WAIT = "a timeout or a timer was let go off only when nobody else could go on"
AFTERWARDS = 200
"""Steps that daemons may make when everybody else is done."""
MOST_NAPS = 3
"""How often a task in the background may sleep and wake up again before it is for others to go on, or all over."""
TIMED_AGAIN = "a wait with a timeout that is made again and again was let end in vain a few times only"
AGAIN = 3
AT_LAST = 3
"""Rounds that a task in the background may have when all others are done, to work off what they have left."""
FEW_ROUNDS = "a task in the background was let have a few rounds only while others were at work"
EVERY_ROUND = "a task in the background does something in every round, and was let have a few rounds only"
OTHERS_FIRST = "a task that sleeps again and again was not let go on for ever while others could"
UNFINISHED = "a background task could still have gone on when the others were done"
ENDLESS = "a background task goes on for ever, and what differs by how far it came is not compared"


def opening_of(number_of: Callable[[tuple[str, ...]], ObjectId], *, writes: bool = False) -> Effect:
    """What the end of an opening does, and all who wait for it look at."""
    return Effect(number_of(("opening",)), WHOLE, writes)


class Company(list[Task]):
    """In the order of their numbers.

    What weakens the verdict is added to `caveats`; where it is impatient, waits with a timeout expire at any time.
    """

    def __init__(self, caveats: set[str], *, impatient: bool) -> None:
        super().__init__()
        self._caveats = caveats
        self._impatient = impatient
        self._is_asking = False
        self._rounds = 0  # steps that daemons have made since nobody else is left
        self.opening: Task | None = None
        """Who sets the scene, as long as it does."""
        self.needed = 0
        """How many have to end before the execution is over."""
        self.at_end: list[Callable[[], None]] = []
        """What is to be done then."""

    def enter(self, task: Task) -> None:
        self.append(task)
        self.needed += not (task.daemon or task.serves)

    def leave(self, task: Task) -> None:
        task.done = True
        self.remove(task)
        self.needed -= not (task.daemon or task.serves)

    # -- who else is there -------------------------------------------------------------------------

    def left_by(self, host: Task) -> list[Task]:
        """The strands that end with a thread: its own, and with the last one those that nobody has taken up."""
        if all(task.host is not None for task in self):
            return list(self)
        return [task for task in self if task.host == host.id and not task.adrift]

    def first(self) -> Task:
        """The one with the lowest number of those that have a thread."""
        return next(task for task in self if not task.adrift)

    def has_rivals_of(self, strand: Task) -> bool:
        """Whether other threads are there than the one that carries the strand."""
        return any(task.carrier is not strand.carrier for task in self)

    def is_busy_beside(self, host: TaskId) -> bool:
        """Whether a task could go on that is neither this one nor a strand of it."""
        return any(_can_go_on(task) for task in self if host not in (task.id, task.host))

    def is_busy_beyond(self, count: int) -> bool:
        """Whether a task could go on that is not among the first ones."""
        return any(_can_go_on(task) for task in self if task.id >= count)

    def may_wake_up_beyond(self, count: int) -> bool:
        """Whether time may be up for a task that dozes in the background."""
        return any(task.id >= count and _dozes(task) and self._may_wake_up(task) for task in self)

    def let_sleep(self) -> bool:
        """Whether nobody could go on but those who sleep; not for who only waits for the background to rest."""
        if self._is_asking:
            return False
        self._is_asking = True
        try:
            return not any(_can_go_on(task) for task in self if task.pending.label != SLEEP)
        finally:
            self._is_asking = False

    def next_effects_beside(self, task: TaskId) -> list[Effect]:
        """All of the objects to which the next steps of the others do something."""
        others = (other.pending for other in self if other.id != task)
        return [Effect(effect.subject, WHOLE, writes=True) for other in others for effect in other.effects]

    def idle(self) -> Iterator[Task]:
        """Those who look in vain."""
        return filter(_looks_in_vain, self)

    def may_begin(self) -> bool:
        """Whether what was started while the scene was set need not wait for the rest of that."""
        return self.opening is None or not self.opening.pending.ready()

    # -- whether it is over ------------------------------------------------------------------------

    def end_among(self, runnable: list[TaskId], reluctant: list[Task]) -> Ending | None:
        """How it ends here; if it does not, those who go on reluctantly may have become runnable."""
        if not self.needed and self._is_over():
            return Ending.COMPLETE
        if runnable and not reluctant:
            return None
        return self._persuaded(runnable, reluctant)

    def _persuaded(self, runnable: list[TaskId], reluctant: list[Task]) -> Ending | None:
        dozing = [task for task in reluctant if _dozes(task)]
        runnable += [task.id for task in dozing if self._may_wake_up(task)]
        timed = [task for task in reluctant if task.pending.deadline is not None and task not in dozing]
        if self._impatient:
            runnable += [task.id for task in timed if task.expired < AGAIN]
            if any(task.expired >= AGAIN for task in timed):
                self._caveats.add(TIMED_AGAIN)
        elif timed and len(self) > 1:
            self._caveats.add(TIMED_WAIT)
        if not runnable:
            runnable += _earliest(timed + [task for task in dozing if not _looks_in_vain(task)])
        if runnable:
            return None
        return Ending.LIVELOCK if len(timed) + len(dozing) < len(reluctant) else Ending.DEADLOCK

    def _may_wake_up(self, task: Task) -> bool:
        """Whether time may be up for a task that dozes, as it may at any moment, but not for ever."""
        if _looks_in_vain(task):
            return False
        most = CONTROL.rounds if self.needed else CONTROL.rounds + AT_LAST
        if task.naps >= most:
            self._caveats.add(FEW_ROUNDS if self.needed else EVERY_ROUND)
        return task.naps < most

    def _is_over(self) -> bool:
        """Only background tasks are left: daemons, and those that wait for work that nobody will give them.

        Daemons go on until they have to wait, too, unless that takes them long, or they sleep again and again.
        """
        if any(not (task.daemon or task.is_idle) for task in self):
            return False
        able = [task for task in self if _can_go_on(task)]
        self._rounds += 1
        is_busy = any(not _only_sleeps(task) for task in able) or self.may_wake_up_beyond(0)
        if self._rounds <= AFTERWARDS and is_busy:
            return False
        if able:
            self._caveats.add(UNFINISHED)
        return True


def _only_sleeps(task: Task) -> bool:
    return task.pending.kind is Kind.YIELD and (task.pending.label != SLEEP or task.naps >= MOST_NAPS)


def _dozes(task: Task) -> bool:
    return task.pending.recurs and not task.pending.ready()


def _can_go_on(task: Task) -> bool:
    return task.pending.ready() and not _looks_in_vain(task)


def _looks_in_vain(task: Task) -> bool:
    return task.spin is not None and task.spin.is_idle


def _earliest(timed: list[Task]) -> list[TaskId]:
    """The tasks whose wait is the first to expire."""
    deadlines = {task.id: task.pending.deadline or 0.0 for task in timed}
    first = min(deadlines.values(), default=0.0)
    return [task for task, deadline in deadlines.items() if deadline == first]
