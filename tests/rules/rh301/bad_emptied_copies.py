import asyncio


class Buffer:
    def __init__(self):
        self._items = []

    def push(self, item):
        self._items.append(item)


class Spans(Buffer):
    async def export(self, client):
        payload = [span.encode() for span in self._items]
        await client.post(payload)
        self._items = []  # RH


class Rows(Buffer):
    async def flush(self, store):
        batch = list(self._items)
        await store.insert(batch)
        self._items.clear()  # RH
