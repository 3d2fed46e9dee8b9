class Copied:
    def __init__(self):
        self._in_use = {}

    def take(self, link):
        self._in_use[link] = True

    def give_back(self, link):
        del self._in_use[link]

    async def close(self):
        for link in list(self._in_use):
            await link.close()
