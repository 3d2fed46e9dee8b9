"""Carries out a plan: one command has the turn, the calls of the other are held.

The turn passes when the command that has it comes to its next point, ends, or is seen waiting. A command that
waits is not stopped: the kernel keeps it, and what it does once it has what it waited for is held until its turn.
"""

import errno
import os
import time

from racehound.processes import procfs
from racehound.processes.actor import Actor, Stop
from racehound.processes.calls import FileCall
from racehound.processes.crashing import Crash
from racehound.processes.ledger import Ledger
from racehound.processes.limits import DEADLOCK, FOREIGN, LEFT_ASLEEP, NEEDS_A_CLOSER_LOOK, RING, UNREADABLE
from racehound.processes.observer import Event, Gone, Observer, Returned, Stopped
from racehound.processes.plan import Answer, AtPoint, AtWait, Plan
from racehound.processes.reading import Reader, Trap
from racehound.processes.stage import Stage
from racehound.processes.waiting import spins, stands_still, wait_for_each_other
from racehound.processes.waits import nap_left, naps

LOOK_EVERY = 0.01
LOOK_BETWEEN_CALLS = 0.002
"""A loop around a lock file sleeps but shortly, and it is asleep that it has to be seen."""
LOOK_WHEN_BUSY = 0.05
LINGERING = 2.0
"""Seconds that are waited for what a command left behind, where that sleeps by the clock."""
MOST_RESTS = 3
"""How often a command may go on after the other one has: two that wake each other never end."""
DEADLOCK_SECONDS = 6.0
"""For so long two may wait for each other's locks: one of them may have set an alarm, which nobody sees."""
QUIET_LOOKS = 5
"""How often what a command left behind is seen asleep before the command counts as over."""


class Conductor:
    def __init__(self, plan: Plan, observer: Observer, reader: Reader, stage: Stage) -> None:
        self._plan = plan
        self._observer = observer
        self._reader = reader
        self._stage = stage
        stops = [Stop(point) for point in plan.points]
        self._stops = tuple(stops)
        self._actors = [Actor(launch, stops[number::2]) for number, launch in enumerate(plan.launches)]
        self._turn = 0
        self._free = plan.together
        self._ledger = Ledger(self._actors)
        self._crash: Crash | None = None
        self._signalled = False
        self._waiting_since: float | None = None
        self._deadlocked_since: float | None = None
        self._quiet = 0
        self._looked = 0.0
        self._begun = time.monotonic()
        self._deadline = self._begun + plan.timeout

    def perform(self) -> Answer:
        for number in range(len(self._actors) if self._free else 1):
            self._start(number)
        ahead, behind = self._actors[0], self._actors[-1]
        while not (ahead.over and behind.over):
            self._step()
        self._end_everything()
        runs = tuple(actor.close() for actor in self._actors)
        return Answer(
            runs=runs,
            steps=self._ledger.steps(runs),
            reached=tuple(stop.reached for stop in self._stops),
            waited=tuple(actor.waited for actor in self._actors),
            gave_way=tuple(actor.gave_way for actor in self._actors),
        )

    def abandon(self) -> None:
        """Ends everything, with no answer to give."""
        for _ in self._stage.end_all():
            pass

    def _start(self, number: int) -> None:
        actor = self._actors[number]
        actor.begin(self._observer.launch(number, actor.launch))
        if self._plan.observed:
            begun = actor.count(actor.process, self._reader.start_of(actor.launch.program()))
            self._ledger.enter(number, begun)
        self._stage.listen(actor.outputs)

    def _step(self) -> None:
        now = time.monotonic()
        if now > self._deadline:
            self._give_up(f"did not end within {self._plan.timeout:g} s")
            return
        for event in self._stage.events(self._patience(now)):
            self._handle(event)
        if self._stage.silent or self._repeats_itself(now):
            self._look()

    def _repeats_itself(self, now: float) -> bool:
        """Whether calls come, but nothing new: a loop around a lock file may leave no moment of silence."""
        if now - self._looked < LOOK_WHEN_BUSY or not self._actors[self._turn].watcher.is_at_a_standstill(now):
            return False
        self._looked = now
        return True

    def _patience(self, now: float) -> float:
        actor = self._actors[self._turn]
        if len(self._actors) > 1 or actor.status is not None or self._crash:
            between_calls = not self._stage.silent and actor.watcher.is_at_a_standstill(now)
            return LOOK_BETWEEN_CALLS if between_calls else LOOK_EVERY
        return max(self._deadline - now, 0.0) + LOOK_EVERY

    def _handle(self, event: Event) -> None:
        match event:
            case Stopped(actor=number, trap=trap):
                self._quiet = 0
                if self._crash:
                    self._cut_in(self._crash, trap)
                elif self._free or number == self._turn or self._actors[number].loose:
                    self._consider(number, trap)
                else:
                    self._actors[number].held.append(trap)
            case Returned(thread=thread, result=result):
                self._returned(thread, result)
            case Gone():
                self._account(event)
                self._check_over()

    def _consider(self, number: int, trap: Trap) -> None:
        """Finds out what the call is, and lets it go unless something is to happen first."""
        actor = self._actors[number]
        actor.stuck = False
        call = self._reader.call_of(trap)
        if call is None:
            actor.limits[FOREIGN] = None
        elif call.kind == "unseen":
            actor.limits[RING] = None
            self._observer.refuse(number, trap, errno.ENOSYS)
            return
        seen = self._reader.read(trap, call) if call is not None else None
        if seen is None:
            if self._reader.could_not_read():
                actor.limits[UNREADABLE] = None
            self._observer.let(number, trap, tell=False)
            return
        found = actor.count(trap.thread, seen)
        if self._reader.is_forbidden(seen):
            self._ledger.enter(number, found)
            self._observer.refuse(number, trap, errno.EACCES)
        elif actor.meets_stop(found):
            self._at_point(number, trap, found)
        else:
            self._let(number, trap, found)

    def _at_point(self, number: int, trap: Trap, call: FileCall) -> None:
        match self._plan.at_point:
            case AtPoint.SWITCH if self._actors[1 - number].idle:
                self._let(number, trap, call)
            case AtPoint.SWITCH if self._plan.lean and not stands_still(self._actors[number].alive(), trap.thread):
                self._give_up(NEEDS_A_CLOSER_LOOK)
            case AtPoint.SWITCH:
                self._actors[number].stopped_at = (trap, call)
                self._pass_turn(1 - number)
            case AtPoint.CRASH:
                self._crash = Crash.after_call_of(trap)
                self._let(number, trap, call)
            case AtPoint.SIGNAL:
                self._send_signal(self._actors[number])
                self._let(number, trap, call)

    def _let(self, number: int, trap: Trap, call: FileCall, *, stopped: bool = False) -> None:
        if self._observer.let(number, trap, tell=True):
            self._ledger.enter(number, call, thread=trap.thread, stopped=stopped)
        else:
            self._actors[number].forget(call)

    def _returned(self, thread: int, result: int) -> None:
        self._ledger.returned(thread, result)
        if self._crash and self._crash.thread == thread:
            self._kill()

    def _pass_turn(self, number: int) -> None:
        actor = self._actors[number]
        if actor.over:
            return
        self._turn = number
        self._waiting_since = None
        actor.resting = False
        if actor.started is None:
            self._start(number)
            return
        if actor.stopped_at is not None:
            (trap, call), actor.stopped_at = actor.stopped_at, None
            self._let(number, trap, call, stopped=True)
        while actor.held and (self._free or self._turn == number):
            self._consider(number, actor.held.pop(0))

    def _look(self) -> None:
        """Nothing has happened for a moment: is somebody waiting, or done?"""
        actor = self._actors[self._turn]
        if self._crash:
            if self._crash.is_due():
                self._kill()
        elif actor.status is not None:
            self._quiet += self._rests(actor)
            if len(self._actors) > 1 and self._loops(actor, self._actors[1 - self._turn]):
                self._quiet = QUIET_LOOKS
            self._check_over()
        elif len(self._actors) > 1:
            self._look_for_wait(actor, self._actors[1 - self._turn])

    def _rests(self, actor: Actor) -> bool:
        """Whether nothing that the command left behind is at work, or will be in a moment."""
        found = list(procfs.states(self._left_alive(actor)))
        if not all(state.asleep for state in found):
            return False
        napping = list(filter(naps, found))
        if not napping:
            return True
        now = time.monotonic()
        actor.dozed = actor.dozed or now
        alive = now - self._begun
        if now - actor.dozed < LINGERING and any(nap_left(state, alive) < LINGERING for state in napping):
            return False
        actor.limits[LEFT_ASLEEP] = None
        return True

    def _loops(self, actor: Actor, other: Actor) -> bool:
        """Whether what the command left behind asks again and again for what only the other one can give."""
        if other.idle or other.started is None or not actor.watcher.is_at_a_standstill(time.monotonic()):
            return False
        processes = self._left_alive(actor)
        return actor.watcher.waits(list(procfs.states(processes)), processes, other.alive())

    def _look_for_wait(self, actor: Actor, other: Actor) -> None:
        if other.held and other.idle:
            self._loosen(actor, 1 - self._turn)
        if other.idle or other.started is None:
            return
        if self._free:
            self._look_for_deadlock(actor, other)
            return
        processes = actor.alive()
        found = list(procfs.states(processes))
        # A thread that was stopped for us since then sleeps, too, and waits for nobody but us.
        asleep = not self._stage.has_news() and actor.watcher.waits(found, processes, other.alive())
        if not asleep and not self._spins(actor, processes):
            return
        actor.waited = True
        if self._plan.lean:
            self._give_up(NEEDS_A_CLOSER_LOOK)
        elif self._plan.at_wait is AtWait.SIGNAL and not self._signalled:
            self._signalled = True
            self._send_signal(actor)
        elif self._has_waited_enough():
            actor.stuck = actor.gave_way = True
            self._free = other.stuck
            self._pass_turn(1 - self._turn)

    def _look_for_deadlock(self, actor: Actor, other: Actor) -> None:
        now = time.monotonic()
        if not wait_for_each_other(actor.alive(), other.alive()):
            self._deadlocked_since = None
        elif self._deadlocked_since is None:
            self._deadlocked_since = now
        elif now - self._deadlocked_since > DEADLOCK_SECONDS:
            self._give_up(DEADLOCK)

    def _spins(self, actor: Actor, processes: list[int]) -> bool:
        return actor.watcher.is_at_a_standstill(time.monotonic()) and spins(processes, self._plan.spin)

    def _loosen(self, actor: Actor, number: int) -> None:
        """Lets a server go that the other command left behind, once this one sleeps: perhaps for its answer."""
        other = self._actors[number]
        asleep = all(state.asleep for state in procfs.states(actor.alive()))
        self._quiet = self._quiet + 1 if asleep else 0
        if self._quiet < QUIET_LOOKS or self._stage.has_news():
            return
        other.loose = True
        other.stops.clear()
        self._quiet = 0
        while other.held:
            self._consider(number, other.held.pop(0))

    def _has_waited_enough(self) -> bool:
        now = time.monotonic()
        if self._waiting_since is None:
            self._waiting_since = now
        return now - self._waiting_since >= self._plan.hold

    def _check_over(self) -> None:
        """A command is over when its process has ended and what it left behind, if anything, sleeps for good."""
        for number, actor in enumerate(self._actors):
            if actor.over or actor.status is None:
                continue
            strays = self._strays(actor)
            if strays and self._plan.lean:
                self._give_up(NEEDS_A_CLOSER_LOOK)
                return
            if strays and (self._quiet < QUIET_LOOKS or not (self._free or number == self._turn)):
                continue
            self._quiet = 0
            actor.left_behind = len(strays)
            actor.resting = bool(strays) and self._may_be_woken(actor, 1 - number)
            actor.over = not actor.resting
            if number == self._turn and len(self._actors) > 1:
                self._pass_turn(1 - number)

    def _may_be_woken(self, actor: Actor, other: int) -> bool:
        """Whether the other command has still something to do: what this one left behind may be waiting for it."""
        actor.rests += 1
        if self._free or other >= len(self._actors) or actor.rests > MOST_RESTS:
            return False
        return not self._actors[other].idle or bool(self._actors[other].held)

    def _strays(self, actor: Actor) -> list[int]:
        """Processes whose parent has ended, so that they became ours, and that are not known as the other's."""
        others = {process for other in self._actors if other is not actor for process in other.order}
        return [child for child in procfs.own_children() if child != actor.process and child not in others]

    def _left_alive(self, actor: Actor) -> list[int]:
        """With what they started: a shell in the background sleeps while it waits for the command it runs."""
        strays = self._strays(actor)
        return [*strays, *(process for stray in strays for process in procfs.descendants(stray))]

    def _send_signal(self, actor: Actor) -> None:
        """To the whole group, as a terminal does it and whoever stops a command with its children."""
        try:
            os.killpg(actor.process, self._plan.signal)
        except ProcessLookupError:  # all that is left of it went to another group, which a terminal does not reach
            return

    def _cut_in(self, crash: Crash, trap: Trap) -> None:
        """Nothing else may happen between the call and the crash: whoever comes is never let go."""
        if crash.thread == trap.thread:
            self._kill()

    def _kill(self) -> None:
        self._crash = None
        self._give_up(f"killed after {self._plan.points[0]}")

    def _give_up(self, why: str) -> None:
        for actor in self._actors:
            if not actor.over:
                actor.killed = why
        self._end_everything()
        for actor in self._actors:
            actor.over = True

    def _end_everything(self) -> None:
        for event in self._stage.end_all():
            if isinstance(event, Gone):
                self._account(event)

    def _account(self, event: Gone) -> None:
        for actor in self._actors:
            if actor.started and actor.process == event.process:
                actor.status = event.status
                actor.cpu += event.cpu
                return
        self._actors[self._turn].cpu += event.cpu
