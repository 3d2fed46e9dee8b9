"""Connections that are asked directly.

The client of redis-py takes twice as long over a command as the command does: it borrows and checks a
connection, prepares retries, measures. A link does without, and where it breaks the caller has the client.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from redis import Redis


class Link(Protocol):
    """What is used of redis-py's connections, which have no types of their own."""

    def send_packed_command(self, command: list[bytes], check_health: bool = ...) -> None: ...
    def read_response(self) -> Any: ...
    def disconnect(self) -> None: ...


class Links:
    def __init__(self, client: Redis, answered: type[Exception]) -> None:
        self._pool = client.connection_pool
        self._answered = answered
        self._idle: list[Link] = []

    def ask(self, *words: str | float) -> Any:
        """The answer of the server. After any other error than an answer the connection is not used again."""
        link = self._take()
        try:
            link.send_packed_command([_packed(words)], check_health=False)
            answer = link.read_response()
        except self._answered:
            self._idle.append(link)
            raise
        except BaseException:
            link.disconnect()
            raise
        self._idle.append(link)
        return answer

    def _take(self) -> Link:
        try:
            return self._idle.pop()
        except IndexError:
            fresh: Link = self._pool.connection_class(**self._pool.connection_kwargs)
            return fresh

    def close(self) -> None:
        with suppress(IndexError):
            while True:
                self._idle.pop().disconnect()

    def forget_parent(self) -> None:
        """In a forked child: the parent goes on speaking on these."""
        self._idle = []


def _packed(words: tuple[str | float, ...]) -> bytes:
    encoded = [str(word).encode() for word in words]
    return b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%b\r\n" % (len(word), word) for word in encoded)
