"""Commands run under observation: whole, interleaved with another, cut off, or signalled.

All act on the sandbox as it stands and leave it as the commands did; call `restore` before each.
"""

from racehound.processes.calls import Detail, FileCall, Point
from racehound.processes.command import Command
from racehound.processes.launch import Launch
from racehound.processes.outcome import Interleaving, Run, Step
from racehound.processes.plan import Answer, AtPoint, AtWait, Patience, Plan
from racehound.processes.sandbox import Sandbox

__all__ = [
    "Detail", "FileCall", "Interleaving", "Point", "Run", "Step",
    "crash_after", "execute", "free_race", "glance", "in_turn", "interleave", "keep_waiting", "observe", "probe",
    "signal_at", "signal_waiting",
]  # fmt: skip


def execute(command: Command, sandbox: Sandbox, *, timeout: float) -> Run:
    """Runs the command unobserved, for preparing and looking at a state; it has no calls."""
    plan = Plan(launches=(_launch(command, sandbox),), timeout=timeout, observed=False)
    return sandbox.perform(plan).runs[0]


def observe(command: Command, sandbox: Sandbox, *, timeout: float, detail: Detail = Detail.OPENS) -> Run:
    """Runs the command alone and lists its calls."""
    plan = Plan(launches=(_launch(command, sandbox),), timeout=timeout, detail=detail)
    return sandbox.perform(plan).runs[0]


def in_turn(
    first: Command, second: Command, sandbox: Sandbox, *, timeout: float, observed: bool = True
) -> tuple[Run, Run]:
    """Runs the second command when the first one is over; what that left behind lives on meanwhile."""
    launches = (_launch(first, sandbox), _launch(second, sandbox))
    one, two = sandbox.perform(Plan(launches=launches, timeout=timeout, observed=observed)).runs
    return one, two


def interleave(
    first: Command,
    second: Command,
    sandbox: Sandbox,
    point: Point,
    *,
    timeout: float,
    then: tuple[Point, ...] = (),
) -> Interleaving:
    """Stops the first command before `point`, runs the second, lets the first go on.

    `then` are further stops, in turns of the second command, the first, and so on. A command that has the turn and
    is seen waiting gives it back. `timeout` is for both together; what has not ended by then is ended.
    """
    return probe(first, second, sandbox, (point, *then), patience=Patience(timeout), detail=Detail.OPENS)


def probe(
    first: Command,
    second: Command,
    sandbox: Sandbox,
    points: tuple[Point, ...],
    *,
    patience: Patience,
    detail: Detail = Detail.CHANGES,
) -> Interleaving:
    """As `interleave`, without a look at what is only read unless a point is there: the outcome is the same."""
    plan = _plan_of_two(first, second, sandbox, points, patience)._replace(detail=detail)
    return _interleaving(sandbox.perform(plan), plan)


def glance(
    first: Command, second: Command, sandbox: Sandbox, point: Point, *, patience: Patience
) -> Interleaving | None:
    """As `probe`, without a look at anything but the calls that may be the point, so that little is listed.

    None where that is not enough to carry it out: a command waits, goes on in another thread while it is stopped,
    or leaves processes behind.
    """
    plan = _plan_of_two(first, second, sandbox, (point,), patience)._replace(detail=Detail.CHANGES, lean=True)
    answer = sandbox.perform(plan)
    return _interleaving(answer, plan) if all(run.ended for run in answer.runs) else None


def keep_waiting(
    first: Command, second: Command, sandbox: Sandbox, point: Point, *, patience: Patience, hold: float
) -> Interleaving:
    """As `interleave`, but a second command that waits is left waiting for `hold` seconds.

    Its own time limit for the lock shows, if it has one and that is shorter.
    """
    plan = _plan_of_two(first, second, sandbox, (point,), patience)._replace(hold=hold)
    return _interleaving(sandbox.perform(plan), plan)


def free_race(first: Command, second: Command, sandbox: Sandbox, *, timeout: float) -> tuple[Run, Run]:
    """Starts both at once and leaves the rest to chance, where calls cannot be stopped."""
    launches = (_launch(first, sandbox), _launch(second, sandbox))
    one, two = sandbox.perform(Plan(launches=launches, timeout=timeout, observed=False, together=True)).runs
    return one, two


def crash_after(command: Command, sandbox: Sandbox, point: Point, *, timeout: float) -> Run:
    """Kills the command and everything it started as soon as the call at `point` has happened."""
    plan = Plan(launches=(_launch(command, sandbox),), points=(point,), at_point=AtPoint.CRASH, timeout=timeout)
    return sandbox.perform(plan).runs[0]


def signal_at(command: Command, sandbox: Sandbox, point: Point, signal: int, *, timeout: float) -> Run:
    """Sends the signal to the command's process group when it stands before the call at `point`."""
    launches = (_launch(command, sandbox),)
    plan = Plan(launches=launches, points=(point,), at_point=AtPoint.SIGNAL, signal=signal, timeout=timeout)
    return sandbox.perform(plan).runs[0]


def signal_waiting(
    first: Command, second: Command, sandbox: Sandbox, point: Point, signal: int, *, patience: Patience
) -> Interleaving:
    """Stops the first command before `point`, and sends the signal to the second once that is seen waiting."""
    plan = _plan_of_two(first, second, sandbox, (point,), patience)
    plan = plan._replace(at_wait=AtWait.SIGNAL, signal=signal)
    return _interleaving(sandbox.perform(plan), plan)


def _plan_of_two(
    first: Command, second: Command, sandbox: Sandbox, points: tuple[Point, ...], patience: Patience
) -> Plan:
    launches = (_launch(first, sandbox), _launch(second, sandbox))
    return Plan(launches=launches, points=points, timeout=patience.seconds, spin=patience.spin)


def _launch(command: Command, sandbox: Sandbox) -> Launch:
    return Launch(command.argv, sandbox.variables, sandbox.start)


def _interleaving(answer: Answer, plan: Plan) -> Interleaving:
    first, second = answer.runs
    left_out = [str(point) for point, reached in zip(plan.points, answer.reached, strict=True) if not reached]
    return Interleaving(
        first=first,
        second=second,
        reached=answer.reached[0],
        second_waited=answer.waited[1],
        steps=answer.steps,
        first_waited=answer.waited[0],
        second_gave_way=answer.gave_way[1],
        left_out=tuple(left_out),
    )
