"""Locks in forked children.

A lock that another thread held at the fork would stay held in the child for ever, because that thread does not
exist there. Whoever has locks registers here and is asked to renew them. The state they guard is whole in the
child all the same: it is one reference, and replaced in one step.
"""

import os
import weakref
from collections.abc import Callable
from typing import Protocol


class HasLocks(Protocol):
    def renew_locks(self) -> None: ...


def _make_registry() -> Callable[[HasLocks], None]:
    alive: weakref.WeakSet[HasLocks] = weakref.WeakSet()

    def renew_all() -> None:
        for owner in list(alive):
            owner.renew_locks()

    if hasattr(os, "register_at_fork"):  # pragma: needs fork
        os.register_at_fork(after_in_child=renew_all)
    return alive.add


renew_locks_after_fork = _make_registry()
