"""State that belongs to a class itself or to a module: there is one of it, whoever asks."""

from racehound.analysis.program import Program
from racehound.source.events import SELF
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_THREAD_MODULES = frozenset({"threading", "concurrent.futures", "_thread", "socketserver"})


def is_on_class(program: Program, owner: ClassFacts, function: FunctionFacts, root: str) -> bool:
    """True if the place that starts at `root` is an attribute of the class, not of an instance."""
    if root != SELF:
        return root == owner.qualified_name
    method = function
    while not method.is_method and method.parent is not None:
        method = method.parent
    if method.name == "__new__" or any(place.root == "classmethod" for place in method.decorators):
        return True
    return is_metaclass(program, owner)


def is_metaclass(program: Program, owner: ClassFacts) -> bool:
    return "type" in program.hierarchy.outside_bases(owner)


def knows_threads(module: ModuleFacts) -> bool:
    """True if the module itself deals with threads."""
    return any(
        name in _THREAD_MODULES or name.rpartition(".")[0] in _THREAD_MODULES for name in module.imports.values()
    )
