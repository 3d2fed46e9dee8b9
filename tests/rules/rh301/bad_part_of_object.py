import asyncio


class Progress:
    def __init__(self):
        self.name = ""
        self.written = 0


class Store:
    def __init__(self):
        self.progress = Progress()

    def _begin(self, name):
        self.progress.name = name
        self.progress.written = 0

    async def save(self, upload):
        self._begin(upload.name)
        while chunk := await upload.read():
            self.progress.written += len(chunk)
        return self.progress.name  # RH


class Names:
    def __init__(self):
        self.name = ""

    async def save(self, name, upload):
        self.name = name.strip()
        data = await upload.read()
        return self.name, data  # RH


store, names = Store(), Names()


async def main(uploads):
    await asyncio.gather(*(store.save(upload) for upload in uploads))
    await asyncio.gather(*(names.save(upload.name, upload) for upload in uploads))
