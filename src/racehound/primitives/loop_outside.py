"""What leads an event loop out of the program: sockets, pipes, signals and processes are not under control."""

from asyncio.base_events import BaseEventLoop
from collections.abc import Callable
from typing import NoReturn, Protocol

from racehound.engine.execution import Execution
from racehound.errors import HarnessError

_OUTSIDE = (
    *("add_reader", "add_writer", "add_signal_handler", "connect_read_pipe", "connect_write_pipe"),
    *("create_connection", "create_server", "create_datagram_endpoint", "create_unix_connection"),
    *("create_unix_server", "getaddrinfo", "getnameinfo", "sendfile", "start_tls", "subprocess_exec"),
    *("subprocess_shell", "sock_accept", "sock_connect", "sock_recv", "sock_recv_into", "sock_recvfrom"),
    *("sock_recvfrom_into", "sock_sendall", "sock_sendfile", "sock_sendto", "remove_reader", "remove_writer"),
)


class _UnderControl(Protocol):
    execution: Execution


def refuse_all(loop: type[BaseEventLoop]) -> None:
    """Whoever asks such a thing of this kind of loop ends the execution, and the reason says what it was."""
    for name in _OUTSIDE:
        setattr(loop, name, _refusing(name))


def _refusing(name: str) -> Callable[..., NoReturn]:
    def refuse(self: _UnderControl, *args: object, **kwargs: object) -> NoReturn:
        del args, kwargs
        self.execution.give_up(HarnessError(f"a coroutine reaches out of the program: `{name}` of the event loop"))

    return refuse
