import threading


class Base:
    def __init__(self):
        self._lock = threading.Lock()
        self.rows = {}
        self.names = []
        self.groups = {}

    def put(self, key, row):
        with self._lock:
            self.rows[key] = row
            self.names.append(key)

    def total(self):
        with self._lock:
            return sum(row.size for row in self.rows.values())

    def copied(self):
        return [row for row in list(self.rows)] + sorted(self.rows)

    def listed(self):
        return [name for name in self.names]

    def add_to_group(self, key, item):
        self.groups[key].append(item)

    def grouped(self):
        return [group for group in self.groups]


class Replaced:
    def __init__(self):
        self._lock = threading.Lock()
        self.rows = {}

    def put(self, key, row):
        with self._lock:
            self.rows = {**self.rows, key: row}

    def total(self):
        return [row for row in self.rows]
