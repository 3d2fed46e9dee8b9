"""Closure cells: the variables of one run of a function, which the functions nested in it share."""

from racehound.analysis.contexts import Contexts
from racehound.analysis.tasks import Tasks
from racehound.source.facts import FunctionFacts

CLOSURE = "@"
"""Between the name of a variable and that of the function whose variable it is."""


class Cells:
    """Each run of a function has cells of its own: threads share them if that run starts them, or decorates."""

    def __init__(self, contexts: Contexts, tasks: Tasks) -> None:
        self._contexts = contexts
        self._tasks = tasks

    def are_shared(self, scope: FunctionFacts, nested: FunctionFacts) -> bool:
        """True if `nested` runs in a thread or task that `scope`, or something nested in it, starts."""
        if scope in self._contexts.decorating and self._contexts.all(nested):
            return True
        if not self._contexts.started_within(scope).isdisjoint(self._contexts.all(nested)):
            return True
        inside = (f"{scope}:", f"{scope}.<locals>.")
        return any(context.starter.startswith(inside) for context in self._tasks.of(nested))


def plain_name(field: str) -> str:
    """A field as the source calls it."""
    return field.partition(CLOSURE)[0]
