"""One pair of commands in its sandbox: every run begins with the same files at the same place."""

import time
from dataclasses import dataclass, replace

from racehound.audit.budget import Budget
from racehound.audit.ending import Ending, status_of
from racehound.audit.locks import changed_outside, lock_files, only_appended
from racehound.audit.masking import Entries, Mask
from racehound.audit.schedule import Schedule
from racehound.audit.serial import Order, Serial
from racehound.audit.views.box import box_entries
from racehound.audit.views.formats import text_entries
from racehound.audit.views.lines import ORDER
from racehound.errors import UsageError
from racehound.processes.backend import Backend, choose
from racehound.processes.command import Command
from racehound.processes.outcome import Interleaving, Run
from racehound.processes.plan import Patience
from racehound.processes.run import Detail, Point, execute, glance, in_turn, keep_waiting, observe, probe
from racehound.processes.sandbox import Sandbox

FIRST_TIMEOUT = 60.0
LEAST_TIMEOUT = 30.0
PATIENCE = 12
"""How many times longer than alone a command may take before it is called stuck."""
LEAST_SPIN = 0.25
TINY = 0.015
SECOND_LOOK = 6
"""Serial orders as long as that: two of them, a schedule, and what it takes to believe that it breaks."""
LOOKS = 2
"""How often both orders are run once more where a difference may be chance: a coin may fall alike twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    sandbox: Sandbox
    commands: tuple[Command, Command]
    view: Command | None = None
    sessions: bool = False
    """Whether each command names a session of its own already."""
    timeout: float = FIRST_TIMEOUT
    pace: float = 0.0
    """Seconds that both commands took, one after the other."""
    spin: float = FIRST_TIMEOUT
    """Seconds of processor time after which a command that does nothing new waits without sleeping."""
    tiny: bool = False
    """Whether the commands take so little time that looking at all they do would take as long."""
    following: float = FIRST_TIMEOUT
    """For a call that finds what a dead one left, and that may wait for it in vain."""
    detail: Detail = Detail.OPENS
    backends: tuple[Backend, ...] = ()
    """The ways to see what commands do, each with whether it works here."""
    locks: frozenset[str] = frozenset()
    appended: frozenset[str] = frozenset()
    """Files that are only ever appended to: the order of their lines is not compared."""

    def run(self, command: Command) -> Run:
        return self._run(command, self.detail)

    def _run(self, command: Command, detail: Detail) -> Run:
        if choose(self.backends) is None:
            return execute(command, self.sandbox, timeout=self.timeout)
        return observe(command, self.sandbox, timeout=self.timeout, detail=detail)

    def entries(self) -> Entries:
        if self.view is not None:
            run = execute(self.view, self.sandbox, timeout=self.timeout)
            shown = {f"view: {name}": value for name, value in text_entries(run.stdout.decode(errors="replace"))}
            return shown | {"exit status of the view": str(status_of(run))}
        entries = box_entries(self.sandbox, locks=self.locks)
        unordered = {f"{path}: {ORDER}" for path in self.appended}
        return {name: value for name, value in entries.items() if name not in unordered}

    def order(self, *, exchanged: bool, detail: Detail = Detail.CHANGES) -> Order:
        """Both commands, one after the other, from the golden state.

        Where to stop a command is learned from a run in which it goes first, so only that is seen with `detail`.
        """
        self.sandbox.restore()
        ahead, behind = reversed(self.commands) if exchanged else self.commands
        one = self._run(ahead, detail)
        alone = self.entries()
        other = self._run(behind, Detail.CHANGES)
        for command, run in ((ahead, one), (behind, other)):
            check_ended(command, run, self.timeout)
        first, second = (other, one) if exchanged else (one, other)
        ending = Ending(status_of(first), status_of(second), self.entries())
        order = Order(alone=alone, ending=ending, first=first, second=second)
        return self._with_the_living(order, exchanged=exchanged) if one.left_behind else order

    def _with_the_living(self, order: Order, *, exchanged: bool) -> Order:
        """Seen once more with what the first command leaves behind alive, as it is in every schedule.

        Where the second one waits for it in vain, that is no outcome to compare with.
        """
        self.sandbox.restore()
        ahead, behind = reversed(self.commands) if exchanged else self.commands
        observed = choose(self.backends) is not None
        one, other = in_turn(ahead, behind, self.sandbox, timeout=self.timeout, observed=observed)
        if not (one.ended and other.ended):
            return order
        first, second = (other, one) if exchanged else (one, other)
        living = Ending(status_of(first), status_of(second), self.entries())
        return replace(order, ending=living, apart=order.ending)

    def interleaved(self, schedule: Schedule, *, drawn: bool) -> tuple[Ending, Interleaving]:
        """Runs and ending are those of A and B, whichever of them was stopped.

        Only a schedule that is to be drawn needs to be seen with all it reads; without that a run is cheaper.
        """
        self.sandbox.restore()
        stopped, other = reversed(self.commands) if schedule.exchanged else self.commands
        box, point, then = self.sandbox, schedule.point, schedule.then
        if schedule.hold:
            patience = self.patience(2 * schedule.hold)
            meeting = keep_waiting(stopped, other, box, point, patience=patience, hold=schedule.hold)
        else:
            meeting = self.met(stopped, other, (point, *then), drawn=drawn)
        if schedule.exchanged:
            meeting = replace(meeting, first=meeting.second, second=meeting.first)
        return Ending(status_of(meeting.first), status_of(meeting.second), self.entries()), meeting

    def patience(self, further: float = 0.0) -> Patience:
        """How long two commands may take, beside `further` seconds of waiting."""
        return Patience(self.timeout + further, self.spin)

    def met(self, stopped: Command, other: Command, points: tuple[Point, ...], *, drawn: bool) -> Interleaving:
        """Both, from the state as it is; of tiny commands no more is seen than a schedule needs."""
        patience = self.patience()
        if self.tiny and not drawn and len(points) == 1:
            seen = glance(stopped, other, self.sandbox, points[0], patience=patience)
            if seen is not None:
                return seen
            self.sandbox.restore()
        detail = Detail.OPENS if drawn else Detail.CHANGES
        return probe(stopped, other, self.sandbox, points, patience=patience, detail=detail)


def check_ended(command: Command, run: Run, seconds: float) -> None:
    if not run.ended:
        raise UsageError(
            f"`{command}` did not come to an end within {seconds:g} seconds",
            hint="audit a call that ends by itself, with its input given as arguments",
        )


def recorded(stage: Stage, budget: Budget | None = None) -> tuple[Stage, Serial]:
    """The serial outcomes, each seen twice, and the stage as what was seen of the commands adjusts it.

    Where there is no time for that they are seen once: an outcome that equals none is looked at again in any case,
    if the commands can be stopped so that it comes again.
    """
    stage.sandbox.restore()
    begun = time.monotonic()
    traced = (
        stage.order(exchanged=False, detail=stage.detail),
        stage.order(exchanged=True, detail=stage.detail),
    )
    longest = (time.monotonic() - begun) / 2
    stage = _adjusted(stage, traced, longest)
    stage.sandbox.restore()
    base = stage.entries()
    once, other = (_as_read(order, stage) for order in traced)
    serial = Serial(base=base, forward=once, backward=other, mask=Mask(), again=(once.first, other.second))
    if budget is None or budget.has(SECOND_LOOK * longest) or choose(stage.backends) is None:
        serial = looked_at_again(serial, stage)
    return stage, serial


def _adjusted(stage: Stage, traced: tuple[Order, Order], longest: float) -> Stage:
    cpu = max(run.cpu for order in traced for run in (order.first, order.second))
    calls = [call for order in traced for run in (order.first, order.second) for call in run.calls]
    return replace(
        stage,
        locks=lock_files(calls),
        appended=only_appended(calls),
        pace=longest,
        spin=LEAST_SPIN + PATIENCE * cpu,
        tiny=cpu < TINY and not changed_outside(calls),
        timeout=min(FIRST_TIMEOUT, max(LEAST_TIMEOUT, PATIENCE * longest)),
        following=stage.following + PATIENCE * longest / 2,
    )


def looked_at_again(serial: Serial, stage: Stage, times: int = 1) -> Serial:
    """With what further equal runs show to be chance."""
    for _ in range(times):
        serial = serial.widened(stage.order(exchanged=False), stage.order(exchanged=True))
    return serial


def _as_read(order: Order, stage: Stage) -> Order:
    """An order that was read before it was known which files are locks."""
    return order.read_as(lambda entries: _without(entries, stage))


def _without(entries: Entries, stage: Stage) -> Entries:
    unordered = {f"{path}: {ORDER}" for path in stage.appended}
    held = tuple(f"{path}: " for path in stage.locks)
    return {name: value for name, value in entries.items() if name not in unordered and not name.startswith(held)}
