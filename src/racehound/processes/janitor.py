"""The process that starts the keeper, and removes the sandbox once that is gone, whatever became of racehound.

It stays outside: the keeper sees the sandbox as a place where something is mounted, which cannot be removed, and
may change nothing around it.
"""

import os
import signal
import socket
import sys
import traceback
from pathlib import Path
from typing import NoReturn

from racehound.processes.channel import receive
from racehound.processes.commons import NONE, Commons
from racehound.processes.enclosure import enclose
from racehound.processes.fence import Fence, writable
from racehound.processes.keeper import keep
from racehound.processes.kernel import PR_SET_PDEATHSIG, prctl
from racehound.processes.slots import remove_if_empty
from racehound.processes.trees import remove


class Janitor:
    """Of the sandbox in `slot`, until the keeper at the other end of the channel is gone."""

    def __init__(self, channel: socket.socket, slot: Path) -> None:
        self._channel = channel
        self._slot = slot

    def watch(self, commons: Commons) -> int:
        """Gives the exit status of the keeper: one that the system allows no places of its own is started anew."""
        keeper, begun = self._start(commons)
        if not begun and commons.places:
            os.waitpid(keeper, 0)
            keeper, _ = self._start(NONE)
        self._channel.close()
        return os.waitstatus_to_exitcode(os.waitpid(keeper, 0)[1])

    def _start(self, commons: Commons) -> tuple[int, bool]:
        ours, theirs = os.pipe()
        keeper = os.fork()
        if keeper == 0:
            self._become(commons, theirs)
        os.close(theirs)
        begun = bool(os.read(ours, 1))
        os.close(ours)
        return keeper, begun

    def _become(self, commons: Commons, begun: int) -> NoReturn:
        """Be the keeper, which ends without the interpreter's last rites.

        These end the threads that start commands by way of a call on a file, and such calls of theirs are stopped:
        nobody would let it go on any more.
        """
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if commons.places:
            _enclose_or_end(self._slot, commons)
        os.write(begun, b"!")
        os.close(begun)
        try:
            keep(self._channel, self._slot, Fence(str(self._slot), commons))
        except BaseException:  # noqa: BLE001 - told, as the interpreter would
            traceback.print_exc()
            os._exit(1)
        os._exit(0)


def _enclose_or_end(slot: Path, commons: Commons) -> None:
    try:
        enclose(str(slot / "box"), commons, (str(slot), *writable()))
    except OSError:
        os._exit(1)


def main(descriptor: int, slot: Path) -> int:
    janitor = os.getpid()
    try:
        with socket.socket(fileno=descriptor) as channel:
            channel.set_inheritable(False)
            commons = receive(channel)
            assert isinstance(commons, Commons)  # noqa: S101 - racehound is at the other end
            return Janitor(channel, slot).watch(commons)
    finally:
        if os.getpid() == janitor:
            remove(slot)
            remove_if_empty(slot.parent)


if __name__ == "__main__":
    sys.exit(abs(main(int(sys.argv[1]), Path(sys.argv[2]))))
