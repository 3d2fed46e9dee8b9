"""Closure cells: the variables of one run of a function, which the functions nested in it share."""

from racehound.analysis.awaiting.tasks import Tasks
from racehound.analysis.locking.locks import THREAD_LOCKS
from racehound.analysis.meaning.kinds import Kinds
from racehound.analysis.threads.contexts import Contexts
from racehound.source.closures import scope_of
from racehound.source.events import Acquire, Place, Shape
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

CLOSURE = "@"
"""Between the name of a variable and that of the function whose variable it is, or of the class that has it."""


class Cells:
    """Each run of a function has cells of its own: threads share them if that run starts them, or decorates.

    A lock that it makes for the functions nested in it says so, too.
    """

    def __init__(self, contexts: Contexts, tasks: Tasks, kinds: Kinds) -> None:
        self._contexts = contexts
        self._tasks = tasks
        self._kinds = kinds
        self._locked: dict[ModuleFacts, frozenset[FunctionFacts]] = {}
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
        return scope in self._with_locks(scope.module) or any(
            context.starter.startswith(inside) for context in self._tasks.of(nested)
        )

    def _with_locks(self, module: ModuleFacts) -> frozenset[FunctionFacts]:
        """Functions that make a lock between threads which one nested in them takes."""
        if module not in self._locked:
            self._locked[module] = frozenset(
                scope
                for function in module.functions
                if Acquire in function.holds
                for event in function.events
                if isinstance(event, Acquire) and (scope := self._maker(function, event.value.place)) is not None
            )
        return self._locked[module]

    def _maker(self, function: FunctionFacts, place: Place | None) -> FunctionFacts | None:
        scope = scope_of(function, place.root) if place is not None and not place.attributes else None
        if scope is None or scope is function or place is None:
            return None
        made = (value for value in scope.bindings.get(place.root, ()) if value.shape is Shape.CALL)
        return scope if any(self._kinds.value(scope, value) & THREAD_LOCKS for value in made) else None


def plain_name(field: str) -> str:
    """A field as the source calls it."""
    return field.partition(CLOSURE)[0]


def class_in_common(field: str, owner: ClassFacts | ModuleFacts) -> ClassFacts | None:
    """The class of the module whose objects have the field in common."""
    name, _, scope = field.partition(CLOSURE)
    classes = owner.classes if scope and isinstance(owner, ModuleFacts) else ()
    return next((item for item in classes if item.qualified_name == scope and name in item.attributes), None)
