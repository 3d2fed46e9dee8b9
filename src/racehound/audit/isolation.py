"""Whether two calls keep their temporary files apart, as seen in their file calls."""

from collections.abc import Iterable
from dataclasses import dataclass

from racehound.audit.ending import status_of
from racehound.audit.judge import is_incidental
from racehound.audit.locks import EXCLUSIVE, LOCK_NAME, locks_taken
from racehound.audit.masking import State, path_of
from racehound.audit.serial import Serial
from racehound.audit.stage import Stage
from racehound.audit.temporary import TEMPORARY
from racehound.processes.calls import FileCall
from racehound.processes.command import SHELL, Command
from racehound.processes.outcome import Run

SESSION = "{session}"
SESSIONS = ("racehound-a", "racehound-b")
UNKNOWN = "--racehound-asks-who-knows-this"
MOST_HEADS = 3
"""Words that may name the program, as in `python -m tool`."""
MAKING = frozenset({"open-create", "open-append", "open-exclusive", "open-truncate", "mkdir", "symlink", "link"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolation:
    known: bool
    """Whether the tool takes the flag."""
    shared: tuple[str, ...]
    """Temporary paths that both calls use, each with a session of its own where the flag is known."""
    count: int = 0
    """How many temporary paths were seen."""
    overwritten: tuple[str, ...] = ()
    """Those of the shared ones in which each call leaves what it made, and the last one what it made alone."""


def isolation(stage: Stage, serial: Serial, flag: str) -> Isolation:
    """Run both commands alone, each with a session of its own, and compare where they put what they throw away."""
    runs = _in_sessions(stage, serial, flag)
    known = runs is not None
    runs = runs or (serial.forward.first, serial.backward.second)
    locks = locks_taken(runs[0].calls) & locks_taken(runs[1].calls)
    ours, theirs = (temporary_paths(run.calls, locks) for run in runs)
    shared = tuple(sorted(ours & theirs))
    return Isolation(
        known=known,
        shared=shared,
        count=len(ours | theirs),
        overwritten=() if locks else _overwritten(shared, serial),
    )


def _overwritten(shared: tuple[str, ...], serial: Serial) -> tuple[str, ...]:
    return tuple(
        path
        for path in shared
        if path.startswith(TEMPORARY) and not is_incidental(path) and _is_overwritten(path, serial)
    )


def _is_overwritten(path: str, serial: Serial) -> bool:
    alone = [_about(path, serial.alone(task)) for task in (0, 1)]
    first_ends, second_ends = (
        _about(path, serial.state(order.ending.entries)) for order in (serial.backward, serial.forward)
    )
    return all(alone) and alone[0] != alone[1] and [first_ends, second_ends] == alone


def _about(path: str, state: State) -> State:
    return {entry: count for entry, count in state.items() if path_of(entry[0]) == path}


def _in_sessions(stage: Stage, serial: Serial, flag: str) -> tuple[Run, Run] | None:
    """Nothing where the tool takes no session."""
    if stage.sessions:
        return _run_as_usual(stage, serial, stage.commands)
    for place in places_for_flags(stage.commands[0], stage.commands[1]):
        one, other = stage.commands
        commands = (with_option(one, place, flag, SESSIONS[0]), with_option(other, place, flag, SESSIONS[1]))
        runs = _run_as_usual(stage, serial, commands)
        if runs is not None and (_shows(runs) or _is_particular(stage, serial, place)):
            return runs
    return None


def _run_as_usual(stage: Stage, serial: Serial, commands: tuple[Command, Command]) -> tuple[Run, Run] | None:
    """Both, each alone; nothing where one of them ends otherwise than it does as it was given."""
    runs = []
    for task, command in enumerate(commands):
        stage.sandbox.restore()
        runs.append(stage.run(command))
        if status_of(runs[-1]) not in serial.statuses(task):
            return None
    return runs[0], runs[1]


def _shows(runs: tuple[Run, Run]) -> bool:
    """Whether a path is made that bears the session."""
    return all(
        any(call.mutating and session in call.path for call in run.calls)
        for run, session in zip(runs, SESSIONS, strict=True)
    )


def _is_particular(stage: Stage, serial: Serial, place: int) -> bool:
    """Whether the tool refuses an option that nobody knows: who takes whatever is given takes no session."""
    stage.sandbox.restore()
    run = stage.run(with_option(stage.commands[0], place, UNKNOWN, SESSIONS[0]))
    return status_of(run) not in serial.statuses(0)


def places_for_flags(one: Command, other: Command) -> tuple[int, ...]:
    """How many words stand behind the flag: none, or all but the program and what runs it.

    Of a line for a shell only the end is known.
    """
    words = len(one.argv)
    if SHELL in (one.argv[:2], other.argv[:2]) or words != len(other.argv):
        return (0,)
    return tuple(dict.fromkeys((0, *(words - heads for heads in range(1, MOST_HEADS + 1) if words > heads))))


def with_option(command: Command, place: int, flag: str, value: str) -> Command:
    """The command with the flag before so many of its last words."""
    if command.argv[:2] == SHELL:
        return Command((*SHELL, f"{command.argv[2]} {flag} {value}"))
    before = len(command.argv) - place
    return Command((*command.argv[:before], flag, value, *command.argv[before:]))


def temporary_paths(calls: Iterable[FileCall], locks: frozenset[str] = frozenset()) -> frozenset[str]:
    """What a command makes below the directories for temporary files, or makes and takes away again.

    What it makes elsewhere after it has taken one of the locks, to rename it or as a journal, is nobody else's.
    """
    calls = [call for call in calls if not call.outside]
    made = {call.path for call in calls if call.name in MAKING}
    gone = {call.path for call in calls if call.name in {"unlink", "rmdir"}}
    gone |= {call.other_path for call in calls if call.name == "rename"}
    held, under = locks_taken(calls), _made_under(calls, locks)
    return frozenset(
        path
        for path in made
        if (path.startswith(TEMPORARY) or path in gone - under) and path not in held and not LOCK_NAME.search(path)
    ) - _folders(made)


def _made_under(calls: Iterable[FileCall], locks: frozenset[str]) -> frozenset[str]:
    found: dict[str, bool] = {}
    held = False
    for call in calls:
        held = held or (call.path in locks and (call.locking or call.name in EXCLUSIVE))
        if call.name in MAKING:
            found.setdefault(call.path, held)
    return frozenset(path for path, under in found.items() if under)


def _folders(paths: Iterable[str]) -> frozenset[str]:
    """Directories that only lead to what was made: sharing them is no sharing."""
    return frozenset(path.rpartition("/")[0] for path in paths)
