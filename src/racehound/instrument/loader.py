"""Imports modules in their instrumented form."""

import builtins
import linecache
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path

from racehound.engine.control import CONTROL
from racehound.instrument.hooks import HOOKS, callee
from racehound.instrument.observed import OBSERVED
from racehound.instrument.rewrite import compiled
from racehound.instrument.territory import Territory
from racehound.instrument.ways import TAKEN, WAYS


class InstrumentingLoader(SourceFileLoader):
    """Compiles the rewritten tree; byte code is never cached, so plain runs are not affected."""

    def __init__(self, fullname: str, path: str, override: str | None) -> None:
        super().__init__(fullname, path)
        self._override = override
        if override is not None:  # whoever asks for the source of a function is told what runs
            linecache.cache[path] = (len(override), None, override.splitlines(keepends=True), path)

    def get_code(self, fullname: str) -> types.CodeType:
        source = self._override if self._override is not None else self.get_source(fullname)
        return compiled(source or "", self.path, fullname)

    def exec_module(self, module: types.ModuleType) -> None:
        OBSERVED.mark(module, self.path)
        super().exec_module(module)


class InstrumentingFinder:
    """Takes over the modules of a territory.

    The base class that such finders may have lives in a module that takes longer to import than most of ours.
    """

    def __init__(self, territory: Territory, overrides: Mapping[str, str]) -> None:
        self._territory = territory
        self._overrides = {str(Path(path).resolve()): text for path, text in overrides.items()}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None or not isinstance(spec.loader, SourceFileLoader):
            return None
        origin = Path(spec.origin).resolve()
        if origin not in self._territory:
            return None
        spec.loader = InstrumentingLoader(fullname, spec.origin, self._overrides.get(str(origin)))
        return spec


@contextmanager
def hooks_installed() -> Iterator[None]:
    """Instrumented code finds its hooks among the built-in names."""
    for name, hook in HOOKS.items():
        setattr(builtins, name, hook)
    setattr(builtins, TAKEN, WAYS.taken)
    CONTROL.callee = callee
    yield


@contextmanager
def instrumenting(
    territory: Territory | Sequence[Path], overrides: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Within this context, modules of the territory (or below the paths) are imported instrumented."""
    where = territory if isinstance(territory, Territory) else Territory(territory)
    finder = InstrumentingFinder(where, overrides or {})
    with hooks_installed():
        sys.meta_path.insert(0, finder)
        try:
            yield
        finally:
            sys.meta_path.remove(finder)
