"""What a call that was ended leaves behind, and whether it is in anybody's way."""

from collections.abc import Iterable

from racehound.audit.judge import is_incidental
from racehound.audit.masking import State
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


def under_common_names(files: Iterable[str], other: Run) -> tuple[str, ...]:
    """Those whose name the other command uses, too; a name of one's own is in nobody's way."""
    used = {path for call in other.calls for path in call.paths}
    return tuple(name for name in files if name.rstrip("/") in used)
