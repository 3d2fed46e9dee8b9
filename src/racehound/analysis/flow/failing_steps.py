"""Steps that may raise: what is called, and nothing says that it comes back."""

import re

from racehound.analysis.program import Program
from racehound.source.events import Action, Call, Event, Exit, Touch
from racehound.source.facts import FunctionFacts

_SURE = frozenset(
    {
        *("add", "append", "appendleft", "clear", "copy", "discard", "extend", "get", "items", "keys", "pop"),
        *("popleft", "put", "put_nowait", "setdefault", "update", "values"),
        *(
            "bool",
            "bytes",
            "deque",
            "dict",
            "enumerate",
            "id",
            "isinstance",
            "len",
            "list",
            "max",
            "min",
            "range",
            "reversed",
        ),
        *("set", "sorted", "str", "super", "tuple", "zip"),
        *("abs", "all", "any", "callable", "hasattr", "iter", "repr", "round", "type"),
        *("endswith", "isoformat", "lower", "startswith", "strip", "title", "total_seconds", "upper"),
        *("cancel", "cancelled", "done", "empty", "full", "is_alive", "qsize", "wait"),
        *("acquire", "is_set", "lock", "locked", "notify", "notifyAll", "notify_all", "release", "unlock"),
        *("currentThread", "current_thread", "get_ident", "getpid", "monotonic", "perf_counter", "time"),
        *(
            "critical",
            "debug",
            "error",
            "exception",
            "getLogger",
            "info",
            "log",
            "msg",
            "print",
            "warn",
            "warning",
        ),
    }
)
"""What hardly ever raises: counts, notes in containers, clocks, messages."""

_PLAIN_MODULES = frozenset(
    {"atexit", "gc", "itertools", "logging", "math", "random", "sys", "threading", "time", "uuid"}
)
"""Modules of the standard library whose functions note, count or make something, and come back."""

_QUESTIONS = re.compile(r"_*(is|has|was)_[a-z]\w*|\w+_(available|ready|enabled)")
"""Methods that only look, where they are told nothing."""

_DEPTH = 3
"""Steps of the program that are followed."""

_OURSELVES = frozenset({"currentThread", "current_thread", "current_task", "get_ident"})


def may_raise(program: Program, function: FunctionFacts, event: Event) -> bool:
    """True for a call, and for the removal of an entry whose key the caller names: it need not be there."""
    if isinstance(event, Touch):
        return event.action is Action.DELETE and _is_named_by_caller(function, event)
    return isinstance(event, Call) and _may_call_raise(program, function, event, _DEPTH)


def _is_named_by_caller(function: FunctionFacts, removal: Touch) -> bool:
    """True for `del self.rows[key]` of a parameter, unless the function asks `if key in self.rows` somewhere."""
    if (removal.key or "").strip("[]") not in function.parameters:
        return False
    looks = (event for event in function.events if isinstance(event, Touch) and event.action is Action.CHECK)
    return not any(event.place == removal.place for event in looks)


def _may_call_raise(program: Program, function: FunctionFacts, call: Call, depth: int) -> bool:
    """True for a call of which nothing says that it comes back: not a plain step of the program itself."""
    if call.method in _SURE or _takes_itself_out(call) or _makes_of_nothing(call):
        return False
    target = program.calls.target(function, call)
    if target is None and (_only_asks(call) or _is_of_plain_module(program, function, call)):
        return False
    return (
        not depth
        or target is None
        or any(
            (isinstance(event, Exit) and event.kind == "raise")
            or (isinstance(event, Call) and _may_call_raise(program, target, event, depth - 1))
            for event in target.events
        )
    )


def _takes_itself_out(call: Call) -> bool:
    """True for `threads.remove(current_thread())`: whoever notes itself there takes the note out once."""
    return call.method == "remove" and any(value.name in _OURSELVES for value in call.arguments)


def _makes_of_nothing(call: Call) -> bool:
    """True for `Deferred()`: an object that is told nothing has nothing to refuse."""
    return call.method[:1].isupper() and not call.arguments and not call.keywords


def _only_asks(call: Call) -> bool:
    """True for `self.proxy.data_available()`."""
    return not call.arguments and not call.keywords and _QUESTIONS.fullmatch(call.method) is not None


def _is_of_plain_module(program: Program, function: FunctionFacts, call: Call) -> bool:
    known = program.kinds.callee(function, call.callee) if call.callee is not None else None
    return isinstance(known, str) and known.partition(".")[0] in _PLAIN_MODULES
