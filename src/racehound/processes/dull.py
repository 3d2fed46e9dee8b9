"""Telling at once that a stopped call is of no interest.

A command opens hundreds of libraries and its own source before it touches a file that matters, and each open
costs a round through the observer. This question is asked of every call, so it does as little as it can.
"""

from racehound.processes.calls import CHANGING, READING
from racehound.processes.commons import NONE, Commons
from racehound.processes.links import Links
from racehound.processes.memory import Memory
from racehound.processes.operands import Descriptor, Name
from racehound.processes.places import NOT_FILES
from racehound.processes.syscalls import WRITING, by_number
from racehound.processes.territory import Territory

LOW = 0xFFFFFFFF
"""The half of a register that a descriptor takes."""
UNSURE = (b"/proc/", b"/dev/")
"""Paths that may lead back to a descriptor of the command."""


class Dull:
    """Outside the sandbox and only read, or no file at all. In doubt a call is not dull."""

    def __init__(
        self, root: str, architecture: str, memory: Memory, links: Links, commons: Commons = NONE
    ) -> None:
        self._memory = memory
        self._links = links
        territory = Territory(root, commons)
        self._is_ours = territory.holds
        self._is_elsewhere = territory.is_elsewhere
        calls = by_number(architecture).items()
        self._flags = {number: call.flags for number, call in calls if call.kind == "open" and call.flags}
        self._names = {
            number: call.target.path
            for number, call in calls
            if isinstance(call.target, Name) and (call.kind in READING - {"exec"} or number in self._flags)
        }
        self._read = _descriptors(architecture, READING)
        self._written = _descriptors(architecture, CHANGING)

    def __call__(self, thread: int, number: int, arguments: list[int]) -> bool:
        self._links.forget()
        place = self._names.get(number)
        if place is not None:
            flags = self._flags.get(number)
            if flags is not None and arguments[flags] & WRITING:
                return False
            path = self._memory.peek(thread, arguments[place])
            return path[:1] == b"/" and self._is_elsewhere(path) and not path.startswith(UNSURE)
        if number in self._written:
            found = self._links.look(thread, arguments[self._written[number]] & LOW)
            return not found.startswith("/") or (found.startswith(NOT_FILES) and not self._is_ours(found))
        if number not in self._read:
            return False
        return not self._is_ours(self._links.look(thread, arguments[self._read[number]] & LOW))


def _descriptors(architecture: str, kinds: frozenset[str]) -> dict[int, int]:
    return {
        number: call.target.argument
        for number, call in by_number(architecture).items()
        if isinstance(call.target, Descriptor) and call.kind in kinds
    }
