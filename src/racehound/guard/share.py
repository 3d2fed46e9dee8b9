"""What one process has of one lock file: the owner inside the process, and the queue.

The kernel knows only that the process holds the file. Which thread or task of it does, and how
often it entered, is kept here, once per file, so that all `Lock` objects of a path agree.

A blocking `flock` takes its turn in the kernel and wakes at once, but it has no timeout. So a
helper thread blocks, and those who wait for it wait with a timeout. If all of them give up, the
helper stays in its place: the next who asks takes over, and if nobody does, it lets go of the
lock the moment it gets it. There is at most one helper per file, however often callers give up.

The queue before the kernel's lock stands still when the first in it is stopped (Ctrl-Z while it waits). So who
has waited for long takes the lock past the queue if it finds it free.

A signal handler may raise after almost any step of the main thread: Ctrl-C, a time limit for a job. A program
that goes on must neither hold what it does not know of nor lose what others wait for. So whoever is interrupted
while it acquires takes that back, and whoever is interrupted while it releases finishes that. The fields that say
who owns the lock are assigned one after the other, without a call between them: no handler runs there.
"""

from __future__ import annotations

import os
from _thread import start_new_thread
from collections import deque
from threading import Lock as Mutex
from threading import RLock
from weakref import WeakValueDictionary

from racehound.guard.lockfile import LockFile, Replaced

TYPE_CHECKING = False

if TYPE_CHECKING:
    from racehound.guard.waiting import Waiter


class NoHelper(Exception):
    """No thread can be started: the interpreter shuts down, or the system has no more."""


class Share:
    __slots__ = (
        "__weakref__",
        "_helper_waits",
        "_mutex",
        "_overtaken",
        "_waiters",
        "depth",
        "file",
        "inherited",
        "owner",
    )

    def __init__(self, file: LockFile) -> None:
        self.file = file
        self.owner: object = None
        self.depth = 0
        self.inherited = 0
        """How often a forked child may leave what only its parent entered."""
        self._mutex = Mutex()
        self._waiters: deque[Waiter] = deque()
        self._helper_waits = False
        self._overtaken = False
        """Whether somebody took the lock past the helper, whose own wait then ends without telling it anything."""

    def enter(self, owner: object, session: str) -> bool:
        """Enter if that takes no waiting.

        Raises:
            Replaced: if the path has to be opened again.
        """
        before = self.depth if self.owner is owner else 0
        try:
            with self._mutex:
                return self._enters(owner, session)
        except BaseException:
            self._take_back(owner, before)
            raise

    def _enters(self, owner: object, session: str) -> bool:
        if self.owner is owner:
            self.depth += 1
            return True
        if self.file.fd < 0:
            raise Replaced
        if self.owner is not None:
            return False
        if self._waiters or self._helper_waits or not self.file.try_lock(session):
            return self._refused()
        self._admit(owner)
        return True

    def _refused(self) -> bool:
        """Whoever holds this file may hold it for ever, and in vain, if the path leads elsewhere."""
        if not self.file.is_current():
            raise Replaced
        return False

    def _admit(self, owner: object) -> None:
        _HELD.add(self)
        self.owner = owner
        self.depth = 1

    def _take_back(self, owner: object, depth: int) -> None:
        """Undo an acquisition that was interrupted: the owner is inside as often as before."""
        with self._mutex:
            if self.owner is not owner:
                self._free_what_nobody_owns()
            elif depth:
                self.depth = depth
            else:
                self._let_go()

    def _free_what_nobody_owns(self) -> None:
        """The kernel's lock may have come before the interrupt, and the owner would have come after it."""
        if self.owner is None and self.file.fd >= 0 and (self._overtaken or not self._helper_waits):
            self.file.unlock()

    def leave(self, owner: object) -> None:
        with self._mutex:
            if self.owner is owner:
                self._step_out()
            elif self.inherited:
                self.inherited -= 1
            else:
                raise RuntimeError(f"{self.file.path} is released by somebody who does not hold it")

    def _step_out(self) -> None:
        if self.depth > 1:
            self.depth -= 1
            return
        self.file.countersign()
        if not (self._waiters and self.file.is_in_turn() and self._grant_next()):
            self._let_go()

    def finish_leaving(self, owner: object, depth: int) -> None:
        """Leave after all, if `leave` was interrupted before it did; the owner was inside `depth` times."""
        with self._mutex:
            if self.owner is owner and self.depth == depth > 1:
                self.depth -= 1
            elif self.owner is None or (self.owner is owner and self.depth == depth):
                self._let_go()

    def _let_go(self) -> None:
        """May be repeated where it was interrupted."""
        if self.owner is not None:
            self.file.unlock()
            self.owner = None
            self.depth = 0
        _HELD.discard(self)
        if self._waiters:
            self._call_helper()

    def _grant_next(self) -> bool:
        """Pass the kernel's lock on inside the process.

        Who is woken looks under the mutex, and finds itself the owner or still in the queue.
        """
        while self._waiters:
            waiter = self._waiters[0]
            if waiter.wake() and self._signs(waiter):
                self._admit(waiter.owner)
                waiter.granted = True
                self._waiters.popleft()
                return True
            if self._waiters:
                self._waiters.popleft()
        return False

    def _signs(self, waiter: Waiter) -> bool:
        try:
            self.file.sign(waiter.session)
        except Replaced as replaced:
            self._fail_all(replaced)
            return False
        return True

    def enqueue(self, waiter: Waiter) -> None:
        with self._mutex:
            if self.file.fd < 0:
                raise Replaced
            self._waiters.append(waiter)
            if self.owner is None:
                self._call_helper()

    def enter_past_the_queue(self, owner: object, session: str) -> bool:
        """Enter if nobody has the lock, whichever other process is first in the queue for it."""
        try:
            with self._mutex:
                if self.owner is not None or self._waiters or not self._overtakes(session):
                    return False
                self._admit(owner)
                return True
        except BaseException:
            self._take_back(owner, 0)
            raise

    def overtake(self, waiter: Waiter) -> None:
        """The same for the first who waits in this process."""
        with self._mutex:
            is_first = bool(self._waiters) and self._waiters[0] is waiter
            if is_first and self.owner is None and self._overtakes(waiter.session):
                self._admit(waiter.owner)
                waiter.granted = True
                self._waiters.popleft()

    def _overtakes(self, session: str) -> bool:
        if os.name == "nt" or self.file.fd < 0 or not self.file.try_overtake(session):  # nt has no queue
            return False
        self._overtaken = self._helper_waits
        return True

    def withdraw(self, waiter: Waiter) -> bool:
        """Leave the queue; True if the lock came first."""
        with self._mutex:
            if waiter in self._waiters:
                self._waiters.remove(waiter)
            if waiter.error is not None:
                raise waiter.error
            return waiter.granted

    def give_up(self, waiter: Waiter) -> None:
        """Leave the queue, and the lock if it came first."""
        with self._mutex:
            if waiter in self._waiters:
                self._waiters.remove(waiter)
            if waiter.granted:
                self._step_out()
            else:
                self._free_what_nobody_owns()

    def _call_helper(self) -> None:
        if self._helper_waits:
            return
        self._helper_waits = True
        try:
            start_new_thread(self._help, ())
        except RuntimeError:
            self._helper_waits = False
            self._fail_all(NoHelper())

    def _help(self) -> None:
        failure: Exception | None = None
        try:
            self.file.lock()
        except OSError as error:
            failure = error
        with self._mutex:
            self._helper_waits = False
            overtaken, self._overtaken = self._overtaken, False
            if failure is not None:
                self._fail_all(failure)
            elif not overtaken or self._still_has_it():
                self._serve()

    def _still_has_it(self) -> bool:
        """The lock is of the open file, not of the thread: the helper may have been given what an owner had."""
        if self.owner is not None:
            return False
        if self.file.try_keep():
            return True
        if self._waiters:
            self._call_helper()
        return False

    def _serve(self) -> None:
        """Give the lock that the kernel just gave to the first who still waits."""
        try:
            if self._waiters:
                self.file.start_turn(self._waiters[0].session)
        except Replaced as replaced:
            self._fail_all(replaced)
        if not self._grant_next():
            self.file.unlock()

    def _fail_all(self, error: Exception) -> None:
        while self._waiters:
            waiter = self._waiters[0]
            waiter.error = error
            waiter.wake()
            self._waiters.popleft()

    def forget_parent(self) -> None:
        """In a forked child: the lock, its queue and its helper are the parent's."""
        self.file.close()
        self.inherited += self.depth
        self.owner, self.depth = None, 0
        self._mutex = Mutex()
        self._waiters.clear()
        self._helper_waits = False
        self._overtaken = False


_OPENING = RLock()
"""Held over a fork, so that no descriptor is open but not yet known to the child's handler."""
_SHARES: WeakValueDictionary[tuple[int, int], Share] = WeakValueDictionary()
_HELD: set[Share] = set()
"""A lock is held until it is released, even when nobody keeps the `Lock` object."""


_RECENT: dict[str, Share] = {}
"""The shares opened last, by path: most programs make a new `Lock` object for each block."""
_MOST_RECENT = 0 if os.name == "nt" else 8  # there an open file cannot be deleted


def share_of(path: str, mode: int) -> Share:
    return _RECENT.get(path) or opened_anew(path, mode)


def opened_anew(path: str, mode: int) -> Share:
    """The share of the file that the path leads to now."""
    with _OPENING:
        file = LockFile(path, mode)
        share = _SHARES.get(file.identity)
        if share is None or share.file.fd < 0:
            share = _SHARES[file.identity] = Share(file)
        _remember(path, share)
        return share


def _remember(path: str, share: Share) -> None:
    _RECENT.pop(path, None)
    _RECENT[path] = share
    while len(_RECENT) > _MOST_RECENT:
        del _RECENT[next(iter(_RECENT))]


def _forget_parent() -> None:
    for share in list(_SHARES.values()):
        share.forget_parent()
    _SHARES.clear()
    _HELD.clear()
    _RECENT.clear()
    _OPENING.release()


if hasattr(os, "register_at_fork"):  # pragma: no branch - needs msvcrt
    os.register_at_fork(before=_OPENING.acquire, after_in_parent=_OPENING.release, after_in_child=_forget_parent)
