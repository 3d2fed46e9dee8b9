"""The interface of `guard.ConfigStore` for a document that lives on a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from racehound.guard import format_json, keys
from racehound.guard.errors import ConcurrentModification, ConfigInvalid

if TYPE_CHECKING:
    from collections.abc import Callable

    from racehound.guard.keys import Config, Key
    from racehound.guard.stores.server_lock import ServerLock


class Document(Protocol):
    """One text on the server."""

    label: str

    def read(self) -> str:
        """Empty where there is none."""

    def write(self, expected: str, text: str) -> bool:
        """Replace the expected text; False if another one is there.

        Raises:
            LockLost: if the lock is not ours any more. Nothing is written then.
        """


class ServerConfig:
    """A mapping that all hosts share, with atomic read-modify-write.

    A holder that was paused and lost the lock cannot write: the server compares who holds the lock,
    and the text that the change was based on, in the same step that writes.
    """

    def __init__(self, lock: ServerLock, document: Document) -> None:
        self.lock = lock
        self._document = document

    def __repr__(self) -> str:
        return f"ServerConfig({self._document.label!r})"

    def read(self) -> Config:
        return self._parse(self._document.read())

    def get(self, key: Key, default: object = None) -> object:
        return keys.get(self.read(), key, default)

    def set(self, key: Key, value: object) -> None:
        self.update(lambda config: keys.put(config, key, value))

    def delete(self, key: Key) -> None:
        self.update(lambda config: keys.without(config, key))

    def update(self, change: Callable[[Config], Config | None]) -> Config:
        """One atomic read-modify-write, as in `ConfigStore.update`.

        Raises:
            LockLost: if the lock passed to somebody else before the change was written.
            StoreUnavailable: if the server does not answer; whether it wrote is then unknown.
        """
        with self.lock:
            text = self._document.read()
            config = self._parse(text)
            returned = change(config)
            after = config if returned is None else returned
            if not self._document.write(text, self._dump(after)):
                raise self._modified()
            return after

    def _parse(self, text: str) -> Config:
        try:
            return format_json.load(text)
        except (ValueError, RecursionError) as error:
            raise self._invalid("read", error) from error

    def _dump(self, config: object) -> str:
        try:
            if not isinstance(config, dict):
                raise TypeError(f"the change returned {type(config).__name__}, not a dict")  # noqa: TRY301 - one error for all that cannot be written
            text = format_json.dump(config, "")
            text.encode("utf-8")  # lone surrogates would end in an error of the client
        except (TypeError, ValueError, RecursionError) as error:
            raise self._invalid("write", error) from error
        return text

    def _invalid(self, what: str, error: Exception) -> ConfigInvalid:
        return ConfigInvalid(f"Cannot {what} {self._document.label}: {error}", path=self._document.label)

    def _modified(self) -> ConcurrentModification:
        return ConcurrentModification(
            f"{self._document.label} was changed by a program that does not take the lock; "
            "nothing was overwritten",
            path=self._document.label,
            suggestion="Try again; the change is applied to what is there by then",
        )
