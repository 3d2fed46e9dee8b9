"""The directory that remembers: written in one step, read with suspicion, and never needed.

Files hold JSON, texts as they were read, or facts (see `factstore`), so that a file which somebody else has put
there can be wrong, but cannot run anything. What is not as it should be counts as absent and is written anew. Two
hunts at once each write a whole file under a name of their own and put it in place in one step; the last stays.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from racehound import __version__

NAME = ".racehound_cache"
_TAG = b"Signature: 8a477f597d28d172789f06886806bc55\n# Made by racehound; it can be deleted at any time.\n"
_LONGEST_WRITE = 3600.0
"""Seconds after which a file that is not in its place yet belongs to nobody."""
_ROOMS = ("model", "source", "analysis", "rules", "pipeline")


class CacheDirectory:
    """Entries by key, for this version of racehound and of Python only."""

    def __init__(self, path: str | Path) -> None:
        self._top = Path(path)
        self._path = self._top / f"{__version__}-{sys.implementation.cache_tag}-{_edition()}"

    def read(self, key: str) -> Any:
        """What was written under a key; None where there is nothing, or nothing that can be trusted."""
        content = self.read_part(key, 0, -1)
        try:
            return None if content is None else json.loads(content)
        except (ValueError, RecursionError):
            return None

    def read_part(self, key: str, start: int, size: int) -> bytes | None:
        """A part of what was written under a key; to its end where the size is negative."""
        with self.opened(key) as file:
            return None if file is None else part_of(file, start, size)

    @contextmanager
    def opened(self, key: str) -> Iterator[IO[bytes] | None]:
        """What was written under a key, for whoever reads many parts of it; it stays the same meanwhile."""
        with ExitStack() as stack:
            file: IO[bytes] | None = None
            with suppress(OSError):
                file = stack.enter_context((self._path / key).open("rb"))
                file = file if os.fstat(file.fileno()).st_uid in trusted_owners() else None
            yield file

    def write(self, key: str, value: object) -> None:
        """A directory that cannot be written remembers nothing; the hunt is none the worse for it."""
        self.write_parts(key, (json.dumps(value, separators=(",", ":")).encode(),))

    def write_parts(self, key: str, parts: Iterable[bytes]) -> None:
        with suppress(OSError), self.begun(key) as file:
            file.writelines(parts)

    @contextmanager
    def begun(self, key: str) -> Iterator[IO[bytes]]:
        """A file that takes its place under the key when it is complete."""
        self._prepare()
        self._sweep()
        with _begun(self._path / key) as file:
            yield file

    def _sweep(self) -> None:
        """What hunts that were killed have begun to write would stay for ever."""
        with os.scandir(self._path) as entries:
            begun = [entry for entry in entries if entry.name.startswith(".")]
        for entry in begun:
            with suppress(FileNotFoundError):  # another hunt sweeps as well
                if entry.stat().st_mtime < time.time() - _LONGEST_WRITE:
                    Path(entry.path).unlink()

    def _prepare(self) -> None:
        """The inner directory comes last: where it is, the files beside it are whole."""
        if not self._path.is_dir():
            self._top.mkdir(parents=True, exist_ok=True)
            for name, content in ((".gitignore", b"*\n"), ("CACHEDIR.TAG", _TAG)):
                with _begun(self._top / name) as file:
                    file.write(content)
            self._path.mkdir(exist_ok=True)


def part_of(file: IO[bytes], start: int, size: int) -> bytes | None:
    try:
        file.seek(start)
        return file.read(size)
    except OSError:
        return None


class Draft(AbstractContextManager["Draft"]):
    """An entry that is written bit by bit. Where that fails, nothing of it is kept, as with `write`."""

    def __init__(self, entries: CacheDirectory, key: str) -> None:
        self._place = entries.begun(key)
        self._open = ExitStack()
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        with suppress(OSError):
            self._file = self._open.enter_context(self._place)
        return self

    def add(self, part: bytes) -> None:
        try:
            if self._file is not None:
                self._file.write(part)
        except OSError:
            self._file = None
            self.__exit__(*sys.exc_info())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._open.__exit__(kind, error, where)


@contextmanager
def _begun(target: Path) -> Iterator[IO[bytes]]:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        Path(name).replace(target)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise


def trusted_owners() -> set[int]:
    """Users whose files are believed: whoever runs the hunt, and the one who may write everything anyway."""
    return {os.geteuid(), 0}


def _edition() -> str:
    """Tells one state of racehound's own source from another: while it is worked on, its version is the same."""
    home = str(Path(__file__).parents[1])
    seen = sorted(
        (path.removeprefix(home), *state) for room in _ROOMS for path, *state in _states(f"{home}/{room}")
    )
    return blake2b(repr(seen).encode(), digest_size=8).hexdigest()


def _states(directory: str) -> Iterator[tuple[str, int, int]]:
    """Of the modules of a package and of those inside it; `os.scandir`, for each hunt begins with this."""
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                status = entry.stat()
                yield entry.path, status.st_size, status.st_mtime_ns
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _states(entry.path)
