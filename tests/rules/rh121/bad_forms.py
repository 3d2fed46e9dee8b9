import threading


class Feed:
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
        self._stream.close()
        self._running = False  # RH


class Broker:
    def __init__(self, pool):
        self._pool = pool
        self._is_open = True

    async def publish(self, message):
        if not self._is_open:
            raise ConnectionError
        await self._pool.send(message)

    async def aclose(self):
        await self._pool.aclose()
        self._is_open = False  # RH
