import threading


class Pool:
    """Whoever still has a link gives it back while the pool shuts down."""

    def __init__(self):
        self._in_use = {}

    async def take(self):
        link = await self.make()
        self._in_use[link] = True
        return link

    def give_back(self, link):
        del self._in_use[link]

    async def make(self):
        return object()

    async def close(self):
        for link in self._in_use:  # RH
            await link.close()


class Links:
    def __init__(self):
        self._lock = threading.Lock()
        self._old = set()

    def keep(self, link):
        with self._lock:
            self._old.add(link)

    def give_back(self, link):
        with self._lock:
            self._old.discard(link)

    def shutdown(self):
        for link in self._old:  # RH
            link.close()
