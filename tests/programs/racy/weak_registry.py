"""One connection per name, as long as somebody uses it."""

import weakref


class Connection:
    pass


class Registry:
    def __init__(self) -> None:
        self.open: weakref.WeakValueDictionary[str, Connection] = weakref.WeakValueDictionary()
        self.made: list[Connection] = []

    def connection(self) -> None:
        found = self.open.get("a")
        if found is None:
            found = Connection()
            self.made.append(found)
            self.open["a"] = found


setup = Registry
WORKERS = [Registry.connection, Registry.connection]


def invariant(registry: Registry) -> bool:
    return len(registry.made) == 1
