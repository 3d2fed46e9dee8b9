"""Functions that run when an object goes, at any allocation of any thread, or when a signal comes."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.calls import Calls
from racehound.analysis.kinds import Kinds
from racehound.source.events import Call
from racehound.source.facts import FunctionFacts

_REGISTRARS = {
    "signal.signal": 1,
    "weakref.finalize": 1,
    "weakref.ref": 1,
    "weakref.proxy": 1,
    "gc.callbacks.append": 0,
}
"""Where among the arguments the function stands."""
_COLLECTOR = ("callbacks", "append")
REGISTERING = frozenset(name.rpartition(".")[2] for name in _REGISTRARS) - {"append"}
"""Last names of what has a function called when an object goes, or by a signal."""


class Registered(NamedTuple):
    function: FunctionFacts
    is_signal: bool


def registered(calls: Calls, kinds: Kinds, function: FunctionFacts, call: Call) -> Iterator[Registered]:
    """The function of the program that a call has run at any moment."""
    if call.callee is None or not (call.method in REGISTERING or call.callee.attributes == _COLLECTOR):
        return
    name = kinds.callee(function, call.callee)
    position = _REGISTRARS.get(name) if isinstance(name, str) else None
    if position is None or len(call.arguments) <= position:
        return
    target = calls.function(function, call.arguments[position])
    if target is not None:
        yield Registered(target, is_signal=name == "signal.signal")
