"""What an object without a type may be: the one class of the module that has all that is asked of it.

`def serve(holder): Thread(target=holder.predict)` beside `class ModelHolder` with the only `predict` of the
module: small programs hand objects around without a word of what they are. A name that containers, files, threads
or queues have as well says nothing, and nothing is guessed for an object that something else is asked of.
"""

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from racehound.source.closures import scope_of
from racehound.source.events import SELF, Acquire, Bind, Call, Pause, Place, Release, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts

if TYPE_CHECKING:
    from racehound.analysis.meaning.kinds import Kinds

_COMMON = frozenset(name for kind in (dict, list, set, str, bytes, deque) for name in dir(kind)) | {
    *(
        "accept",
        "acquire",
        "bind",
        "cancel",
        "close",
        "cleanup",
        "commit",
        "connect",
        "cursor",
        "delete",
        "disconnect",
    ),
    *("done", "emit", "exception", "execute", "exists", "fetch", "fetchone", "fetchall", "flush", "get_nowait"),
    *("handle", "is_alive", "is_set", "listen", "main", "mkdir", "notify", "notify_all", "open", "parse", "ping"),
    *(
        "post",
        "process",
        "publish",
        "put",
        "put_nowait",
        "query",
        "read",
        "readline",
        "recv",
        "refresh",
        "release",
    ),
    *("request", "reset", "result", "resume", "rollback", "run", "save", "seek", "send", "sendall", "set"),
    *("set_result", "set_exception", "shutdown", "start", "stop", "submit", "task_done", "tell", "terminate"),
    *("unlink", "wait", "write", "writelines"),
}
"""Methods that many kinds of objects have."""


def likely_class(kinds: "Kinds", function: FunctionFacts, place: Place) -> ClassFacts | None:
    """Of the object that a method is called on, where nothing says what it is."""
    if place.root == SELF or len(place.attributes) != 1 or place.attributes[0] in _COMMON:
        return None
    owner = kinds.only_one_with(function.module, place.attributes[0])
    if owner is None or owner.name.endswith("Mixin") or not _is_untyped(function, place.root):
        return None
    if place.attributes[0] == function.name:
        return None  # it hands on to something of another kind
    if owner.methods[place.attributes[0]].is_async and not function.is_async:
        return None
    asked = set(_asked_of(function, place.root))
    return owner if all(_has(kinds, owner, name) for name in asked) else None


def _is_untyped(function: FunctionFacts, name: str) -> bool:
    """True for a parameter, or a local variable that is given an object by something that cannot be seen."""
    scope = scope_of(function, name)
    if scope is None or scope.is_module_body or name in scope.annotations:
        return False
    if name in scope.parameters:
        return name not in scope.bound
    values = scope.bindings.get(name, [])
    return all(value.shape in {Shape.OTHER, Shape.PLACE} for value in values)


def _has(kinds: "Kinds", owner: ClassFacts, name: str) -> bool:
    return kinds.hierarchy.method(owner, name) is not None or any(
        kinds.declares(item, name) for item in kinds.hierarchy.linear(owner)
    )


def _asked_of(function: FunctionFacts, name: str) -> Iterator[str]:
    for place in _places(function):
        if place.root == name and place.attributes:
            yield place.attributes[0]


def _places(function: FunctionFacts) -> Iterator[Place]:
    for event in function.events:
        if isinstance(event, Touch):
            yield event.place
            yield from _within(event.values)
        elif isinstance(event, Call):
            if event.callee is not None:
                yield event.callee
            yield from _within((*event.arguments, *(value for _, value in event.keywords)))
        elif isinstance(event, Bind):
            yield from _within(event.values)
        elif isinstance(event, Acquire | Release | Pause):
            yield from _within((event.value,))


def _within(values: tuple[Value, ...]) -> Iterator[Place]:
    for value in values:
        if value.place is not None:
            yield value.place
        yield from _within((*value.arguments, *(item for _, item in value.keywords)))
