"""Values of which there is to be one: connections, clients, pools, tasks, threads."""

import re
from collections.abc import Iterator

from racehound.analysis.state.fields import Use
from racehound.analysis.state.plain import PROTOCOLS
from racehound.source.events import Bind, Pause, Shape

_OBJECT = re.compile(
    r"(?i)connect|client|session|(^|_)conn(_|$)|pool|channel|socket|(^|[^bc])lock|semaphore|task|producer|consumer|transport"
    rf"|engine|browser|(^|_)(open|start|spawn|launch|acquire|subscribe|log_?in)(_|$)|{PROTOCOLS}"
)
_RUNNING = re.compile(r"(?i)thread|timer|process|popen|server|executor|worker|observer|scheduler|daemon")
"""What goes on by itself once it is made: a second one does everything twice."""
_OPENED = re.compile(
    rf"(?i)connect|socket|(^|_)(open|start|spawn|launch|acquire|subscribe|log_?in)(_|$)|{PROTOCOLS}"
)
"""What the other side has taken notice of when it is made."""


def keeps_object(act: Use) -> bool:
    """True if what is stored is one of its kind: of two, one is never closed, and its users miss the others."""
    return any(_OBJECT.search(name) for name in _makers(act))


def keeps_life(act: Use) -> bool:
    """True for the same, and for what runs by itself."""
    return any(map(is_alive, _makers(act)))


def is_begun(act: Use) -> bool:
    """True for what runs or is open once it is made, a thread or a connection; a client may wait for its use."""
    return any(_RUNNING.search(name) or _OPENED.search(name) for name in _makers(act))


def is_alive(name: str) -> bool:
    """True if the name of what makes it says that it is open, or runs."""
    return bool(_OBJECT.search(name) or _RUNNING.search(name))


def is_looked_up(act: Use) -> bool:
    """True for `index = client.describe(name)` by way of a variable: whoever asks again gets the same."""
    awaited = act.index > 0 and isinstance(act.function.events[act.index - 1], Pause)
    by_name = awaited or all(value.shape is Shape.PLACE for value in act.touch.values)
    names = [name for name in _makers(act) if name] if by_name else []
    return bool(names) and all(_ASKS.match(name) for name in names)


_ASKS = re.compile(
    r"_*(describe|fetch|read|query|list|lookup|look_up|find|retrieve|resolve|load_config|get_info)(_|$)"
)


def _makers(act: Use) -> Iterator[str]:
    """What the stored value comes from: a call, or one that is awaited, directly or by way of a variable."""
    events = act.function.events
    for value in act.touch.values:
        at = act.index
        if value.shape is Shape.PLACE and value.place is not None:
            binds = [index for index in range(at) if _binds(events[index], value.place.root)]
            at = binds[-1] if binds else at
            bound = events[at]
            yield from (made.name for made in bound.values if made.name) if isinstance(bound, Bind) else ()
        awaited = events[at - 1] if at else None
        yield value.name or (awaited.value.name if isinstance(awaited, Pause) else "")


def _binds(event: object, name: str) -> bool:
    """True for the variable itself, and for that of which an attribute is taken: `found` of `found.items`."""
    return isinstance(event, Bind) and event.name == name
