"""Closure cells: the variables of one run of a function, which the functions nested in it share."""

from racehound.analysis.awaiting.tasks import Tasks
from racehound.analysis.threads.contexts import Contexts
from racehound.source.events import Place
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

CLOSURE = "@"
"""Between the name of a variable and that of the function whose variable it is, or of the class that has it."""


class Cells:
    """Each run of a function has cells of its own: threads share them if that run starts them, or decorates."""

    def __init__(self, contexts: Contexts, tasks: Tasks) -> None:
        self._contexts = contexts
        self._tasks = tasks
        self._started = frozenset(function for function, _ in contexts.given)

    def concern(self, function: FunctionFacts) -> bool:
        """True for what is nested in another function, or started with something."""
        if function.parent is not None and not function.parent.is_module_body:
            return True
        return function in self._started

    def are_shared(self, scope: FunctionFacts, nested: FunctionFacts, name: str) -> bool:
        """True if `nested` runs in a thread or task that `scope`, or something nested in it, starts.

        What a function is started with it shares with all who are started with the same.
        """
        if scope is nested:
            return (nested, name) in self._contexts.given and self._contexts.shares(nested, Place(name))
        if scope in self._contexts.decorating and self._contexts.all(nested):
            return True
        if scope in self._tasks.decorating and self._tasks.of(nested):
            return True
        if not self._contexts.started_within(scope).isdisjoint(self._contexts.all(nested)):
            return True
        inside = (f"{scope}:", f"{scope}.<locals>.")
        return any(context.starter.startswith(inside) for context in self._tasks.of(nested))


def plain_name(field: str) -> str:
    """A field as the source calls it."""
    return field.partition(CLOSURE)[0]


def class_in_common(field: str, owner: ClassFacts | ModuleFacts) -> ClassFacts | None:
    """The class of the module whose objects have the field in common."""
    name, _, scope = field.partition(CLOSURE)
    classes = owner.classes if scope and isinstance(owner, ModuleFacts) else ()
    return next((item for item in classes if item.qualified_name == scope and name in item.attributes), None)
