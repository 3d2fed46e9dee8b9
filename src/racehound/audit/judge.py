"""Whether an outcome is one that a serial order gives, a refusal, or harm."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from racehound.audit.complaining import first_line, is_breakdown
from racehound.audit.ending import Ending, said
from racehound.audit.masking import Entries, State
from racehound.audit.serial import Serial, entries_of_both
from racehound.audit.temporary import without_litter
from racehound.audit.views.formats import UNREADABLE
from racehound.audit.views.lines import ORDER
from racehound.model.audit import Harm
from racehound.processes.outcome import Run

NAMES = ("A", "B")
Statuses = tuple[int | None, int | None]
CACHE = re.compile(r"(?:^|/)[^/:]*cache[^/:]*/", re.IGNORECASE)
LOG = re.compile(r"(?:^|/)_?logs?/|\.log(?:$|[.*/])|[_.]history$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    harm: Harm | None = None
    refused: int | None = None
    """Which of the two commands was refused, where one was and no harm was done."""
    detail: str = ""
    lost: tuple[str, ...] = ()
    cache_only: bool = False


def judge(ending: Ending, runs: tuple[Run, Run], serial: Serial) -> Judgement:
    state = serial.state(_without_idle_locks(ending.entries, runs, serial))
    statuses = (ending.first, ending.second)
    if None in statuses:
        return _stuck(statuses, runs)
    if any(statuses == (e.first, e.second) and agrees(state, serial.state(e.entries)) for e in serial.endings):
        return Judgement()
    failed = [task for task in (0, 1) if statuses[task] != 0 and statuses[task] not in serial.statuses(task)]
    if len(failed) == 2:
        return _both_failed(runs)
    if failed:
        return _one_failed(failed[0], state, runs, serial)
    return _differs(state, statuses, serial)


def _without_idle_locks(entries: Entries, runs: tuple[Run, Run], serial: Serial) -> Entries:
    """Without empty files that were locked, and that no call makes unless it meets another one."""
    locked = {call.path for run in runs for call in run.calls if call.locking and not call.outside}
    usual = {name for order in (serial.forward, serial.backward) for name in (*order.alone, *order.ending.entries)}
    idle = {path for path in locked - usual if all(_says_nothing(name, path) for name in entries)}
    return {name: value for name, value in entries.items() if name.partition(": ")[0] not in idle}


def _says_nothing(name: str, path: str) -> bool:
    return name in {path, f"{path}: {ORDER}"} or not name.startswith(f"{path}: ")


def agrees(state: State, wanted: State) -> bool:
    """Whether this is the wanted state, but for what a call may add to a log or a cache whatever comes of it."""
    if state == wanted:
        return True
    extra = _names(state, wanted)
    return not _lost(wanted, state) and all(is_incidental(name) or _leads_to_logs(name, extra) for name in extra)


def difference(state: State, wanted: State) -> str:
    """What is not as it should be, in words."""
    return _listed(dict.fromkeys((*_lost(wanted, state), *_names(state, wanted))))


def has_something_new(ending: Ending, serial: Serial) -> bool:
    """Whether something is there that no serial order leaves: it may be lost work, or drawn by chance."""
    state = serial.state(ending.entries)
    return all(_names(state, serial.state(order.entries)) for order in serial.endings)


def is_incidental(name: str) -> bool:
    return LOG.search(name.partition(": ")[0]) is not None or _are_caches([name])


def _leads_to_logs(name: str, extra: Iterable[str]) -> bool:
    """Whether this is a new folder in which there is nothing but logs and caches."""
    inside = [other for other in extra if other.startswith(name) and not other.endswith("/")]
    return name.endswith("/") and bool(inside) and all(map(is_incidental, inside))


def _stuck(statuses: tuple[int | None, ...], runs: tuple[Run, Run]) -> Judgement:
    task = statuses.index(None)
    why = f": {runs[task].why}" if runs[task].why else ""
    return Judgement(harm=Harm.STUCK, detail=f"{NAMES[task]} did not come to an end{why}")


def _both_failed(runs: tuple[Run, Run]) -> Judgement:
    words = "; ".join(f"{NAMES[task]}: {_failure(runs[task])}" for task in (0, 1))
    return Judgement(harm=Harm.BOTH_FAILED, detail=f"both calls fail ({words})")


def _one_failed(task: int, state: State, runs: tuple[Run, Run], serial: Serial) -> Judgement:
    loser, winner, run = NAMES[task], NAMES[1 - task], runs[task]
    other = (serial.forward.first, serial.backward.second)[1 - task]
    if agrees(without_litter(state, serial.alone(1 - task), other), serial.alone(1 - task)):
        if is_breakdown(said(run), run.status if run.signal is None else -run.signal):
            return Judgement(harm=Harm.CRASH, detail=f"{loser} breaks down: {_failure(run)}")
        return Judgement(refused=task, detail=f"{loser} was refused: {_failure(run)}")
    if any(agrees(state, serial.state(ending.entries)) for ending in serial.endings):
        return Judgement(
            harm=Harm.FAILED_BUT_APPLIED,
            detail=f"{loser} reports failure ({_failure(run)}), and yet its effect is there",
        )
    left = _lost(serial.alone(1 - task), state)
    extra = _names(state, serial.alone(1 - task))
    if not left and extra:
        harm = Harm.LEFTOVER if _are_files(extra) else Harm.FAILED_BUT_APPLIED
        words = f"{loser} reports failure ({_failure(run)}) and leaves {_listed(extra)}"
        return Judgement(harm=harm, detail=words, cache_only=_are_caches(extra))
    harm = Harm.TORN if _is_torn(state, serial) else Harm.LOST_UPDATE if left else Harm.MIXED
    words = f"{loser} fails ({_failure(run)}), and what {winner} did is not there: {_listed(left)}"
    return Judgement(harm=harm, detail=words, lost=left, cache_only=_are_caches(left))


def _failure(run: Run) -> str:
    words = first_line(run.stderr.decode(errors="replace")) or first_line(run.stdout.decode(errors="replace"))
    status = f"signal {run.signal}" if run.signal is not None else f"exit {run.status}"
    return f"{status}: {words}" if words else status


def _differs(state: State, statuses: Statuses, serial: Serial) -> Judgement:
    """Both calls ended as they do in some serial run, but the state is that of none."""
    lost = _lost(entries_of_both(serial), state)
    if _is_torn(state, serial):
        torn = tuple(name for name, _ in state if name.endswith(UNREADABLE))
        return Judgement(harm=Harm.TORN, detail=f"cannot be read any more: {_listed(torn)}", lost=lost or torn)
    if lost:
        return _less(lost, state, serial)
    back = _back(state, serial)
    if back:
        words = f"{_listed(back)} is there again, although it was removed; both calls report success"
        return Judgement(harm=Harm.LOST_UPDATE, detail=words, lost=back, cache_only=_are_caches(back))
    return _mixed(state, statuses, serial)


def _less(lost: tuple[str, ...], state: State, serial: Serial) -> Judgement:
    """Something is not as every serial order leaves it."""
    before = {name for name, _ in serial.state(serial.base)}
    present = {name for name, _ in state}
    gone = tuple(name for name in lost if name not in present)
    if not gone and all(_is_surplus(name, state, serial) for name in lost):
        words = f"{_listed(lost)} is there more often than after any serial order"
        return Judgement(harm=Harm.MIXED, detail=words, cache_only=_are_caches(lost))
    harm = Harm.LOST_ENTRY if gone == lost and before.issuperset(lost) else Harm.LOST_UPDATE
    words = "was there before both calls" if harm is Harm.LOST_ENTRY else "both calls report success"
    how = "is gone" if gone else "is not as any serial order leaves it"
    return Judgement(
        harm=harm, detail=f"{_listed(gone or lost)} {how}; {words}", lost=lost, cache_only=_are_caches(lost)
    )


def _is_surplus(name: str, state: State, serial: Serial) -> bool:
    """Whether a line is there, and more often than it should be."""
    here = _repeated(name, state)
    return bool(here) and all(_repeated(name, serial.state(e.entries)) < here for e in serial.endings)


def _repeated(name: str, state: State) -> int:
    """How often a line is in its file; 0 for what is no line."""
    counts = (value for other, value in state if other == name and ": line " in name)
    return next((int(value) for value in counts if value.isdigit()), 0)


def _back(state: State, serial: Serial) -> tuple[str, ...]:
    """What was there before both calls, is there now, and is left by no serial order."""
    base = serial.state(serial.base)
    endings = [serial.state(ending.entries) for ending in serial.endings]
    found = (entry for entry in state if entry in base and not any(entry in ending for ending in endings))
    return tuple(dict.fromkeys(name for name, _ in found if not name.endswith("(order of lines)")))


def _mixed(state: State, statuses: Statuses, serial: Serial) -> Judgement:
    closest = min(
        (serial.state(ending.entries) for ending in serial.endings),
        key=lambda other: len(set(state.items()) ^ set(other.items())),
    )
    missing, extra = _lost(closest, state), _names(state, closest)
    if not missing and not extra:
        return Judgement(harm=Harm.MIXED, detail=_odd(statuses, serial))
    cache_only = _are_caches((*missing, *extra))
    if not missing and _are_files(extra):
        return Judgement(harm=Harm.LEFTOVER, detail=f"left behind: {_listed(extra)}", cache_only=cache_only)
    if missing:
        words = f"{_listed(missing)}: not as any serial order leaves it"
        return Judgement(harm=Harm.LOST_UPDATE, detail=words, lost=missing, cache_only=cache_only)
    return Judgement(harm=Harm.MIXED, detail=f"no serial order leaves {_listed(extra)}", cache_only=cache_only)


def _odd(statuses: Statuses, serial: Serial) -> str:
    """What is wrong with the exit statuses, where the state is that of a serial order."""
    orders = [(ending.first, ending.second) for ending in serial.endings]
    if statuses == (0, 0) and statuses not in orders:
        return "both calls report success, and in every serial order one of them fails"
    if statuses not in orders:
        return f"the exit statuses {statuses[0]} and {statuses[1]} are those of no serial order"
    return "the exit statuses are those of one order and the state is that of another"


def _is_torn(state: State, serial: Serial) -> bool:
    known = {name for ending in serial.endings for name, _ in serial.state(ending.entries)}
    return any(name.endswith(UNREADABLE) and name not in known for name, _ in state)


def _lost(wanted: State, state: State) -> tuple[str, ...]:
    """Names of what should be there and is not; the order of lines is nothing that can be lost."""
    names = (name for (name, value), count in wanted.items() if state.get((name, value), 0) < count)
    return tuple(dict.fromkeys(name for name in names if not name.endswith("(order of lines)")))


def _names(state: State, known: State) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(name for (name, value), count in state.items() if known.get((name, value), 0) < count)
    )


def _are_files(names: Iterable[str]) -> bool:
    """Whether all of it is new files and what they hold, rather than more in a file that belongs there."""
    listed = list(names)
    files = [name for name in listed if ": " not in name]
    return bool(files) and all(
        any(name == file or name.startswith(f"{file}: ") for file in files) for name in listed
    )


def _are_caches(names: Iterable[str]) -> bool:
    listed = list(names)
    return bool(listed) and all(CACHE.search(name) for name in listed)


def _listed(names: Iterable[str]) -> str:
    listed = list(names)
    more = f" and {len(listed) - 3} more" if len(listed) > 3 else ""
    return ", ".join(f"`{name}`" for name in listed[:3]) + more
