"""What the descriptors of a stopped thread lead to."""

import os


class Links:
    """Remembers the last answer: of one call it is asked twice, whether it matters and then what it is about."""

    def __init__(self) -> None:
        self._last: tuple[int, int] | None = None
        self._found = ""

    def look(self, thread: int, descriptor: int) -> str:
        """As the kernel shows it; empty if there is no such descriptor."""
        try:
            self._found = os.readlink(f"/proc/{thread}/fd/{descriptor}")  # noqa: PTH115 - at every call
        except OSError:
            self._found = ""
        self._last = (thread, descriptor)
        return self._found

    def again(self, thread: int, descriptor: int) -> str:
        """The same, without a new look if nothing has happened since the last one."""
        return self._found if self._last == (thread, descriptor) else self.look(thread, descriptor)

    def forget(self) -> None:
        """Something has happened."""
        self._last = None
