"""Weak references, whose objects are freed by whoever lets go of them last.

Which step frees an object shows only once it has run. So the end of each object to which a weak reference was
followed is watched for, and is one more effect of the step that brought it about. The next step of any other task
may be that one, so following the reference depends on it; where the object is gone already, on all earlier ones.
"""

import weakref
from collections.abc import Iterator
from typing import Any, Final

from racehound.engine.execution import Execution
from racehound.engine.operation import Effect
from racehound.instrument.kinds import is_a
from racehound.model.schedule import TaskId

WEAK_TABLES: Final = (weakref.WeakValueDictionary, weakref.WeakKeyDictionary, weakref.WeakSet)
WEAK: Final = (weakref.ReferenceType, *weakref.ProxyTypes, *WEAK_TABLES)

_follow: Final = weakref.ReferenceType.__call__


def weak_effects(execution: Execution, subject: object, task: TaskId) -> tuple[Effect, ...]:
    """What it depends on whether the references that the task follows still lead anywhere."""
    effects: dict[Effect, None] = {}
    missing = is_a(subject, WEAK_TABLES)  # which forget an object at once when it ends
    for referent in _referents(subject):
        if referent is None:
            missing = True
        else:
            effects[execution.life_of(referent)] = None
    effects |= dict.fromkeys(execution.alive.next_effects_beside(task))
    if missing:
        effects |= dict.fromkeys(execution.trace.effects_beside(task))
    return tuple(effects)


def _referents(subject: Any) -> Iterator[object]:
    """What the references lead to, None for each that leads nowhere any more."""
    if is_a(subject, weakref.ProxyTypes):
        yield behind_proxy(subject)
    elif is_a(subject, weakref.ReferenceType):
        yield _follow(subject)
    elif is_a(subject, weakref.WeakValueDictionary):
        yield from map(_follow, list(vars(subject)["data"].values()))
    else:
        yield from map(_follow, list(vars(subject)["data"]))


def behind_proxy(proxy: Any) -> object:
    """The object that a weak proxy stands for; None if it is gone."""
    try:
        return proxy.__reduce_ex__.__self__  # every object has it, and a proxy hands the question on
    except (ReferenceError, AttributeError):
        return None
