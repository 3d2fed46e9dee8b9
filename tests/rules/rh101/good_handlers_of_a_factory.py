"""What looks like a route belongs to a program that has no server."""


class Flags:
    def __init__(self):
        self._entries = {}

    def put(self, name, value):
        self._entries[name] = value

    def lookup(self, name):
        if name in self._entries:
            return self._entries[name]
        return None

    def purge(self, name):
        self._entries.pop(name, None)


flags = Flags()


def register(shelf):
    @shelf.get("/flags/<name>")
    def read(name):
        return flags.lookup(name)

    @shelf.delete("/flags/<name>")
    def drop(name):
        flags.purge(name)
        return ""
