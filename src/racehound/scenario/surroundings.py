"""What the modules under observation hold, besides the subject: put back before, looked at after each execution.

A package has hundreds of functions and constants, of which a race changes few. So each module is gone through
once, and again only in executions that have rebound something in it.
"""

import types
from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping
from operator import is_

from racehound.instrument.kinds import is_a
from racehound.instrument.observed import OBSERVED
from racehound.scenario.byproducts import rebound
from racehound.scenario.checkpoint import Checkpoint
from racehound.scenario.data import data_of_class, is_data
from racehound.scenario.hidden_state import Code, cell_value, code_in, state_of
from racehound.scenario.snapshot import Snapshot, capture, is_constant


class Surroundings:
    """Modules as they were, and what they hold now."""

    def __init__(self, modules: Iterable[types.ModuleType]) -> None:
        self._modules = tuple(modules)
        self._checkpoint = Checkpoint(self._modules)
        self._looks = {id(module): _Look(module) for module in self._modules}
        names = Counter(name for look in self._looks.values() for name in look.roots)
        for look in self._looks.values():
            look.part({name for name in look.roots if names[name] == 1})

    @classmethod
    def here(cls) -> "Surroundings":
        return cls(OBSERVED.all())

    @property
    def is_complete(self) -> bool:
        """Whether no module has come or gone since."""
        now = OBSERVED.all()
        return _same(now, self._modules)

    def restore(self) -> None:
        self._checkpoint.restore()

    def roots(self) -> dict[str, object]:
        """Where everything begins that modules hold now."""
        roots: dict[str, object] = {}
        for module in OBSERVED.all():
            look = self._unchanged(module)
            roots.update(module_roots(module) if look is None else look.roots)
        return roots

    def rebound(self) -> frozenset[str]:
        """Where something stands now that was made since."""
        changed = [module for module in OBSERVED.all() if self._unchanged(module) is None]
        known = [self._looks[id(module)] for module in changed if id(module) in self._looks]
        classes = {id(kind) for look in known for kind in look.classes}
        fresh = [
            kind for module in changed for kind in _classes(module, code_in(module)) if id(kind) not in classes
        ]
        made = rebound(_merged(look.roots for look in known), _merged(map(module_roots, changed)))
        return made.union(*map(_roots_of_class, fresh))

    def snapshot(self, further: Mapping[str, object]) -> Snapshot:
        """What can be reached from further roots and from the modules, in the form that is compared."""
        roots, constants = dict(further), Snapshot()
        for module in OBSERVED.all():
            look = self._unchanged(module)
            if look is None:
                roots.update(module_roots(module))
            else:
                constants.update(look.constants)
                roots.update(look.variables)
        return constants | capture(roots)

    def _unchanged(self, module: types.ModuleType) -> "_Look | None":
        look = self._looks.get(id(module))
        return look if look is not None and look.is_current() else None


class _Look:
    """One module gone through: where its state begins, and all that decides where."""

    def __init__(self, module: types.ModuleType) -> None:
        code = code_in(module)
        self.roots = _roots(module, code)
        self.constants: Snapshot = {}
        """What cannot change without being rebound, in the form that is compared."""
        self.variables = self.roots
        self.classes = _classes(module, code)
        functions = map(vars, code.functions)
        namespaces: list[Mapping[str, object]] = [vars(module), *map(vars, self.classes), *functions]
        self._names = [(held, list(held), list(held.values())) for held in namespaces if held]
        self._plain = [function for function in code.functions if not vars(function)]
        self._defaults = [(function, _defaults(function)) for function in code.functions]
        cells = (cell for function in code.functions for cell in function.__closure__ or ())
        self._cells = [(cell, cell_value(cell)) for cell in cells]

    def part(self, own: Container[str]) -> None:
        """Set apart the constants; `own` are the names that no other module has: of two the later one counts."""
        constants = {name: value for name, value in self.roots.items() if name in own and is_constant(value)}
        self.constants = capture(constants)
        self.variables = {name: value for name, value in self.roots.items() if name not in constants}

    def is_current(self) -> bool:
        """Whether every name, default and closed-over variable still stands for the same object."""
        return (
            all(list(held) == names and _same(held.values(), values) for held, names, values in self._names)
            and not any(map(vars, self._plain))
            and all(_same(_defaults(function), known) for function, known in self._defaults)
            and all(cell_value(cell) is known for cell, known in self._cells)
        )


def _merged(roots: Iterable[dict[str, object]]) -> dict[str, object]:
    return {name: value for held in roots for name, value in held.items()}


def _same(now: Collection[object], known: Collection[object]) -> bool:
    return len(now) == len(known) and all(map(is_, now, known))


def _defaults(function: types.FunctionType) -> tuple[object, ...]:
    return function.__defaults__, function.__kwdefaults__, *(function.__kwdefaults__ or {}).values()


def module_roots(module: types.ModuleType) -> dict[str, object]:
    """Where the state begins that a module, its classes and its functions hold."""
    return _roots(module, code_in(module))


def _roots(module: types.ModuleType, code: Code) -> dict[str, object]:
    roots = {f"{module.__name__}.{name}": value for name, value in vars(module).items() if is_data(name, value)}
    for kind in _classes(module, code):
        roots.update(_roots_of_class(kind))
    for function in code.functions:
        roots.update(state_of(function))
    return roots


def _roots_of_class(kind: type) -> dict[str, object]:
    return {f"{kind.__qualname__}.{name}": value for name, value in data_of_class(kind).items()}


def _classes(module: types.ModuleType, code: Code) -> list[type]:
    kinds = (value for value in vars(module).values() if is_a(value, type))
    return [*(kind for kind in kinds if kind.__module__ == module.__name__), *code.inner_classes]
