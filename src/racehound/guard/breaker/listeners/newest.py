import threading

from racehound.guard.breaker.events import BreakerEvent


class Newest:
    """Tells whether an event is the newest of its circuit: two threads may send theirs in either order."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._versions: dict[str, int] = {}

    def includes(self, event: BreakerEvent) -> bool:
        with self._lock:
            if event.version < self._versions.get(event.name, event.version):
                return False
            self._versions[event.name] = event.version
            return True
