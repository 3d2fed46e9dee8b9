"""Closure cells: the variables of one run of a function, which the functions nested in it share."""

from racehound.analysis.contexts import Context, Contexts
from racehound.source.facts import FunctionFacts

CLOSURE = "@"
"""Between the name of a variable and that of the function whose variable it is."""


class Cells:
    """Each run of a function has cells of its own: threads share them only if that run starts the threads."""

    def __init__(self, contexts: Contexts) -> None:
        self._contexts = contexts
        self._started: dict[FunctionFacts, frozenset[Context]] | None = None

    def are_shared(self, scope: FunctionFacts, nested: FunctionFacts) -> bool:
        """True if `nested` runs in a thread that `scope`, or something nested in it, starts."""
        if self._started is None:
            self._started = _started(self._contexts)
        return not self._started.get(scope, _NOTHING).isdisjoint(self._contexts.all(nested))


def plain_name(field: str) -> str:
    """A field as the source calls it."""
    return field.partition(CLOSURE)[0]


_NOTHING: frozenset[Context] = frozenset()


def _started(contexts: Contexts) -> dict[FunctionFacts, frozenset[Context]]:
    """What each function and those nested in it start."""
    found: dict[FunctionFacts, set[Context]] = {}
    for function, starts in contexts.spawns.items():
        scope: FunctionFacts | None = function
        while scope is not None and not scope.is_module_body:
            found.setdefault(scope, set()).update(context for _, context in starts)
            scope = scope.parent
    return {function: frozenset(started) for function, started in found.items()}
