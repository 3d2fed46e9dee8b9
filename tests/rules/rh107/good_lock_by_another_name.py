from project import forksafe
from project.tasks import Lock


class Registry:
    def __init__(self):
        self._lock = forksafe.RLock()
        self._total = 0

    def add(self, size):
        with self._lock:
            self._total += size

    def scale(self, factor):
        with self._lock:
            self._apply(factor)

    def _apply(self, factor):
        self._total = self._total * factor


class Tasks:
    """Its lock is one between tasks: what holds none runs between two awaits, alone."""

    def __init__(self):
        self._lock = Lock()
        self._total = 0

    async def add(self, size):
        async with self._lock:
            self._total += size

    def scale(self, factor):
        self._total = self._total * factor
