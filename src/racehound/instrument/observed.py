"""Which loaded modules are under observation.

Every outcome asks, and a process has hundreds of modules: the answer is kept while nothing speaks against it.
"""

import sys
import types
from typing import Final

from racehound.instrument.kinds import INSTRUMENTED


class ObservedModules:
    """The modules that carry the mark, among those that are loaded."""

    def __init__(self) -> None:
        self._loaded = -1
        self._known: list[tuple[str, types.ModuleType]] = []

    def mark(self, module: types.ModuleType, path: str) -> None:
        """The module runs code that was rewritten from this file."""
        vars(module)[INSTRUMENTED] = path
        self._loaded = -1

    def unmark(self, module: types.ModuleType) -> None:
        """The module runs its own code again."""
        vars(module).pop(INSTRUMENTED, None)
        self._loaded = -1

    def all(self) -> list[types.ModuleType]:
        """Every one, in the order of loading."""
        if not self._is_current():
            everything = list(sys.modules.items())
            self._loaded = len(everything)
            self._known = [pair for pair in everything if INSTRUMENTED in getattr(pair[1], "__dict__", ())]
        return [module for _, module in self._known]

    def _is_current(self) -> bool:
        """A module that only replaced another one would have been marked, or is none of ours."""
        replaced = any(sys.modules.get(name) is not module for name, module in self._known)
        return self._loaded == len(sys.modules) and not replaced


OBSERVED: Final = ObservedModules()
