"""State as a person reads it: `CircuitBreaker(_failures={'a': 1}, _disabled=set())`."""

import collections
import threading
import types
from collections.abc import Iterable

from racehound.engine.mirror import Mirror
from racehound.instrument.kinds import is_instrumented
from racehound.primitives.lock import ControlledLock, ControlledRLock
from racehound.scenario.data import is_withheld
from racehound.scenario.insides import items_of, pairs_of
from racehound.scenario.snapshot import (
    MACHINERY,
    MARK,
    attributes_of,
    describe,
    hidden_attributes,
    is_addressed,
)

DEPTH = 4
ITEMS = 12
WIDTH = 60
_CONTAINERS = (dict, list, tuple, set, frozenset, collections.deque)


def render(subject: object, *, depth: int = DEPTH) -> str:
    """One line for an object and what it holds, without addresses and without locks."""
    if is_local(subject) or is_withheld(subject) or isinstance(subject, MACHINERY):
        return _called(type(subject))
    if depth < 0 and isinstance(subject, _CONTAINERS) and _holds_something(subject):
        return "…"
    match subject:
        case dict():
            pairs = [
                f"{render(key, depth=depth - 1)}: {render(item, depth=depth - 1)}"
                for key, item in pairs_of(subject)
            ]
            return _of_kind(subject, dict, "{" + _joined(pairs) + "}", depth)
        case collections.deque():
            limit = "" if subject.maxlen is None else f", maxlen={subject.maxlen}"
            text = f"deque([{_joined(_rendered(subject, depth))}]{limit})"
            return _of_kind(subject, collections.deque, text, depth)
        case list():
            return _of_kind(subject, list, f"[{_joined(_rendered(subject, depth))}]", depth)
        case tuple() if not hasattr(subject, "_fields"):
            inner = _rendered(subject, depth)
            text = f"({inner[0]},)" if len(inner) == 1 else f"({_joined(inner)})"
            return _of_kind(subject, tuple, text, depth)
        case set() | frozenset():
            inside = sorted(_rendered(subject, depth))
            return "{" + _joined(inside) + "}" if inside else "set()"
    return _render_object(subject, depth)


def _holds_something(container: object) -> bool:
    return bool(pairs_of(container) if isinstance(container, dict) else items_of(container))  # type: ignore[arg-type]


def is_local(subject: object) -> bool:
    """Whether even to ask for its class would make what the thread has not used yet, by code of the program."""
    return issubclass(type(subject), threading.local)


def _rendered(container: Iterable[object], depth: int) -> list[str]:
    return [render(item, depth=depth - 1) for item in items_of(container)]


def _of_kind(subject: object, kind: type, text: str, depth: int) -> str:
    """A container; one of a class of its own has a name, and may have attributes."""
    if type(subject) is kind:
        return text
    held = _held(subject) if depth > 0 else []
    shown = [f"{name}={render(item, depth=depth - 1)}" for name, item in held]
    return f"{_called(type(subject))}({_joined([text, *shown])})"


def _must_not_speak(subject: object) -> bool:
    """Whether its text is made by code of the program, or may wait for a lock while everybody stands still."""
    member = type(subject).__repr__
    return isinstance(member, types.FunctionType) and (is_instrumented(member) or _holds_locks(subject, depth=2))


def _holds_locks(subject: object, *, depth: int) -> bool:
    if issubclass(type(subject), Mirror | threading.Condition | threading.Semaphore | threading.Event):
        return True
    return depth > 0 and any(_holds_locks(item, depth=depth - 1) for _, item in attributes_of(subject))


def _called(kind: type) -> str:
    """The name of a class as the program knows it: a model goes by the name of what it stands for."""
    is_model = kind.__module__.startswith("racehound.primitives.")
    return kind.__qualname__.removeprefix("Controlled") if is_model else kind.__qualname__


def _render_object(subject: object, depth: int) -> str:
    if isinstance(subject, type) and _called(subject) != subject.__qualname__:
        return f"<class {_called(subject)!r}>"
    text = "" if _must_not_speak(subject) else repr(subject)
    held = _held(subject)
    if text and (not is_addressed(text) or isinstance(subject, type) or not held):
        return describe(subject)
    if depth <= 0:
        return f"{_called(type(subject))}(…)"
    shown = [f"{name}={render(item, depth=depth - 1)}" for name, item in held]
    return f"{_called(type(subject))}({_joined(shown)})"


def _held(subject: object) -> list[tuple[str, object]]:
    """Its attributes, but for the locks and for what machinery keeps in it."""
    hidden = hidden_attributes(subject)
    found = [
        (name, item) for name, item in attributes_of(subject) if not (name in hidden or name.startswith(MARK))
    ]
    return [(name, item) for name, item in found if not is_lock(item)]


def is_lock(item: object) -> bool:
    """True for a lock, and for the methods of one that a condition keeps."""
    kind = type(item)  # not the class that it says it has: a proxy would ask what may be gone
    if kind is types.MethodType:
        kind = type(item.__self__)  # type: ignore[attr-defined]  # a method has one
    return issubclass(kind, ControlledLock | ControlledRLock)


def _joined(parts: list[str]) -> str:
    return ", ".join(parts if len(parts) <= ITEMS else [*parts[:ITEMS], "…"])


def short(subject: object) -> str:
    """The same, cut to fit a column."""
    text = render(subject, depth=2)
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
