"""Objects in containers that belong to a loop: `for queue in self._queues[topic]: queue.put_nowait(item)`."""

from racehound.analysis.program import Program
from racehound.source.events import SELF, Call
from racehound.source.facts import FunctionFacts

_MAKERS = {"put_nowait": "asyncio.Queue", "set_result": "create_future"}
"""By what is called, what makes an object of a loop that has it."""
_OTHERS = frozenset({"queue", "multiprocessing", "concurrent", "janus"})
"""Packages whose objects have the same methods, and may be used by any thread."""


def is_of_its_kind(program: Program, function: FunctionFacts, call: Call) -> bool:
    """True if the class makes what only a loop has, and its module knows nothing else with such a method."""
    maker, receiver = _MAKERS.get(call.method), call.receiver
    place = receiver.place if receiver is not None else None
    if maker is None or function.owner is None or place is None or place.root == SELF or place.attributes:
        return False
    if place.root not in function.bound or _knows_others(function):
        return False
    made = program.hierarchy.effective(function.owner)
    return any(_makes(program, item, maker) for item in made)


def _knows_others(function: FunctionFacts) -> bool:
    return any(origin.partition(".")[0] in _OTHERS for origin in function.module.imports.values())


def _makes(program: Program, function: FunctionFacts, maker: str) -> bool:
    calls = [call for _, call in function.calls_of(maker.rpartition(".")[2])]
    if "." not in maker:
        return bool(calls)
    return any(call.callee and program.kinds.callee(function, call.callee) == maker for call in calls)
