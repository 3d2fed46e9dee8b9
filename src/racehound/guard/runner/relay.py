"""Output of a command, held back until it is known whether the command counts.

The words of an attempt that will be repeated must not reach the caller, or a program that reads our
stdout would find two answers. So output is kept until the command has ended. Once more than
`HOLD_BYTES` have come it is passed on as it arrives: no refusal is that long, and from then on the
attempt is the last one.
"""

import os
import select
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO, Protocol

from racehound.guard.errors import GuardError

HOLD_BYTES = 65536
STDOUT, STDERR = 0, 1


class OutputLost(GuardError):
    """The command has run, and what it said cannot be passed on."""

    code = "OUTPUT_LOST"
    suggestion = "Send the output somewhere else; the command itself has ended"


class Sink(Protocol):
    def write(self, data: bytes, /) -> object: ...


class DescriptorSink:
    """Writes past the buffers of Python, which would try again at exit where nobody listens any more."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._descriptor, data) :]


@contextmanager
def reporting_loss() -> Iterator[None]:
    """Around the last words to somebody who may have gone, or have no room for them."""
    try:
        yield
    except BrokenPipeError:
        return
    except OSError as error:
        raise OutputLost(f"Cannot pass the output on: {error.strerror}") from error


class Relay:
    """Keeps chunks of both streams in their order of arrival; for good if there are no sinks.

    What was passed on is no longer its content, so that nothing in it can be taken for a refusal.
    """

    def __init__(self, sinks: Sequence[Sink] | None) -> None:
        self._sinks = sinks
        self._chunks: list[tuple[int, bytes]] = []
        self._held = 0
        self._lock = threading.Lock()
        self._loss: OSError | None = None
        self.is_delivered = False

    def take(self, stream: int, data: bytes) -> None:
        with self._lock:
            self._chunks.append((stream, data))
            self._held += len(data)
            if self._sinks is not None and (self.is_delivered or self._held > HOLD_BYTES):
                self._pass_on(self._sinks)

    def deliver(self) -> None:
        with self._lock, reporting_loss():
            if self._sinks is not None:
                self._pass_on(self._sinks)
            if self._loss is not None:
                raise self._loss

    def content(self, stream: int) -> bytes:
        with self._lock:
            return b"".join(data for origin, data in self._chunks if origin == stream)

    def _pass_on(self, sinks: Sequence[Sink]) -> None:
        self.is_delivered = True
        chunks, self._chunks = self._chunks, []
        try:
            for stream, data in chunks:
                sinks[stream].write(data)
        except OSError as error:
            self._loss = error
            raise


def pump(pipe: BinaryIO, stream: int, relay: Relay, ended: int) -> None:
    """Carry a pipe into the relay until its end, or until nobody reads us any more.

    A background process may keep the pipe open for ever. So once the descriptor `ended` says that
    the command is over, only what is already in the pipe is carried: all that the command wrote.
    """
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    poll.register(ended, select.POLLIN)
    with pipe:
        try:
            while any(ready == pipe.fileno() for ready, _ in poll.poll()):
                data = os.read(pipe.fileno(), HOLD_BYTES)
                if not data:
                    return
                relay.take(stream, data)
        except OSError:
            return  # our reader is gone: closing the pipe tells the command the same
