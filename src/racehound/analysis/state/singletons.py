"""State that belongs to a class itself or to a module: there is one of it, whoever asks."""

from collections.abc import Iterable

from racehound.analysis.locking.locks import THREAD_LOCKS
from racehound.analysis.meaning.callees import is_of_class
from racehound.analysis.meaning.metaclasses import is_metaclass
from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.analysis.state.hazards import is_none, stored
from racehound.source.events import SELF, Action, Call, Place, Shape, Touch
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_THREAD_MODULES = frozenset({"threading", "concurrent.futures", "_thread", "socketserver"})


def is_on_class(program: Program, owner: ClassFacts, function: FunctionFacts, root: str) -> bool:
    """True if the place that starts at `root` is an attribute of the class, not of an instance."""
    if root != SELF:
        return root == owner.qualified_name
    method = function
    while not method.is_method and method.parent is not None:
        method = method.parent
    return is_of_class(method) or is_metaclass(program.hierarchy, owner)


def class_containers(program: Program, owner: ClassFacts) -> frozenset[str]:
    """Containers made in the class body and never per object: all objects share them."""
    bases = program.hierarchy.linear(owner)
    written = {name for base in bases for name in program.kinds.written_names(base)}
    return frozenset(
        name
        for name, values in owner.attributes.items()
        if name not in written and any(value.shape is Shape.CONTAINER and value.name == "dict" for value in values)
    )


def has_lock(program: Program, module: ModuleFacts) -> bool:
    """True if a variable of the module is a lock between threads."""
    body = module.functions[0]
    return any(program.kinds.place(body, Place(name)) & THREAD_LOCKS for name in module.variables)


def may_be_single(program: Program, owner: ClassFacts) -> bool:
    """A cheap look: something of the class itself starts empty, and something of the class fills it."""
    if is_metaclass(program.hierarchy, owner):
        return True
    names = {name for name, values in owner.attributes.items() if any(map(is_none, values))}
    if not names:
        return False
    methods = [method for method in owner.methods.values() if is_of_class(method)]
    return any(_writes(method, names) for method in methods) or program.fields.is_named(owner)


def _writes(method: FunctionFacts, names: set[str]) -> bool:
    touches = (event for event in method.events if isinstance(event, Touch) and event.action is Action.WRITE)
    return any(touch.place.attributes[:1] and touch.place.attributes[0] in names for touch in touches)


def is_filled_at_import(program: Program, uses: Iterable[Use]) -> bool:
    """True if a module calls what fills it as it is imported: threads that come later find it there."""
    filling = dict.fromkeys(use.function for use in uses if use.changes)
    return any(
        caller.function.is_module_body
        and (caller.target is item or (caller.target is None and item.owner is None))
        for item in filling
        for caller in program.callers.named(item.name)
    )


def is_made_at_import(owner: ClassFacts) -> bool:
    """True if its own module makes the one object as it is imported: `settings = Settings()`."""
    body = owner.module.functions[0]
    return any(
        isinstance(event, Call) and event.callee is not None and event.callee.root == owner.name
        for event in body.events
    )


def makes_itself(owner: ClassFacts, act: Use) -> bool:
    """True for `cls()`, `object.__new__(cls)`, `super().__call__()`: it makes the one object of the class."""
    own = {SELF, owner.name, owner.qualified_name}
    for value in stored(act):
        named = [item.place for item in (value, *value.arguments) if item.place is not None]
        if value.name.startswith("__") or any(place.root in own and not place.attributes for place in named):
            return True
    return False


def knows_threads(module: ModuleFacts) -> bool:
    """True if the module itself deals with threads."""
    return any(
        name in _THREAD_MODULES or name.rpartition(".")[0] in _THREAD_MODULES for name in module.imports.values()
    )
