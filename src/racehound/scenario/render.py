"""State as a person reads it: `CircuitBreaker(_failures={'a': 1}, _disabled=set())`."""

from racehound.primitives.lock import ControlledLock, ControlledRLock
from racehound.scenario.snapshot import attributes_of, describe

DEPTH = 4
ITEMS = 12
WIDTH = 60


def render(subject: object, *, depth: int = DEPTH) -> str:
    """One line for an object and what it holds, without addresses and without locks."""
    match subject:
        case dict() if type(subject) is dict:
            pairs = [
                f"{render(key, depth=depth - 1)}: {render(item, depth=depth - 1)}" for key, item in subject.items()
            ]
            return "{" + _joined(pairs) + "}"
        case list() if type(subject) is list:
            return "[" + _joined([render(item, depth=depth - 1) for item in subject]) + "]"
        case tuple() if type(subject) is tuple:
            inner = _joined([render(item, depth=depth - 1) for item in subject])
            return f"({inner},)" if len(subject) == 1 else f"({inner})"
        case set() | frozenset():
            return (
                "{" + _joined(sorted(render(item, depth=depth - 1) for item in subject)) + "}"
                if subject
                else "set()"
            )
    return _render_object(subject, depth)


def _render_object(subject: object, depth: int) -> str:
    text = repr(subject)
    held = [
        (name, item)
        for name, item in attributes_of(subject)
        if not isinstance(item, ControlledLock | ControlledRLock)
    ]
    if " at 0x" not in text or isinstance(subject, type) or not held:
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
