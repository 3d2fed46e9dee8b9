"""What commands print, read as it comes so that no pipe fills up."""

import os

KEPT = 1 << 20
"""Bytes of each stream; a command that never stops printing must not fill the memory."""
PORTION = 1 << 16


class Output:
    """One stream of a command; the descriptor is ours to close."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.cut = False
        self._kept = bytearray()

    def drain(self) -> bool:
        """Takes what is there; False when nothing more can come."""
        while True:
            try:
                portion = os.read(self.descriptor, PORTION)
            except BlockingIOError:
                return True
            if not portion:
                return False
            self.cut = self.cut or len(self._kept) + len(portion) > KEPT
            self._kept += portion[: KEPT - len(self._kept)]
            if len(portion) < PORTION:
                return True

    def close(self) -> bytes:
        self.drain()
        os.close(self.descriptor)
        return bytes(self._kept)
