import weakref


class Table:
    def __init__(self):
        self._rows = {}

    def put(self, key, value):
        self._rows[key] = weakref.ref(value, lambda _, key=key: self._gone(key))

    def _gone(self, key):
        del self._rows[key]

    def get(self, key, audit):
        found = self._rows.get(key)
        audit.append({"key": key})
        return None if found is None else found()

    def at_once(self, key):
        if key in self._rows:
            return self._rows[key]
        return None

    def reckoned_with(self, key, audit):
        if key in self._rows:
            audit.append({"key": key})
            try:
                return self._rows[key]()
            except KeyError:
                return None
        return None
