"""One open lock file: its kernel lock, its turns, its record."""

from __future__ import annotations

import os
from time import monotonic_ns, sleep

from racehound.guard import kernel, record
from racehound.guard.errors import PERMISSION_DENIED, LockUnavailable
from racehound.guard.kernel import read_at, write_at
from racehound.guard.record import HEADER_SIZE, STAYS, holder_part, released

TURN_NS = 8_000_000
"""How long a process may take the lock again and again without queueing behind the waiters.

A hand-over between processes costs two context switches, so passing the lock on at every release
would cost throughput; never passing it on starves somebody. Short turns give both."""

ROUNDS_IN_TURN = 8
LONGEST_TURN_NS = 16_000_000
_FIRST_NAP_NS = 500_000
_STDERR = 2

_FLAGS = os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)


class Replaced(Exception):
    """The file is not the one that the path leads to any more."""


class LockFile:
    """The lock belongs to this object's open file, not to the process or the thread."""

    __slots__ = (
        "_announced",
        "_header",
        "_process",
        "_records",
        "_rounds",
        "_session",
        "_since",
        "_turn_began",
        "_turn_ends",
        "fd",
        "identity",
        "path",
    )

    def __init__(self, path: str, mode: int) -> None:
        self.fd = -1
        self.path = path
        self.fd = _open(path, mode)
        status = os.fstat(self.fd)
        self.identity = (status.st_dev, status.st_ino)
        self._turn_ends = 0
        self._turn_began = 0
        self._rounds = 0
        """How often the lock was taken again in this turn."""
        self._announced = 0
        """When the turn ends, for a process that used its last turn more than once; else nobody need wait."""
        self._since = 0
        self._header = b""
        self._records = False
        self._session: str | None = None
        self._process = b""

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        fd, self.fd = self.fd, -1
        if fd >= 0:
            os.close(fd)

    def is_in_turn(self) -> bool:
        return monotonic_ns() < self._turn_ends

    def try_lock(self, session: str) -> bool:
        """Take and sign the lock if nobody has it and, outside one's turn, nobody waits for it.

        Raises:
            Replaced: if the path has to be opened again.
        """
        try:
            now = monotonic_ns()
            if now >= self._turn_ends and not self._prolongs_turn(now):
                return self._try_start_turn(session)
            if not kernel.try_lock(self.fd):
                return False
            self._rounds += 1
            self._sign(session, now)
        except BaseException:  # also one of a signal handler, which may come in the gate
            kernel.unlock(self.fd)
            kernel.leave_gate(self.fd)
            raise
        return True

    def _prolongs_turn(self, now: int) -> bool:
        """On a busy machine a turn may pass before much was done in it."""
        if not 0 < self._rounds < ROUNDS_IN_TURN or now >= self._turn_began + LONGEST_TURN_NS:
            return False
        self._turn_ends = self._announced = now + TURN_NS
        return True

    def _try_start_turn(self, session: str) -> bool:
        if not kernel.try_enter_gate(self.fd):
            return False
        try:
            if not kernel.try_lock(self.fd):
                return False
        finally:
            kernel.leave_gate(self.fd)
        self.start_turn(session)
        return True

    def try_overtake(self, session: str) -> bool:
        """Take and sign the lock if nobody has it, whoever waits for it."""
        if not kernel.try_lock(self.fd):
            return False
        try:
            self.start_turn(session)
        except BaseException:
            kernel.unlock(self.fd)
            raise
        return True

    def try_keep(self) -> bool:
        """Whether this file has the lock, or gets it now; only where `flock` may be repeated."""
        return kernel.try_lock(self.fd)

    def lock(self) -> None:
        """Wait for the lock without end; only for threads that nobody waits for.

        A waiter that blocks in the kernel wakes at every release, and now and then snatches the lock
        in the middle of a turn. So it first sleeps until the turn ends, and only looks, at growing
        intervals, whether the process whose turn it is has left or hangs.
        """
        kernel.enter_gate(self.fd)
        try:
            if not self._gets_it_within_the_turn():
                kernel.lock(self.fd)
        finally:
            kernel.leave_gate(self.fd)

    def _gets_it_within_the_turn(self) -> bool:
        if kernel.try_lock(self.fd):
            return True
        bound = monotonic_ns() + LONGEST_TURN_NS  # the record may be nonsense
        nap = _FIRST_NAP_NS
        while (rest := min(bound, record.turn_ends_ns(self.read_record())) - monotonic_ns()) > 0:
            sleep(min(nap, rest) / 1e9)
            if kernel.try_lock(self.fd):
                return True
            nap *= 2
        return False

    def unlock(self) -> None:
        kernel.unlock(self.fd)

    def start_turn(self, session: str) -> None:
        """Look at what rarely changes, then sign.

        A lock file that a cleaner of old files deletes cannot be trusted from that moment on
        anyway, so it is enough to notice it once in a turn.
        """
        if not self.is_current():
            raise Replaced
        now = monotonic_ns()
        self._turn_ends = now + TURN_NS
        self._turn_began = now
        self._announced = self._turn_ends if self._rounds else 0
        self._rounds = 0
        try:
            self._records = self._has_header(now)
        except OSError:  # a full disk forbids the record, not the lock
            self._records = False
        self._sign(session, now)

    def _has_header(self, now: int) -> bool:
        found = read_at(self.fd, HEADER_SIZE, 0)
        if found and not record.is_ours(found):
            return False
        if len(found) < HEADER_SIZE or record.free_ns(found) > now:  # the latter is of an earlier boot
            write_at(self.fd, record.header(record.hold_us(found), 0), 0)
        return True

    def is_current(self) -> bool:
        """Whether the path still leads to this file."""
        try:
            status = os.stat(self.path)
        except OSError:
            return False
        return (status.st_dev, status.st_ino) == self.identity

    def sign(self, session: str) -> None:
        """Leave the record of a new holder in the same process."""
        self._sign(session, monotonic_ns())

    def _sign(self, session: str, now: int) -> None:
        self._since = now
        if not self._records:
            return
        if session != self._session:
            self._session, self._process = session, record.process_part(session)
        try:
            write_at(self.fd, holder_part(self._process, self._announced, now), HEADER_SIZE)
            self._header = read_at(self.fd, HEADER_SIZE, 0)
        except OSError:
            self._records = False
            return
        # After the own record is out, because who moves the file looks at it after the mark is out.
        if not self._header.endswith(STAYS) and not self.is_current():
            raise Replaced

    def countersign(self) -> None:
        """Say that nobody holds the lock any more, and how long it was held."""
        if not self._records:
            return
        now = monotonic_ns()
        try:
            write_at(self.fd, released(self._header, self._since, now), 0)
        except OSError:
            self._records = False

    def read_record(self) -> bytes:
        return read_at(self.fd, record.SIZE, 0)

    def mark(self, *, moved: bool) -> None:
        write_at(self.fd, b"1" if moved else b"0", record.MOVED_AT)


def _open(path: str, mode: int) -> int:
    try:
        return _open_or_create(path, mode)
    except OSError as error:
        raise unavailable(path, error) from error


def _open_or_create(path: str, mode: int) -> int:
    try:
        return _beyond_the_standard_streams(os.open(path, _FLAGS))
    except FileNotFoundError:
        fd = _beyond_the_standard_streams(os.open(path, _FLAGS | os.O_CREAT, mode))
    if hasattr(os, "fchmod"):  # pragma: no branch - needs msvcrt
        os.fchmod(fd, mode)
    return fd


def _beyond_the_standard_streams(fd: int) -> int:
    """A program that was started with a closed stdout would print into the lock file."""
    if fd > _STDERR:
        return fd
    moved = _beyond_the_standard_streams(os.dup(fd))
    os.close(fd)
    return moved


def unavailable(path: str, error: OSError) -> LockUnavailable:
    denied = isinstance(error, PermissionError)
    return LockUnavailable(
        f"Cannot use the lock file {path}: {error.strerror}",
        exit_status=PERMISSION_DENIED if denied else LockUnavailable.exit_status,
        suggestion="Choose a lock path on a local, writable file system",
        detail=f"lock_file={path}",
    )
