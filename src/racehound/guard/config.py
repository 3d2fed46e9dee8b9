"""A configuration file that parallel writers share without losing each other's changes."""

from __future__ import annotations

import os
from copy import deepcopy

from racehound.guard import keys
from racehound.guard.atomic import replace, write_failed
from racehound.guard.errors import ConcurrentModification, ConfigInvalid
from racehound.guard.formats import format_of
from racehound.guard.lock import Lock
from racehound.guard.timeouts import DEFAULT_TIMEOUT

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from racehound.guard.keys import Config, Key

    Fingerprint = tuple[int, int, int, int] | None

_STEADY_READS = 5


class ConfigStore:
    """A JSON, TOML or INI file with atomic read-modify-write.

    Every update takes the lock, reads the file again, applies one function, and replaces the
    file. Writers that do not take the lock are noticed, and nothing of theirs is overwritten.

    Args:
        path: The file; it and its directory need not exist yet.
        format: `json`, `toml` or `ini`; by default what the suffix says.
        lock_timeout: As for `Lock`.
        mode: Permissions; by default those of the old file, 0600 for a new one.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,  # noqa: A002 - the word for it
        lock_timeout: float | None = DEFAULT_TIMEOUT,
        mode: int | None = None,
    ) -> None:
        self.path = os.path.realpath(path)
        self._format = format_of(self.path, format)
        self._mode = mode
        directory, name = os.path.split(self.path)
        self.lock = Lock(os.path.join(directory, f".{name}.lock"), timeout=lock_timeout)

    def __repr__(self) -> str:
        return f"ConfigStore({self.path!r})"

    def read(self) -> Config:
        """All of it; empty if there is no file. Needs no lock, since the file changes as a whole."""
        return self._parse(self._snapshot()[0])

    def get(self, key: Key, default: Any = None) -> Any:
        return keys.get(self.read(), key, default)

    def set(self, key: Key, value: object) -> None:
        self.update(lambda config: keys.put(config, key, value))

    def delete(self, key: Key) -> None:
        self.update(lambda config: keys.without(config, key))

    def update(self, change: Callable[[Config], Config | None]) -> Config:
        """One atomic read-modify-write.

        Args:
            change: Gets the configuration as it is now; returns the new one, or changes its
                argument in place and returns None. It must not depend on what was read before.

        Raises:
            LockHeld: if the lock was not free in time.
            ConcurrentModification: if a writer that does not take the lock came between.
            ConfigInvalid: if the file cannot be read, or its format cannot express the result.
            WriteFailed: if the file system refuses; the old file is as it was.
        """
        self._make_directory()
        with self.lock:
            text, fingerprint = self._snapshot()
            before = self._parse(text)
            config = self._copied(before)
            returned = change(config)
            after = config if returned is None else returned
            data = self._dump(after, before, text)
            if data is not None:
                self._write(data, text, fingerprint)
            return after

    def _make_directory(self) -> None:
        try:
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
        except OSError as error:
            raise write_failed(self.path, error) from error

    def _snapshot(self) -> tuple[str, Fingerprint]:
        """The text and what identifies this state of the file; the two belong together."""
        for _ in range(_STEADY_READS):
            try:
                with open(self.path, encoding="utf-8", newline="") as file:
                    before = _fingerprint(os.fstat(file.fileno()))
                    text = file.read()
                    after = _fingerprint(os.fstat(file.fileno()))
            except FileNotFoundError:
                return "", None
            except (OSError, UnicodeDecodeError) as error:
                raise self._invalid(error) from error
            if before == after:
                return text, after
        raise self._modified()

    def _parse(self, text: str) -> Config:
        try:
            return self._format.load(text)
        except (ValueError, RecursionError) as error:
            raise self._invalid(error) from error

    def _copied(self, config: Config) -> Config:
        try:
            return deepcopy(config)
        except RecursionError as error:
            raise self._invalid(error) from error

    def _dump(self, config: Config, before: Config, old: str) -> bytes | None:
        """What to write; None if that would change nothing."""
        try:
            if not isinstance(config, dict):
                raise TypeError(f"the change returned {type(config).__name__}, not a dict")  # noqa: TRY301 - one error for all that cannot be written
            return None if keys.is_same(config, before) else self._format.dump(config, old).encode("utf-8")
        except (TypeError, ValueError, RecursionError) as error:
            raise ConfigInvalid(
                f"Cannot write to {self.path}: {error}",
                path=self.path,
                suggestion="Use values that the format of the file has",
                detail=f"path={self.path}",
            ) from error

    def _write(self, data: bytes, text: str, fingerprint: Fingerprint) -> None:
        def refuse_if_changed() -> None:
            """The text is compared, too: two writes within a tick of the clock leave the same times."""
            if self._present() != fingerprint or self._snapshot()[0] != text:
                raise self._modified()

        replace(self.path, [data], mode=self._mode, before_rename=refuse_if_changed)

    def _present(self) -> Fingerprint:
        try:
            return _fingerprint(os.stat(self.path))
        except FileNotFoundError:
            return None

    def _modified(self) -> ConcurrentModification:
        return ConcurrentModification(
            f"{self.path} was changed by a program that does not take the lock; nothing was overwritten",
            path=self.path,
            suggestion="Try again; the change is applied to what is there by then",
            detail=f"path={self.path} lock_file={self.lock.path}",
        )

    def _invalid(self, error: Exception) -> ConfigInvalid:
        return ConfigInvalid(
            f"Cannot read {self.path}: {error}",
            path=self.path,
            suggestion="Repair the file by hand, or restore it",
            detail=f"path={self.path}",
        )


def _fingerprint(status: os.stat_result) -> Fingerprint:
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size
