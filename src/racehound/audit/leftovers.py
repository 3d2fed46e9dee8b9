"""What a call that was ended leaves behind, and whether it is in anybody's way."""

from collections.abc import Iterable

from racehound.audit.isolation import TEMPORARY
from racehound.audit.judge import is_incidental
from racehound.audit.masking import STAR, State, path_of
from racehound.processes.outcome import Run


def new_files(after: State, *known: State) -> tuple[str, ...]:
    names = {name for state in known for name, _ in state}
    new = {name for name, _ in after if ": " not in name and name not in names}
    return tuple(sorted(name for name in new if not is_incidental(name)))


def without(state: State, files: Iterable[str]) -> State:
    """What is there beside these files and what they hold."""
    listed = tuple(files)
    inside = tuple(beginning for file in listed for beginning in (f"{file}: ", f"{file}/"))
    return {
        entry: count
        for entry, count in state.items()
        if entry[0] not in listed and not entry[0].startswith((*inside, *(f for f in listed if f.endswith("/"))))
    }


def lasting(state: State) -> State:
    """Without temporary files with a name of their own: what a killed call leaves there is in nobody's way."""
    return {
        entry: count
        for entry, count in state.items()
        if not (entry[0].startswith(TEMPORARY) and STAR in path_of(entry[0]))
    }


def under_common_names(files: Iterable[str], other: Run) -> tuple[str, ...]:
    """Those whose name the other command uses, too; a name of one's own is in nobody's way."""
    used = {path for call in other.calls for path in call.paths}
    return tuple(name for name in files if name.rstrip("/") in used)
