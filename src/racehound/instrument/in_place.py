"""Instruments code that is already loaded, and puts it back afterwards.

Functions keep their identity: only their code is exchanged, so every reference to them, decorated or bound,
in a closure or in a class, runs the instrumented form. The module's source is rewritten as a whole and each
function finds its own part by its qualified name and first line.
"""

import functools
import inspect
import site
import sys
import sysconfig
import types
from collections.abc import Iterable, Iterator
from pathlib import Path

from racehound.engine.tracked import referrers_of
from racehound.instrument.kinds import INSTRUMENTED, SORTS
from racehound.instrument.observed import OBSERVED
from racehound.instrument.rewrite import compiled

Key = tuple[str, int]


def _foreign_roots() -> tuple[Path, ...]:
    paths = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), *site.getsitepackages()]
    return tuple(Path(path).resolve() for path in paths)


class InPlace:
    """A session of instrumented code; `restore` ends it."""

    def __init__(self) -> None:
        self._exchanged: list[tuple[types.FunctionType, types.CodeType]] = []
        self._modules: dict[str, types.ModuleType] = {}
        self._own = Path(__file__).resolve().parents[1]
        self._foreign = _foreign_roots()
        self._considered: set[str] = set()
        self.unseen: set[str] = set()

    def include(self, subject: object) -> None:
        """Instrument the module in which a function, method, class or instance is defined."""
        for module in _home_modules(subject):
            if not self._is_ours(module):
                self._instrument(module)

    def consider(self, subject: object) -> None:
        """The same for a function that is about to be called, if it is the user's own code."""
        module = sys.modules.get(getattr(subject, "__module__", None) or "")
        if module is not None and module.__name__ not in self._considered:
            self._considered.add(module.__name__)
            if self._is_users(module):
                self._instrument(module)

    def _is_users(self, module: types.ModuleType) -> bool:
        path = getattr(module, "__file__", None)
        if path is None:
            return False
        resolved = Path(path).resolve()
        return not self._is_ours(module) and not any(resolved.is_relative_to(root) for root in self._foreign)

    def _is_ours(self, module: types.ModuleType) -> bool:
        """Whether it is a part of the prover; what programs import from us is a part of the program."""
        resolved = Path(module.__file__ or "").resolve()
        return resolved.is_relative_to(self._own) and not resolved.is_relative_to(self._own / "guard")

    def _instrument(self, module: types.ModuleType) -> None:
        if module.__name__ in self._modules or INSTRUMENTED in vars(module):
            return
        try:
            source = inspect.getsource(module)
            path = inspect.getsourcefile(module) or ""
            code = compiled(source, path, module.__name__)
        except (OSError, TypeError, SyntaxError) as error:
            self.unseen.add(f"the source of {module.__name__} cannot be had: {error}")
            return
        OBSERVED.mark(module, path)
        self._modules[module.__name__] = module
        SORTS.forget()
        self._exchange(vars(module), _index(code))

    def _exchange(self, names: dict[str, object], index: dict[Key, list[types.CodeType]]) -> None:
        for function in _functions_of(names):
            code = function.__code__
            matches = [new for new in index.get((code.co_qualname, code.co_firstlineno), ()) if _fits(code, new)]
            if len(matches) > 1:  # lambdas on one line
                matches = [new for new in matches if _first_column(new) == _first_column(code)]
            if len(matches) != 1:
                self.unseen.add(f"{code.co_qualname} cannot be matched with its source")
                continue
            self._exchanged.append((function, code))
            function.__code__ = matches[0]

    def restore(self) -> None:
        """Every function runs its own code again."""
        for function, code in self._exchanged:
            function.__code__ = code
        for module in self._modules.values():
            OBSERVED.unmark(module)
        SORTS.forget()


def _functions_of(names: dict[str, object]) -> Iterator[types.FunctionType]:
    """Every function whose globals these are, wherever it is kept; generated code is not from the source."""
    path = names.get("__file__")
    for holder in referrers_of(names):
        mine = type(holder) is types.FunctionType and holder.__globals__ is names
        if mine and holder.__code__.co_filename == path:
            yield holder


def _index(code: types.CodeType) -> dict[Key, list[types.CodeType]]:
    index: dict[Key, list[types.CodeType]] = {}
    stack = [code]
    while stack:
        current = stack.pop()
        index.setdefault((current.co_qualname, current.co_firstlineno), []).append(current)
        stack.extend(item for item in current.co_consts if isinstance(item, types.CodeType))
    return index


def _fits(old: types.CodeType, new: types.CodeType) -> bool:
    return old.co_freevars == new.co_freevars and old.co_argcount == new.co_argcount


def _first_column(code: types.CodeType) -> int | None:
    columns = [column for line, _, column, _ in code.co_positions() if line == code.co_firstlineno and column]
    return min(columns, default=None)


def _home_modules(subject: object) -> Iterable[types.ModuleType]:
    function = _behind(subject)
    kinds: list[object] = [function]
    if isinstance(function, type):
        kinds = list(function.__mro__)
    elif not isinstance(function, types.FunctionType | types.MethodType):
        kinds = list(type(function).__mro__)
    for kind in kinds:
        module = sys.modules.get(getattr(kind, "__module__", None) or "")
        if module is not None and getattr(module, "__file__", None) and not _is_standard(module):
            yield module


def _behind(subject: object) -> object:
    """The function that another one stands for; an instance of the program may make up any attribute."""
    if isinstance(subject, functools.partial):
        return _behind(subject.func)
    if callable(subject) and type(subject).__module__ in ("builtins", "functools"):
        return inspect.unwrap(subject)
    return subject


def _is_standard(module: types.ModuleType) -> bool:
    return module.__name__.partition(".")[0] in sys.stdlib_module_names
