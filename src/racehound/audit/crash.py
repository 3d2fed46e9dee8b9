"""What the next call meets after one was ended in the middle: killed, or asked to stop."""

import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from racehound.audit.budget import Budget
from racehound.audit.complaining import first_line, speaks_of_a_lock
from racehound.audit.ending import said, status_of
from racehound.audit.judge import agrees, is_incidental
from racehound.audit.leftovers import new_files, under_common_names, without
from racehound.audit.locks import locks_taken
from racehound.audit.masking import State, path_of
from racehound.audit.points import changing_points, fits, telling
from racehound.audit.serial import Serial
from racehound.audit.stage import LOOKS, Stage, looked_at_again
from racehound.audit.temporary import TEMPORARY, lasting
from racehound.model.audit import CrashPoint
from racehound.processes.calls import Point
from racehound.processes.outcome import Run
from racehound.processes.run import crash_after, observe, signal_at

MOST_KILLS = 30
MOST_HANGS = 2
"""A command that waits for ever does so at every point; each time costs a whole timeout."""
WRITTEN = frozenset({"old", "new"})
"""States that a call leaves which is not disturbed."""

SIGNALS = (signal.SIGTERM, signal.SIGINT)


@dataclass(frozen=True, slots=True)
class Accident:
    """How and where the first command is ended."""

    point: Point
    signal: signal.Signals

    def happen(self, stage: Stage) -> Run:
        command = stage.commands[0]
        if self.signal is signal.SIGKILL:
            return crash_after(command, stage.sandbox, self.point, timeout=stage.timeout)
        return signal_at(command, stage.sandbox, self.point, self.signal, timeout=stage.timeout)


def crash_points(
    stage: Stage, serial: Serial, budget: Budget, progress: Callable[[int, int], None]
) -> tuple[list[CrashPoint], int]:
    """Each accident, and what the second command made of it; and how many there was no time for."""
    accidents = list(_accidents(serial))
    aftermath = _Aftermath(stage, serial)
    found: list[CrashPoint] = []
    for number, accident in enumerate(accidents, 1):
        if budget.is_spent:
            return found, len(accidents) - number + 1
        if aftermath.hangs >= MOST_HANGS:
            break
        point = aftermath.of(accident)
        if point is not None:
            found.append(point)
            progress(number, len(accidents))
    return found, 0


@dataclass(slots=True)
class _Aftermath:
    """What comes after accidents; a state that nobody wrote is believed only where it comes twice."""

    stage: Stage
    serial: Serial
    hangs: int = 0
    _looked: bool = False

    def of(self, accident: Accident) -> CrashPoint | None:
        """Nothing where the command never came to the point."""
        point = self._once(accident)
        if point is None or point.state in WRITTEN:
            return point
        if not self._looked:
            self._looked = True
            self.serial = looked_at_again(self.serial, self.stage, LOOKS)
        return self._once(accident)

    def _once(self, accident: Accident) -> CrashPoint | None:
        stage = self.stage
        stage.sandbox.restore()
        ended = accident.happen(stage)
        if _went_through(ended, accident, self.serial):
            return None
        following = observe(stage.commands[1], stage.sandbox, timeout=stage.following)
        self.hangs += not following.ended
        return _judged(accident, (ended, following), stage, self.serial)


def _accidents(serial: Serial) -> Iterator[Accident]:
    folders = frozenset(name.rstrip("/") for name in serial.base if name.endswith("/"))
    calls = telling(serial.forward.first.calls, folders=folders, locks=frozenset())
    points = changing_points(calls, serial.again[0].calls, most=MOST_KILLS)
    yield from (Accident(point, signal.SIGKILL) for point in points)
    yield from (Accident(point, chosen) for chosen in SIGNALS for point in _inside(serial, points))


def _inside(serial: Serial, points: list[Point]) -> list[Point]:
    """The first and the last change that is made while a lock is held; without a lock, of all changes."""
    calls = serial.forward.first.calls
    locks = locks_taken(calls) & locks_taken(serial.backward.second.calls)
    held = next((place for place, call in enumerate(calls) if call.path in locks), 0)
    names = {(call.name, call.path) for call in calls[held:] if call.mutating and call.path not in locks}
    inside = [point for point in points if any(point.call == n and fits(point, p) for n, p in names)]
    return list(dict.fromkeys([*inside[:1], *inside[-1:]]))


def _went_through(ended: Run, accident: Accident, serial: Serial) -> bool:
    """Whether the command never came to the point: then nothing was learned."""
    if accident.signal is signal.SIGKILL:
        return ended.signal is None
    return status_of(ended) in serial.statuses(0)


def _judged(accident: Accident, runs: tuple[Run, Run], stage: Stage, serial: Serial) -> CrashPoint:
    ended, following = runs
    after = serial.state(stage.entries())
    went_well = status_of(following) in serial.statuses(1)
    old, new = (
        (serial.alone(1), serial.state(serial.forward.bereft.entries))
        if went_well
        else (serial.state(serial.base), serial.alone(0))
    )
    leftovers = new_files(after, old, new)
    known = (
        serial.state(serial.base),
        serial.alone(0),
        serial.alone(1),
        serial.state(serial.forward.bereft.entries),
    )
    state = _named(*map(lasting, (without(after, leftovers), old, new, *known)))
    locked_out = not following.ended or speaks_of_a_lock(said(following))
    return CrashPoint(
        point=str(accident.point),
        signal=accident.signal.name,
        state=state,
        stuck=not went_well and (locked_out or state in WRITTEN),
        leftovers=leftovers,
        avoidable=_avoidable(leftovers, ended, serial),
        detail="" if went_well else _complaint(following),
    )


def _named(state: State, old: State, new: State, *known: State) -> str:
    """Where several files are changed, each may be as some call leaves it, although they are of no one state."""
    if agrees(state, old):
        return "old"
    if agrees(state, new):
        return "new"
    present, others = _by_file(state), list(map(_by_file, known))
    paths = {path for files in (present, *others) for path in files if not is_incidental(path)}
    whole = all(any(present.get(path) == files.get(path) for files in others) for path in paths)
    return "between" if whole else "torn"


def _by_file(state: State) -> dict[str, dict[tuple[str, str], int]]:
    files: dict[str, dict[tuple[str, str], int]] = {}
    for entry, count in state.items():
        files.setdefault(path_of(entry[0]), {})[entry] = count
    return files


def _avoidable(leftovers: tuple[str, ...], ended: Run, serial: Serial) -> bool:
    """A call that dies of the signal does not tidy up; what bears a name of its own is then in nobody's way.

    Among temporary files it never is.
    """
    if under_common_names(leftovers, serial.backward.second):
        return True
    return ended.signal is None and any(not name.startswith(TEMPORARY) for name in leftovers)


def _complaint(run: Run) -> str:
    if not run.ended:
        return "the next call did not come to an end"
    words = first_line(run.stderr.decode(errors="replace")) or first_line(run.stdout.decode(errors="replace"))
    return f"the next call fails with {status_of(run)}: {words}"
