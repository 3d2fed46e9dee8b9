"""Whether two calls keep their temporary files apart, as seen in their file calls."""

from collections.abc import Iterable
from dataclasses import dataclass

from racehound.audit.ending import status_of
from racehound.audit.locks import LOCK_NAME, locks_taken
from racehound.audit.serial import Serial
from racehound.audit.stage import Stage
from racehound.processes.calls import FileCall
from racehound.processes.command import SHELL, Command

SESSION = "{session}"
SESSIONS = ("racehound-a", "racehound-b")
MAKING = frozenset({"open-create", "open-append", "open-exclusive", "open-truncate", "mkdir", "symlink", "link"})
TEMPORARY = ("tmp/", "runtime/", "xdg/runtime/", "/tmp/", "/var/tmp/", "/dev/shm/")  # noqa: S108 - names to look for


@dataclass(frozen=True, slots=True, kw_only=True)
class Isolation:
    known: bool
    """Whether the tool takes the flag."""
    shared: tuple[str, ...]
    """Temporary paths that both calls use, each with a session of its own where the flag is known."""
    count: int = 0
    """How many temporary paths were seen."""


def isolation(stage: Stage, serial: Serial, flag: str) -> Isolation:
    """Run both commands alone, each with a session of its own, and compare where they put what they throw away."""
    runs = []
    for task, command in enumerate(stage.commands):
        stage.sandbox.restore()
        runs.append(stage.run(command if stage.sessions else with_session(command, flag, SESSIONS[task])))
    known = all(status_of(run) in serial.statuses(task) for task, run in enumerate(runs))
    if not known:
        runs = [serial.forward.first, serial.backward.second]
    ours, theirs = (temporary_paths(run.calls) for run in runs)
    return Isolation(known=known, shared=tuple(sorted(ours & theirs)), count=len(ours | theirs))


def with_session(command: Command, flag: str, session: str) -> Command:
    """The command with the flag at its end."""
    if command.argv[:2] == SHELL:
        return Command((*SHELL, f"{command.argv[2]} {flag} {session}"))
    return Command((*command.argv, flag, session))


def temporary_paths(calls: Iterable[FileCall]) -> frozenset[str]:
    """What a command makes below the directories for temporary files, or makes and takes away again."""
    calls = [call for call in calls if not call.outside]
    made = {call.path for call in calls if call.name in MAKING}
    gone = {call.path for call in calls if call.name in {"unlink", "rmdir"}}
    gone |= {call.other_path for call in calls if call.name == "rename"}
    locks = locks_taken(calls)
    return frozenset(
        path
        for path in made
        if (path in gone or path.startswith(TEMPORARY)) and path not in locks and not LOCK_NAME.search(path)
    ) - _folders(made)


def _folders(paths: Iterable[str]) -> frozenset[str]:
    """Directories that only lead to what was made: sharing them is no sharing."""
    return frozenset(path.rpartition("/")[0] for path in paths)
