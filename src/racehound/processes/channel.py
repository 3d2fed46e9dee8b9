"""Values sent between racehound and the keeper process that it started."""

import pickle
import socket
import struct

HEADER = struct.Struct("=I")


def send(channel: socket.socket, value: object) -> None:
    packed = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    channel.sendall(HEADER.pack(len(packed)) + packed)


def receive(channel: socket.socket) -> object:
    """Raises EOFError when the other end is gone."""
    (length,) = HEADER.unpack(_exactly(channel, HEADER.size))
    return pickle.loads(_exactly(channel, length))  # noqa: S301 - both ends are racehound itself


def _exactly(channel: socket.socket, length: int) -> bytes:
    parts = bytearray()
    while len(parts) < length:
        part = channel.recv(min(length - len(parts), 1 << 20))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)
