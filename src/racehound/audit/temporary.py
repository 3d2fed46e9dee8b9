"""Where temporary files lie, and which of them are in nobody's way."""

from racehound.audit.masking import STAR, State, path_of
from racehound.processes.outcome import Run

TEMPORARY = ("tmp/", "runtime/", "xdg/runtime/", "/tmp/", "/var/tmp/", "/dev/shm/")  # noqa: S108 - names to look for


def lasting(state: State) -> State:
    """Without temporary files with a name of their own: what a killed call leaves there is in nobody's way."""
    return {
        entry: count
        for entry, count in state.items()
        if not (entry[0].startswith(TEMPORARY) and STAR in path_of(entry[0]))
    }


def without_litter(state: State, wanted: State, other: Run) -> State:
    """Without what is more than wanted among the temporary files, where the other call touches none of it."""
    used = {path for call in other.calls for path in call.paths}
    kept = {
        entry: min(count, wanted.get(entry, 0)) if _is_litter(path_of(entry[0]), used) else count
        for entry, count in state.items()
    }
    return {entry: count for entry, count in kept.items() if count}


def _is_litter(path: str, used: set[str]) -> bool:
    return path.startswith(TEMPORARY) and path.rstrip("/") not in used
