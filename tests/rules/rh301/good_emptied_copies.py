class Buffer:
    def __init__(self):
        self._items = []

    def push(self, item):
        self._items.append(item)


class Spans(Buffer):
    async def export(self, client):
        payload = [span.encode() for span in self._items]
        self._items = []
        await client.post(payload)


class Counted(Buffer):
    async def flush(self, store):
        batch = list(self._items)
        await store.insert(batch)
        del self._items[: len(batch)]


class Told(Buffer):
    async def flush(self, store):
        names = [item.name for item in self._items]
        self._items = []
        await store.insert(names)
