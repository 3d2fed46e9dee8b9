"""What a command may change: its sandbox, and the places that are nobody's own."""

import os

from racehound.processes import landlock
from racehound.processes.commons import NONE, Commons

VARIABLE = "RACEHOUND_WRITABLE"
"""Further places that may be written to, separated as those of PATH are."""
NOBODYS = ("/dev/shm", "/dev/mqueue")  # noqa: S108 - semaphores and queues are kept there by every program that has any
KERNEL = ("/dev", "/proc", "/sys")
"""No files: what is there may be written to, not removed."""
UNFENCED = frozenset({"chmod", "chown", "utime", "setxattr"})
"""What Landlock does not keep a command from."""
PRIVATE = (
    "commands can change nothing outside their sandbox, which has places for temporary files of its own ({}); "
    "they can neither mount nor use sudo"
)
HELD = "commands can change nothing outside their sandbox but {}; they can neither mount nor use sudo"
NOT_HELD = "this system cannot keep commands from files outside their sandbox: what they change there is listed"


def writable() -> tuple[str, ...]:
    """What the user allows beside the sandbox."""
    named = os.environ.get(VARIABLE, "").split(os.pathsep)
    return tuple(os.path.realpath(place) for place in named if place)


class Fence:
    """Around the sandbox in `slot`; the kernel holds it where it can.

    `commons` are the places that the sandbox has for itself, `NONE` where the system does not allow that.
    """

    def __init__(self, slot: str, commons: Commons = NONE) -> None:
        self.commons = commons
        shared = (place for place in NOBODYS if place not in commons.places)
        self.places = tuple(os.path.realpath(place) for place in (slot, *shared, *writable()))
        self.is_held = bool(commons.places) or landlock.is_there()

    @property
    def limit(self) -> str:
        if not self.is_held:
            return NOT_HELD
        if self.commons.places:
            return PRIVATE.format(", ".join(self.commons.places))
        return HELD.format(" and ".join(self.places[1:]))

    def forbids(self, path: str) -> bool:
        """Whether a command is kept from changing what is at this absolute path."""
        return self.is_held and not any(
            path == place or path.startswith(f"{place}/") for place in (*self.places, *KERNEL)
        )

    def enclose(self) -> None:
        """This process, and all that it starts from now on, in one pen: commands can look at each other."""
        if self.is_held and landlock.is_there():
            landlock.confine((*self.places, *self.commons.places), KERNEL)
