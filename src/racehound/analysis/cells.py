"""Closure cells: the variables of one run of a function, which the functions nested in it share."""

from racehound.analysis.contexts import Context, Contexts
from racehound.analysis.tasks import Tasks
from racehound.source.facts import FunctionFacts

CLOSURE = "@"
"""Between the name of a variable and that of the function whose variable it is."""


class Cells:
    """Each run of a function has cells of its own: threads and tasks share them only if that run starts them."""

    def __init__(self, contexts: Contexts, tasks: Tasks) -> None:
        self._contexts = contexts
        self._tasks = tasks
        self._started: dict[FunctionFacts, frozenset[Context]] | None = None

    def are_shared(self, scope: FunctionFacts, nested: FunctionFacts) -> bool:
        """True if `nested` runs in a thread or task that `scope`, or something nested in it, starts."""
        if self._started is None:
            self._started = _started(self._contexts)
        if not self._started.get(scope, _NOTHING).isdisjoint(self._contexts.all(nested)):
            return True
        inside = (f"{scope}:", f"{scope}.<locals>.")
        return any(context.starter.startswith(inside) for context in self._tasks.of(nested))


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
