"""What a command may change: its sandbox, and the places that are nobody's own."""

import os
from collections.abc import Iterable
from pathlib import Path

from racehound.processes import landlock

VARIABLE = "RACEHOUND_WRITABLE"
"""Further places that may be written to, separated as those of PATH are."""
SHARED = ("/tmp", "/var/tmp", "/run/lock", "/dev/shm", "/dev/mqueue")  # noqa: S108 - tools have such names built in
KERNEL = ("/dev", "/proc", "/sys")
"""No files: what is there may be written to, not removed."""
UNFENCED = frozenset({"chmod", "chown", "utime", "setxattr"})
"""What the kernel's fence does not keep a command from."""
HELD = "commands can change nothing outside their sandbox but temporary files; they can neither mount nor use sudo"
NOT_HELD = "this system cannot keep commands from files outside their sandbox: what they change there is listed"


class Fence:
    """Around the sandbox at `root`; the kernel holds it where it can."""

    def __init__(self, root: str, shared: Iterable[str] = SHARED) -> None:
        further = [place for place in os.environ.get(VARIABLE, "").split(os.pathsep) if place]
        self.places = tuple(os.path.realpath(place) for place in (root, *shared, *further))
        self.is_held = landlock.is_there()

    @property
    def limit(self) -> str:
        return HELD if self.is_held else NOT_HELD

    def forbids(self, path: str) -> bool:
        """Whether a command is kept from changing what is at this absolute path."""
        return self.is_held and not any(
            path == place or path.startswith(f"{place}/") for place in (*self.places, *KERNEL)
        )

    def enclose(self) -> None:
        """This process, and all that it starts from now on, in one pen: commands can look at each other.

        Whoever outlives racehound must be able to remove the sandbox, and the directory of sandboxes once empty.
        """
        if self.is_held:
            landlock.confine(self.places, KERNEL, (str(Path(self.places[0]).parents[1]),))
