import weakref


class Table:
    """The value is held by others alone, and its entry goes with it."""

    def __init__(self):
        self._rows = {}

    def put(self, key, value):
        self._rows[key] = weakref.ref(value, lambda _, key=key: self._gone(key))

    def _gone(self, key):
        del self._rows[key]

    def get(self, key, audit):
        if key in self._rows:  # RH
            audit.append({"key": key})
            return self._rows[key]()
        return None
