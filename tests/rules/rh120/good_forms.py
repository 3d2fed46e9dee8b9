import asyncio
import threading


class Poller:
    """The starter itself notes that it has started."""

    def __init__(self):
        self._alive = False
        self._thread = None

    def submit(self, job):
        if self._thread is None and not self._alive:
            self._thread = threading.Thread(target=self._loop)
            self._thread.start()

    def _loop(self):
        self._alive = True
        serve()


class Flusher:
    """The task that was started is what is asked."""

    def __init__(self):
        self._task = None
        self._flushing = False

    def add(self, row):
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(self._flush())

    async def _flush(self):
        self._flushing = True
        await store()


class Stopper:
    """The thread only takes the flag back."""

    def __init__(self):
        self._stopped = True
        self._worker = threading.Thread(target=self._loop)

    def ensure(self):
        if self._stopped:
            self._worker.start()

    def _loop(self):
        self._stopped = False
        serve()
