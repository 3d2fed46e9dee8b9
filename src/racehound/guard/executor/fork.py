"""What a forked child must forget: its parent's threads, locks in whatever state, queued work."""

from __future__ import annotations

import os
import weakref
from typing import Protocol


class Inherited(Protocol):
    def renew_after_fork(self) -> None: ...


_LIVE: weakref.WeakSet[Inherited] = weakref.WeakSet()


def renew_in_children(owner: Inherited) -> None:
    """Have the owner renewed in every child this process forks, for as long as it lives."""
    _LIVE.add(owner)


def _renew_all() -> None:
    for owner in list(_LIVE):
        owner.renew_after_fork()


if hasattr(os, "register_at_fork"):  # pragma: needs fork
    os.register_at_fork(after_in_child=_renew_all)
