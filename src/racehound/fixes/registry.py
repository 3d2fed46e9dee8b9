"""The transformations, found by file: adding one to this directory is the registration."""

import inspect
import pkgutil
from collections.abc import Hashable, Sequence
from functools import cache
from importlib import import_module
from typing import ClassVar

import libcst as cst

from racehound import fixes
from racehound.fixes.diff import unified
from racehound.fixes.hold_lock import HoldLock
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding
from racehound.model.patch import Patch, Refusal, Safety

_OURS = frozenset({"registry", "transformation", "diff"})
NOTHING = "nothing in its file is left to change"


class WithLock(Transformation):
    """A change, and then a lock for the state that it is about."""

    rules: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, first: Transformation, lock: HoldLock) -> None:
        self._first = first
        self._lock = lock
        self.is_of_one_task = first.is_of_one_task

    @property
    def name(self) -> str:
        return f"{self._first.name} {self._lock.name}"

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        changed = self._first.change(source, findings)
        locked = self._lock.change(changed.after, findings)
        return Change(
            locked.after,
            f"{changed.summary}; {locked.summary}",
            (*changed.dangers, *locked.dangers),
            (*changed.remarks, *locked.remarks),
        )

    def together(self, finding: Finding) -> Hashable:
        return self._first.together(finding)


@cache
def all_transformations() -> tuple[Transformation, ...]:
    """One instance of each, those for certain rules before the lock that any shared state can get."""
    modules = (module.name for module in pkgutil.iter_modules(fixes.__path__) if module.name not in _OURS)
    names = [f"{fixes.__name__}.{module}" for module in modules]
    found = [made for name in sorted(names) for made in _of(name)]
    return (*(item for item in found if not isinstance(item, HoldLock)), HoldLock())


def _of(module_name: str) -> list[Transformation]:
    classes = [item for _, item in inspect.getmembers(import_module(module_name), inspect.isclass)]
    return [
        item()
        for item in classes
        if issubclass(item, Transformation) and item.__module__ == module_name and not inspect.isabstract(item)
    ]


def transformations_for(finding: Finding) -> tuple[Transformation, ...]:
    """Those that may cure it, the best first."""
    *others, lock = all_transformations()
    own = [item for item in others if item.takes(finding)]
    assert isinstance(lock, HoldLock)  # noqa: S101 - it is put there above
    if not lock.takes(finding):
        return tuple(own)
    with_locks = [_locked(item, lock) for item in own if item.wants_lock]
    return (*own, *with_locks, *([lock] if not own or any(item.or_lock for item in own) else []))


@cache
def _locked(first: Transformation, lock: HoldLock) -> Transformation:
    return WithLock(first, lock)


def patch_by(
    transformation: Transformation, source: str, *, findings: Sequence[Finding], path: str
) -> Patch | Refusal:
    """The patch of one transformation for the findings that it cures at once, or why there is none."""
    try:
        change = transformation.change(source, findings)
    except CannotChange as error:
        return Refusal(str(error))
    except cst.ParserSyntaxError:  # stricter than Python itself
        return Refusal("the file has a layout that cannot be rewritten, such as tabs among spaces")
    except SyntaxError:  # of a file that has changed since it was hunted
        return Refusal("the file is no Python that can be read")
    except RecursionError:
        return Refusal("the file is nested too deeply to be rewritten")
    return _patch(transformation, change, source, path)


def _patch(transformation: Transformation, change: Change, source: str, path: str) -> Patch | Refusal:
    if change.after == source:
        return Refusal(NOTHING)
    return Patch(
        path=path,
        summary="; ".join([change.summary, *change.dangers, *change.remarks]),
        before=source,
        after=change.after,
        diff=unified(path, source, change.after),
        safety=Safety.UNSAFE if change.dangers else Safety.SAFE,
        transformation=transformation.name,
    )


def transformation_named(name: str, finding: Finding) -> Transformation:
    return next(item for item in transformations_for(finding) if item.name == name)
