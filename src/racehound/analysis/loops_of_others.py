"""Objects that the loop of a framework calls, one step after the other: widgets, and what works with a reactor."""

from racehound.analysis.hierarchy import Hierarchy
from racehound.source.facts import ClassFacts, ModuleFacts

_WINDOWS = frozenset({"PyQt5", "PyQt6", "PySide2", "PySide6", "qtpy", "QtCore", "QtWidgets", "QtGui"})
_REACTOR = "twisted.internet"
_THREADS = ("callInThread", "callFromThread", "deferToThread", "import threading", "from threading")


def is_on_foreign_loop(hierarchy: Hierarchy, owner: ClassFacts) -> bool:
    bases = (name.split(".") for name in hierarchy.outside_bases(owner))
    return any(not _WINDOWS.isdisjoint(parts) for parts in bases) or _works_with_reactor(owner.module)


def _works_with_reactor(module: ModuleFacts) -> bool:
    """True if the module uses the reactor, and says nothing of threads."""
    known = any(origin.startswith(_REACTOR) for origin in module.imports.values())
    return known and not any(word in module.text for word in _THREADS)
