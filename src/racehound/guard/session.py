"""Temporary files of one run, apart from those of all others."""

from __future__ import annotations

import atexit
import os

from racehound.guard import session_directory
from racehound.guard.errors import SessionRefused
from racehound.guard.places import why_unsafe
from racehound.guard.session_id import FLAG, resolve, tool_variable

TYPE_CHECKING = False

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Mapping
    from types import TracebackType
    from typing import IO, Any, Self

__all__ = ["Session"]

_CREATE = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)


class Session:
    """A name for a run and a directory that only this session uses.

    The directory lies below the system's directory for temporary files, appears when it is first
    needed and goes when the last process of the session ends; what crashed sessions of the
    same tool left is removed then, too. Processes that are given the same id share the directory.

    Args:
        tool: Name of the program, a part of the path and of the environment variable.
        session_id: Value of `--session-id`; None takes it from the environment, or a random one.
        base: Parent of the session directories; it may hold other things, which stay as they are.
        keep: Leave the directory when the session ends, for whoever reads the results.

    Raises:
        SessionRefused: for an id or a directory that is not safe.
    """

    def __init__(
        self,
        tool: str,
        session_id: str | None = None,
        *,
        base: str | os.PathLike[str] | None = None,
        keep: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        reason = why_unsafe(tool)
        if reason:
            raise SessionRefused(f"The tool name {tool[:40]!r} is refused: {reason}")
        self.tool = tool
        self.id = resolve(tool, session_id, os.environ if environment is None else environment)
        self.keep = keep
        self._has_own_base = base is None
        self._base = default_base(tool) if base is None else os.path.abspath(base)
        self._path = os.path.join(self._base, self.id)
        self._fd: int | None = None
        self._pid = 0

    def __repr__(self) -> str:
        return f"Session({self.tool!r}, {self.id!r})"

    @staticmethod
    def add_argument(parser: ArgumentParser, tool: str) -> None:
        """Give an argparse program the flag `--session-id`; pass its value to the constructor."""
        parser.add_argument(
            FLAG, metavar="ID", help=f"keep temporary files apart from other runs [env: {tool_variable(tool)}]"
        )

    @property
    def directory(self) -> str:
        """The session's directory, which exists from now on."""
        if self._fd is None:
            make_base = session_directory.make_private if self._has_own_base else session_directory.make_base
            make_base(self._base)
            self._fd = session_directory.join(self._path)
            self._pid = os.getpid()
            atexit.register(self.close)
            session_directory.prune(self._base)
        return self._path

    @property
    def meta(self) -> dict[str, object]:
        """What belongs into `meta` of the response envelope."""
        return {"session_id": self.id, "session_tmp_dir": self.directory}

    def path(self, name: str) -> str:
        """A path below the directory; its parents exist, for the user alone."""
        parts = name.split("/")
        for part in parts:
            reason = why_unsafe(part)
            if reason:
                raise SessionRefused(f"The temporary path {name[:80]!r} is refused: {reason} ({part[:40]!r})")
        parent = self.directory
        for part in parts[:-1]:
            parent = os.path.join(parent, part)
            session_directory.make_private(parent)
        return os.path.join(parent, parts[-1])

    def open(self, name: str, mode: str = "w+", encoding: str | None = None) -> IO[Any]:
        """Open a file of the session, readable for the user alone whatever the umask."""

        def opener(path: str, flags: int) -> int:
            fd = os.open(path, flags | _CREATE & ~os.O_RDWR, 0o600)
            os.chmod(fd if os.chmod in os.supports_fd else path, 0o600)
            return fd

        if encoding is None and "b" not in mode:
            encoding = "utf-8"
        return open(self.path(name), mode, encoding=encoding, opener=opener)

    def close(self) -> None:
        """Stop using the directory. A forked child never ends the session of its parent."""
        fd, self._fd = self._fd, None
        if fd is None or self._pid != os.getpid():
            return
        atexit.unregister(self.close)
        session_directory.leave(self._path, fd, keep=self.keep)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def default_base(tool: str) -> str:
    """One directory per tool and user, so that no other user can have made it first."""
    user = os.geteuid() if hasattr(os, "geteuid") else os.environ.get("USERNAME", "user")
    return os.path.join(_temporary_directory(), f"{tool}-{user}")


def _temporary_directory() -> str:
    """What `tempfile` would answer, without the cost of loading it where a variable or /tmp does."""
    for place in (os.environ.get("TMPDIR"), "/tmp"):  # noqa: S108 - checked for its owner before use
        if place and os.path.isdir(place) and os.access(place, os.W_OK | os.X_OK):
            return os.path.abspath(place)
    from tempfile import gettempdir  # noqa: PLC0415 - as said above

    return gettempdir()
