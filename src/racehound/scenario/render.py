"""State as a person reads it: `CircuitBreaker(_failures={'a': 1}, _disabled=set())`."""

import types
from collections.abc import Iterable

from racehound.instrument.kinds import is_instrumented
from racehound.primitives.lock import ControlledLock, ControlledRLock
from racehound.scenario.insides import items_of, pairs_of
from racehound.scenario.snapshot import attributes_of, describe, is_addressed

DEPTH = 4
ITEMS = 12
WIDTH = 60


def render(subject: object, *, depth: int = DEPTH) -> str:
    """One line for an object and what it holds, without addresses and without locks."""
    match subject:
        case dict():
            pairs = [
                f"{render(key, depth=depth - 1)}: {render(item, depth=depth - 1)}"
                for key, item in pairs_of(subject)
            ]
            return _of_kind(subject, dict, "{" + _joined(pairs) + "}")
        case list():
            return _of_kind(subject, list, f"[{_joined(_rendered(subject, depth))}]")
        case tuple() if not hasattr(subject, "_fields"):
            inner = _rendered(subject, depth)
            return _of_kind(subject, tuple, f"({inner[0]},)" if len(inner) == 1 else f"({_joined(inner)})")
        case set() | frozenset():
            inside = sorted(_rendered(subject, depth))
            return "{" + _joined(inside) + "}" if inside else "set()"
    return _render_object(subject, depth)


def _rendered(container: Iterable[object], depth: int) -> list[str]:
    return [render(item, depth=depth - 1) for item in items_of(container)]


def _of_kind(subject: object, kind: type, text: str) -> str:
    return text if type(subject) is kind else f"{type(subject).__qualname__}({text})"


def _speaks_for_itself(kind: type) -> bool:
    """Whether the text of its instances is made by code of the program, which must not run now."""
    member = kind.__repr__
    return isinstance(member, types.FunctionType) and is_instrumented(member)


def _render_object(subject: object, depth: int) -> str:
    text = "" if _speaks_for_itself(type(subject)) else repr(subject)
    held = [
        (name, item)
        for name, item in attributes_of(subject)
        if not isinstance(item, ControlledLock | ControlledRLock)
    ]
    if text and (not is_addressed(text) or isinstance(subject, type) or not held):
        return describe(subject)
    if depth <= 0:
        return f"{type(subject).__qualname__}(…)"
    shown = [f"{name}={render(item, depth=depth - 1)}" for name, item in held]
    return f"{type(subject).__qualname__}({_joined(shown)})"


def _joined(parts: list[str]) -> str:
    return ", ".join(parts if len(parts) <= ITEMS else [*parts[:ITEMS], "…"])


def short(subject: object) -> str:
    """The same, cut to fit a column."""
    text = render(subject, depth=2)
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"
