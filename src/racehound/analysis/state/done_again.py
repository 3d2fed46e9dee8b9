"""Work that is to be done once: its flag is looked at before the lock is taken, and not again under the lock."""

from racehound.analysis.program import Program
from racehound.analysis.state.gaps import Gap
from racehound.analysis.state.told import NOTING, SAYING, WORDING
from racehound.source.events import Acquire, Call, Event, Shape, Touch


def is_done_again(program: Program, gap: Gap) -> bool:
    """True if who has waited for the lock does the work once more, though the flag says by now that it is done."""
    act, look = gap.act, gap.check
    values = act.use.touch.values
    raises = bool(values) and all(value.shape is Shape.CONSTANT and value.name == "True" for value in values)
    if not raises or not act.is_inside or not look.is_inside or look.locks or not act.locks:
        return False
    place = act.use.touch.place
    if NOTING.fullmatch((place.attributes or (place.root,))[-1]):
        return False  # a message at most
    entry = _entry(program, gap)
    return entry is not None and any(map(_is_work, gap.function.events[entry : act.at]))


def _entry(program: Program, gap: Gap) -> int | None:
    """Where the lock is taken under which the flag is set; None where it is so for the whole function."""
    for index in range(gap.act.at - 1, gap.decided, -1):
        event = gap.function.events[index]
        if isinstance(event, Acquire) and program.locksets.taken(gap.function, event.value) & gap.act.locks:
            return index + 1
    return None


def _is_work(event: Event) -> bool:
    """Something is added or called, and it is no message."""
    if isinstance(event, Touch):
        return event.method in {"append", "appendleft", "extend", "insert"}
    return isinstance(event, Call) and event.method not in SAYING | WORDING | _LOOKS


_LOOKS = frozenset({"get_ident", "get_native_id", "current_thread", "getpid", "isinstance", "hasattr", "getattr"})
