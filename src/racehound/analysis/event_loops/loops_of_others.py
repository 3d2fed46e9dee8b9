"""Objects that the loop of a framework calls, one step after the other: widgets, and what works with a reactor."""

from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.source.facts import ClassFacts, ModuleFacts

_WINDOWS = frozenset({"PyQt5", "PyQt6", "PySide2", "PySide6", "qtpy", "QtCore", "QtWidgets", "QtGui"})
_TOOLKITS = frozenset({"tkinter", "Tkinter", "wx"})
_REACTOR = "twisted.internet"
_THREADS = frozenset({"callInThread", "callFromThread", "deferToThread"})


def is_on_foreign_loop(hierarchy: Hierarchy, owner: ClassFacts) -> bool:
    bases = (name.split(".") for name in hierarchy.outside_bases(owner))
    return any(not _WINDOWS.isdisjoint(parts) for parts in bases) or _works_with_reactor(owner.module)


def knows_windows(module: ModuleFacts) -> bool:
    """True for a module that has to do with windows, of any toolkit."""
    parts = (origin.partition(".")[0] for origin in module.imports.values())
    return not (_WINDOWS | _TOOLKITS).isdisjoint(parts)


def draws_windows(module: ModuleFacts) -> bool:
    """True for a module of windows: their toolkit belongs to one thread, whatever threads a caller starts."""
    return not _TOOLKITS.isdisjoint(origin.partition(".")[0] for origin in module.imports.values())


def _works_with_reactor(module: ModuleFacts) -> bool:
    """True if the module uses the reactor, and says nothing of threads."""
    origins = set(module.imports.values())
    if "threading" in {origin.partition(".")[0] for origin in origins} or not _THREADS.isdisjoint(module.callers):
        return False
    return any(origin.startswith(_REACTOR) for origin in origins)
