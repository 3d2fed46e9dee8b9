import threading


class Feed:
    """The flag is set first."""

    def __init__(self, stream):
        self._stream = stream
        self._running = True
        threading.Thread(target=self._pump).start()

    def _pump(self):
        while True:
            try:
                emit(self._stream.read())
            except ValueError:
                if self._running:
                    raise
                return

    def stop(self):
        self._running = False
        self._stream.close()


class Quiet:
    """An error is the same, whatever the flag says."""

    def __init__(self, stream):
        self._stream = stream
        self._running = True
        threading.Thread(target=self._pump).start()

    def _pump(self):
        while self._running:
            try:
                emit(self._stream.read())
            except ValueError:
                return

    def stop(self):
        self._stream.close()
        self._running = False


class Broker:
    """Nobody else runs between the two."""

    def __init__(self, pool):
        self._pool = pool
        self._is_open = True

    async def publish(self, message):
        if not self._is_open:
            raise ConnectionError
        await self._pool.send(message)

    async def aclose(self):
        self._pool.close()
        self._is_open = False


class Guarded:
    def __init__(self, stream):
        self._stream = stream
        self._running = True
        self._lock = threading.Lock()
        threading.Thread(target=self._pump).start()

    def _pump(self):
        while True:
            try:
                emit(self._stream.read())
            except ValueError:
                with self._lock:
                    if self._running:
                        raise
                return

    def stop(self):
        with self._lock:
            self._stream.close()
            self._running = False
