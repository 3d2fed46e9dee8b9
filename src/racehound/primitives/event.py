"""`threading.Event`: setting it releases exactly those who wait at that moment.

The original reads its flag without a lock, so its own form on controlled locks would publish too little. The
flag stays where the original keeps it; those who wait hold a ticket, because a flag that is set and cleared
again has released them all the same.
"""

import threading
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.primitives.replacement import Replacement

_is_set = threading.Event.is_set
_set = threading.Event.set
_clear = threading.Event.clear
_wait = threading.Event.wait
_TICKETS: Final = "_racehound_tickets"


class Ticket:
    """A place in the queue of those who wait."""

    __slots__ = ("released",)

    def __init__(self) -> None:
        self.released = False

    def is_released(self) -> bool:
        return self.released


def _publish(execution: Execution, event: threading.Event, kind: Kind, *, writes: bool) -> None:
    effect = Effect(execution.number(event), WHOLE, writes)
    execution.step(Operation(kind, (effect,), site=CONTROL.site, label="event"))


def is_set(self: Any) -> bool:
    execution = CONTROL.in_charge()
    if execution is not None:
        _publish(execution, self, Kind.CHECK, writes=False)
    return _is_set(self)


def set_(self: Any) -> None:
    execution = CONTROL.in_charge()
    if execution is None:
        _set(self)
        return
    _publish(execution, self, Kind.NOTIFY, writes=True)
    self._flag = True
    for ticket in vars(self).pop(_TICKETS, ()):
        ticket.released = True


def clear(self: Any) -> None:
    execution = CONTROL.in_charge()
    if execution is None:
        _clear(self)
        return
    _publish(execution, self, Kind.WRITE, writes=True)
    self._flag = False


def wait(self: Any, timeout: float | None = None) -> bool:
    execution = CONTROL.in_charge()
    if execution is None:
        return _wait(self, timeout)
    _publish(execution, self, Kind.CHECK, writes=False)
    if self._flag:
        return True
    ticket = Ticket()
    vars(self).setdefault(_TICKETS, []).append(ticket)
    execution.step(
        Operation(
            Kind.WAIT,
            (Effect(execution.number(self), WHOLE, writes=False),),
            site=CONTROL.site,
            label="event",
            ready=ticket.is_released,
            deadline=None if timeout is None else execution.after(max(timeout, 0)),
        )
    )
    return ticket.released


REPLACEMENTS: Final = (
    Replacement(threading.Event, "is_set", is_set),
    Replacement(threading.Event, "set", set_),
    Replacement(threading.Event, "clear", clear),
    Replacement(threading.Event, "wait", wait),
)
