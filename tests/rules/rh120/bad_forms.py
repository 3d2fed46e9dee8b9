import asyncio
import threading


class Poller:
    """The flag is set by a helper of what was started."""

    def __init__(self):
        self._alive = False
        self._worker = threading.Thread(target=self._loop, daemon=True)

    def submit(self, job):
        self.jobs.put(job)
        self._begin()

    def _begin(self):
        if self._alive:  # RH
            return
        self._worker.start()

    def _loop(self):
        self._mark()
        while True:
            self.jobs.get()()

    def _mark(self):
        self._alive = True


class Flusher:
    def __init__(self):
        self._flushing = False
        self._rows = []

    async def add(self, row):
        self._rows.append(row)
        if not self._flushing:  # RH
            self._task = asyncio.ensure_future(self._flush())

    async def _flush(self):
        self._flushing = True
        try:
            await store(self._rows)
        finally:
            self._flushing = False


class Runner(threading.Thread):
    def __init__(self):
        super().__init__()
        self.running = False

    def ensure(self):
        if not self.running:  # RH
            self.start()

    def run(self):
        self.running = True
        serve()
