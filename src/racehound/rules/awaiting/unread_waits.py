"""`done, _ = await asyncio.wait(tasks)` where nobody asks those that are done how they ended, only how many."""

from racehound.analysis.program import Program
from racehound.rules.awaiting.asked_tasks import additions, is_handed_on
from racehound.source.events import Bind, Call
from racehound.source.facts import FunctionFacts

_INQUIRIES = frozenset({"result", "exception", "gather", "add_done_callback"})
_LIMITS = frozenset({"return_when", "timeout"})
"""With one of these, some tasks may not be at their end."""


def is_unread_wait(program: Program, function: FunctionFacts, at: int, call: Call) -> bool:
    if call.callee is None or program.kinds.callee(function, call.callee) != "asyncio.wait":
        return False
    if not _LIMITS.isdisjoint(dict(call.keywords)) or any(function.calls_of(name) for name in _INQUIRIES):
        return False
    done, pending = (*function.events[at + 2 : at + 4], None, None)[:2]
    given = call.arguments[0].place if call.arguments else None
    if not (isinstance(done, Bind) and isinstance(pending, Bind)) or given is None:
        return False
    if given.attributes or given.root in function.parameters:
        return False
    counted = _is_only_counted(function, done.name, reads=0) and _is_only_counted(function, given.root, reads=1)
    return counted and not is_handed_on(function, call)


def _is_only_counted(function: FunctionFacts, name: str, *, reads: int) -> bool:
    return function.loads.get(name, 0) <= reads + additions(function, name)
